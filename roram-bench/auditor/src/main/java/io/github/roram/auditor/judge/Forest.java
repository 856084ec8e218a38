package io.github.roram.auditor.judge;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.tribuo.Model;
import org.tribuo.MutableDataset;
import org.tribuo.classification.Label;
import org.tribuo.classification.LabelFactory;
import org.tribuo.classification.dtree.CARTClassificationTrainer;
import org.tribuo.classification.dtree.impurity.GiniIndex;
import org.tribuo.classification.ensemble.VotingCombiner;
import org.tribuo.common.tree.RandomForestTrainer;
import org.tribuo.impl.ArrayExample;
import org.tribuo.provenance.SimpleDataSourceProvenance;

/**
 * A small random forest that tells two kinds of vectors apart.
 *
 * <p>It is that of Tribuo 4 (Apache License 2.0, plain Java, no native code). A forest and not a
 * logistic regression, since what leaks may be one value in the middle of many, or two features
 * that are harmless alone, neither of which a weighted sum finds; and since trees need no scaling
 * of features. Smile, the other library that has both, is under the GPL.
 */
final class Forest {

  private static final int TREES = 10;
  private static final int DEPTH = 6;
  private static final float LEAST_EXAMPLES = 16;
  private static final float FEATURES_OF_SPLIT = 0.5f;
  private static final long SEED = 1;
  private static final LabelFactory LABELS = new LabelFactory();
  private static final Label[] SIDES = {new Label("A"), new Label("B")};

  /** Held, since a logger that nobody holds forgets its level. */
  private static final Logger TRIBUO = Logger.getLogger("org.tribuo");

  static {
    // It reports every tree that it builds.
    TRIBUO.setLevel(Level.WARNING);
  }

  private final int[] features;
  private final String[] names;
  private final Model<Label> model;

  private Forest(int[] features, String[] names, Model<Label> model) {
    this.features = features;
    this.names = names;
    this.model = model;
  }

  /**
   * Trains.
   *
   * @param samples vectors of equal lengths
   * @param sides of each of them, 0 or 1
   * @param features the features to look at, at least one
   */
  static Forest train(List<double[]> samples, int[] sides, int[] features) {
    String[] names = new String[features.length];
    for (int i = 0; i < features.length; i++) {
      names[i] = String.format("%04d", i);
    }
    // The time of training is part of what Tribuo remembers of a model; here it means nothing.
    OffsetDateTime time = OffsetDateTime.ofInstant(Instant.EPOCH, ZoneOffset.UTC);
    MutableDataset<Label> dataset =
        new MutableDataset<>(new SimpleDataSourceProvenance("views", time, LABELS), LABELS);
    for (int i = 0; i < samples.size(); i++) {
      dataset.add(new ArrayExample<>(SIDES[sides[i]], names, values(samples.get(i), features)));
    }
    CARTClassificationTrainer tree =
        new CARTClassificationTrainer(
            DEPTH, LEAST_EXAMPLES, 0, FEATURES_OF_SPLIT, false, new GiniIndex(), SEED);
    RandomForestTrainer<Label> trainer =
        new RandomForestTrainer<>(tree, new VotingCombiner(), TREES, SEED);
    return new Forest(features, names, trainer.train(dataset));
  }

  /** The side, 0 or 1, that a vector looks like. */
  int side(double[] sample) {
    ArrayExample<Label> example = new ArrayExample<>(SIDES[0], names, values(sample, features));
    return model.predict(example).getOutput().getLabel().equals(SIDES[0].getLabel()) ? 0 : 1;
  }

  private static double[] values(double[] sample, int[] features) {
    double[] values = new double[features.length];
    for (int i = 0; i < features.length; i++) {
      values[i] = sample[features[i]];
    }
    return values;
  }

  /** The features that have more than one value. */
  static int[] varying(List<double[]> samples) {
    List<Integer> varying = new ArrayList<>();
    for (int i = 0; !samples.isEmpty() && i < samples.get(0).length; i++) {
      int feature = i;
      double first = samples.get(0)[feature];
      if (samples.stream().anyMatch(sample -> sample[feature] != first)) {
        varying.add(feature);
      }
    }
    return varying.stream().mapToInt(Integer::intValue).toArray();
  }
}
