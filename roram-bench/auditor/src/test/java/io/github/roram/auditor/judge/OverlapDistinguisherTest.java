package io.github.roram.auditor.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.pattern.OverlappedPattern;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nobody who sees the store tells accesses apart that overlap: a random forest that has learnt from
 * runs of both sides knows no more of other runs than one who tosses a coin. {@code
 * -Droram.overlap.accesses=100000} is the long mode, whose interval is below a hundredth.
 */
final class OverlapDistinguisherTest {

  private static final int ACCESSES = Integer.getInteger("roram.overlap.accesses", 2000);
  private static final int RUN_ACCESSES = Math.max(500, ACCESSES / 100);
  private static final int IN_FLIGHT = 8;
  private static final int BLOCKS = 1 << 10;

  /** How many requests before are compared with one. */
  private static final int BEFORE = 12;

  /** Of a request: its deepest extents by where they are. */
  private static final int DEEPEST = 4;

  /** Runs of one side; of every four one is for learning. */
  private static final int LEARN_FROM = 4;

  /** Sides that must look alike. */
  private enum Workload {
    /** Blocks of the others that are under way, too. */
    THE_SAME,
    /** A few that were accessed a while ago. */
    HOT,
    WRITTEN,
    IN_ORDER;

    private int block(SplittableRandom random, int number) {
      return switch (this) {
        case THE_SAME -> number / IN_FLIGHT % BLOCKS;
        case HOT -> random.nextInt(3 * IN_FLIGHT);
        case WRITTEN -> random.nextInt(BLOCKS);
        case IN_ORDER -> number % BLOCKS;
      };
    }
  }

