package io.github.roram.auditor.judge;

import io.github.roram.auditor.judge.Findings.Advantage;
import io.github.roram.auditor.judge.Findings.Finding;
import io.github.roram.auditor.judge.Findings.Verdict;
import io.github.roram.storage.view.Observer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
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
 * Trains a {@link Forest} on some runs of two sides and tries it on the others: if it is right more
 * often than by chance, the difference is the advantage of an observer who knows both sides well.
 *
 * <p>Whole runs are used for either training or trial, never accesses of one run for both. The
 * confidence interval is the normal one of a proportion. The sides are told apart if the advantage
 * exceeds {@link #THRESHOLD} by more than {@link Chance#LEVEL} allows; smaller differences are left
 * to the exact checks.
 */
final class Distinguisher {

  /** Below this an advantage says nothing. */
  static final double THRESHOLD = 0.01;

  /** More samples make trees slower, not better. */
  private static final int MOST_TRAINING = 10_000;

  private static final int LEAST_SAMPLES = 200;

  private final Observer observer;
  private final int windowAccesses;
  private final Samples known = new Samples();
  private final Samples heldOut = new Samples();
  private boolean saw;

  /**
   * Creates a distinguisher of windows of accesses.
   *
   * @param windowAccesses 1 for single accesses
   */
  Distinguisher(Observer observer, int windowAccesses) {
    this.observer = observer;
    this.windowAccesses = windowAccesses;
  }

  String name() {
    return windowAccesses == 1
        ? "distinguisher of accesses"
        : "distinguisher of " + windowAccesses + " accesses";
  }

  /** Vectors and the sides that they are of. */
  private static final class Samples {
    private final List<double[]> vectors = new ArrayList<>();
    private final List<Integer> sides = new ArrayList<>();

    void add(List<double[]> more, int side) {
      for (double[] vector : more) {
        vectors.add(vector);
        sides.add(side);
      }
    }

    /** Returns at most {@code count} of the samples, drawn at random. */
    Samples atMost(int count) {
      if (vectors.size() <= count) {
        return this;
      }
      Random random = new Random(count);
      Samples drawn = new Samples();
      for (int i = 0; i < count; i++) {
        int pick = random.nextInt(vectors.size());
        drawn.vectors.add(vectors.get(pick));
        drawn.sides.add(sides.get(pick));
      }
      return drawn;
    }
  }

  /**
   * Adds a run of each side.
   *
   * @param training whether to learn from it, or to be tried on it
   */
  void add(Seen sideA, Seen sideB, boolean training) {
    if (sideA.has(observer) || sideB.has(observer)) {
      add(vectors(sideA), vectors(sideB), training);
    }
  }

  /** Adds the vectors of a run of each side. */
  void add(List<double[]> sideA, List<double[]> sideB, boolean training) {
    saw = true;
    Samples samples = training ? known : heldOut;
    samples.add(sideA, 0);
    samples.add(sideB, 1);
  }

  /** Returns the finding for the runs so far. */
  Finding finding(String pair) {
    if (!saw) {
      return none(pair, "saw nothing");
    }
    if (Math.min(known.vectors.size(), heldOut.vectors.size()) < LEAST_SAMPLES) {
      return none(
          pair,
          known.vectors.size()
              + " samples to learn from and "
              + heldOut.vectors.size()
              + " held out, at least "
              + LEAST_SAMPLES
              + " of each are needed");
    }
    return finding(pair, right(known.atMost(MOST_TRAINING), heldOut), heldOut.vectors.size());
  }

  private List<double[]> vectors(Seen seen) {
    List<double[]> accesses = Features.ofAccesses(seen, observer);
    return windowAccesses == 1 ? accesses : Features.ofWindows(accesses, windowAccesses);
  }

  /** Returns how many it gets right; half of them where there is nothing to go by. */
  private static long right(Samples known, Samples heldOut) {
    int[] features = Forest.varying(known.vectors);
    if (features.length == 0) {
      return heldOut.vectors.size() / 2;
    }
    int[] sides = known.sides.stream().mapToInt(Integer::intValue).toArray();
    Forest forest = Forest.train(known.vectors, sides, features);
    long right = 0;
    for (int i = 0; i < heldOut.vectors.size(); i++) {
      right += forest.side(heldOut.vectors.get(i)) == heldOut.sides.get(i) ? 1 : 0;
    }
    return right;
  }

  private Finding finding(String pair, long right, long samples) {
    double share = (double) right / samples;
    double deviation = 2 * Math.sqrt(Math.max(share * (1 - share), 1.0 / samples) / samples);
    double value = 2 * share - 1;
    Advantage advantage =
        new Advantage(
            value,
            Math.max(-1, value - Chance.INTERVAL_DEVIATIONS * deviation),
            Math.min(1, value + Chance.INTERVAL_DEVIATIONS * deviation),
            samples,
            smallest(samples));
    boolean apart = value - Chance.LEVEL_DEVIATIONS * deviation > THRESHOLD;
    String evidence =
        String.format(
            Locale.ROOT,
            "advantage %.4f (95 %%: %.4f to %.4f) on %d held-out samples; %.2g would have shown",
            advantage.value(),
            advantage.low(),
            advantage.high(),
            samples,
            advantage.smallest());
    return new Finding(
        pair, observer, name(), apart ? Verdict.TOLD_APART : Verdict.ALIKE, evidence, advantage);
  }

  /**
   * Returns the smallest advantage that n samples can tell apart: a coin's share deviates by 1/√n,
   * and the quantiles of the level and of the power add up.
   */
  private static double smallest(long samples) {
    double deviations = Chance.LEVEL_DEVIATIONS + Chance.POWER_DEVIATIONS;
    return Math.min(1, THRESHOLD + deviations / Math.sqrt(samples));
  }

  private Finding none(String pair, String why) {
    return Finding.of(pair, observer, name(), Verdict.NOT_APPLICABLE, why);
  }

  /**
   * A small random forest that tells two kinds of vectors apart.
   *
   * <p>It is that of Tribuo 4 (Apache License 2.0, plain Java, no native code). A forest and not a
   * logistic regression, since what leaks may be one value in the middle of many, or two features
   * that are harmless alone, neither of which a weighted sum finds; and since trees need no scaling
   * of features. Smile, the other library that has both, is under the GPL.
   */
  static final class Forest {

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
      // Tribuo reports every tree that it builds.
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

    /** Returns the side, 0 or 1, that a vector looks like. */
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

    /** Returns the features that have more than one value. */
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
}