  private static OramConfig config(String scheme) {
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS).scheme(scheme).blockBytes(512).treetopBytes(0);
    return "roram".equals(scheme)
        ? builder.maxRangeBlocks(4).sizeClasses(0, 2).chunkPaths(8).windowBlocks(24).build()
        : builder.maxRangeBlocks(1).build();
  }

  @ParameterizedTest
  @EnumSource(Workload.class)
  void accessesOfRoramLookLikeReadsAtRandom(Workload workload) throws IOException {
    assertAlike(config("roram"), workload);
  }

  @ParameterizedTest
  @ValueSource(strings = {"path-batched", "tao"})
  void soDoThoseOfOtherSchemes(String scheme) throws IOException {
    assertAlike(config(scheme), Workload.THE_SAME);
  }

  private static void assertAlike(OramConfig config, Workload workload) throws IOException {
    Samples samples = new Samples();
    for (int run = 0; run < Math.max(LEARN_FROM, ACCESSES / RUN_ACCESSES); run++) {
      boolean learn = run % LEARN_FROM == 0;
      samples.add(features(run(config, null, 2L * run), 0), 0, learn);
      samples.add(features(run(config, workload, 2L * run + 1), 0), 1, learn);
    }
    Told told = samples.told();
    assertThat(told.advantage - Chance.LEVEL_DEVIATIONS * told.deviation)
        .as("%s", told)
        .isLessThan(Distinguisher.THRESHOLD);
  }

  /** A client that shows a label again in one of three accesses. */
  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "tao"})
  void aLabelThatIsShownAgainIsFound(String scheme) throws IOException {
    Samples samples = new Samples();
    for (int run = 0; run < LEARN_FROM; run++) {
      boolean learn = run % LEARN_FROM == 0;
      samples.add(features(run(config(scheme), null, 2L * run), 0), 0, learn);
      samples.add(features(run(config(scheme), null, 2L * run + 1), 3), 1, learn);
    }
    Told told = samples.told();
    assertThat(told.advantage - Chance.LEVEL_DEVIATIONS * told.deviation)
        .as("%s", told)
        .isGreaterThan(Distinguisher.THRESHOLD);
  }

  /** What a store is asked in a run, of reads of random blocks where no workload is given. */
  private static List<AnsweredByHand.Asked> run(
      OramConfig config, @Nullable Workload workload, long seed) throws IOException {
    SplittableRandom blocks = new SplittableRandom(seed);
    Random answers = new Random(~seed);
    AnsweredByHand[] made = new AnsweredByHand[1];
    try (OverlappedPattern oram =
        OverlappedPattern.create(config, IN_FLIGHT, below -> made[0] = new AnsweredByHand(below))) {
      AnsweredByHand store = made[0];
      List<CompletableFuture<Void>> underWay = new ArrayList<>();
      int begun = 0;
      while (begun < RUN_ACCESSES || !underWay.isEmpty()) {
        underWay.removeIf(CompletableFuture::isDone);
        boolean more = begun < RUN_ACCESSES && underWay.size() < IN_FLIGHT;
        if (more && (store.held() == 0 || answers.nextInt(3) == 0)) {
          int block = workload == null ? blocks.nextInt(BLOCKS) : workload.block(blocks, begun);
          underWay.add(oram.access(block, 1, workload == Workload.WRITTEN));
          begun++;
        } else if (store.held() > 0) {
          store.answer(answers.nextInt(store.held()));
        }
      }
      while (store.held() > 0) {
        store.answer(0);
      }
      return store.asked();
    }
  }

  /**
   * A vector for each read: how long it is, where its deepest buckets are, what it has in common
   * with those before, what else came meanwhile.
   *
   * @param repeatEvery after so many reads the one before is shown in place of the next, a leak; 0
   *     for never
   */
  private static List<double[]> features(List<AnsweredByHand.Asked> asked, int repeatEvery) {
    List<double[]> vectors = new ArrayList<>();
    List<Set<Long>> before = new ArrayList<>();
    int others = 0;
    AnsweredByHand.@Nullable Asked shown = null;
    for (AnsweredByHand.Asked next : asked) {
      if (next.phase() != IoPhase.READ) {
        others++;
        continue;
      }
      boolean again = repeatEvery > 0 && vectors.size() % repeatEvery == 0;
      AnsweredByHand.Asked seen = again && shown != null ? shown : next;
      shown = seen;
      vectors.add(vector(seen, before, others));
      Set<Long> offsets = new HashSet<>();
      seen.extents().forEach(extent -> offsets.add(extent[0]));
      before.add(offsets);
      others = 0;
    }
    return vectors;
  }

  private static double[] vector(AnsweredByHand.Asked of, List<Set<Long>> before, int others) {
    double[] vector = new double[4 + DEEPEST + BEFORE];
    vector[0] = of.tree();
    vector[1] = of.extents().size();
    vector[2] = of.waiting();
    vector[3] = others;
    for (int i = 0; i < DEEPEST; i++) {
      vector[4 + i] = of.extents().get(Math.max(0, of.extents().size() - 1 - i))[0];
    }
    for (int back = 1; back <= Math.min(BEFORE, before.size()); back++) {
      Set<Long> earlier = before.get(before.size() - back);
      vector[3 + DEEPEST + back] =
          of.extents().stream().filter(extent -> earlier.contains(extent[0])).count();
    }
    return vector;
  }

  /** What a distinguisher got right. */
  private record Told(double advantage, double deviation, int samples) {}

  /** Vectors to learn from, and vectors to be tried on. */
  private static final class Samples {
    private static final int MOST_LEARNT = 10_000;

    private final List<double[]> known = new ArrayList<>();
    private final List<Integer> sides = new ArrayList<>();
    private final List<double[]> heldOut = new ArrayList<>();
    private final List<Integer> heldOutSides = new ArrayList<>();

    void add(List<double[]> vectors, int side, boolean learn) {
      for (double[] vector : vectors) {
        if (!learn) {
          heldOut.add(vector);
          heldOutSides.add(side);
        } else if (known.size() < MOST_LEARNT) {
          known.add(vector);
          sides.add(side);
        }
      }
    }

    Told told() {
      int[] learnt = sides.stream().mapToInt(Integer::intValue).toArray();
      Forest forest = Forest.train(known, learnt, Forest.varying(known));
      int right = 0;
      for (int i = 0; i < heldOut.size(); i++) {
        right += forest.side(heldOut.get(i)) == heldOutSides.get(i) ? 1 : 0;
      }
      double share = (double) right / heldOut.size();
      double deviation = 2 * Math.sqrt(share * (1 - share) / heldOut.size());
      return new Told(2 * share - 1, deviation, heldOut.size());
    }
  }
}
