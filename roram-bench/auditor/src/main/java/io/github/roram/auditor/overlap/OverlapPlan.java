package io.github.roram.auditor.overlap;

import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.overlap.ForeseenLabels.Access;
import io.github.roram.auditor.overlap.OverlapPlan.OverlapPair.OverlapWorkload;
import io.github.roram.cipher.LabelSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** The accesses of a run; the number alone says how long they are, and when which is made. */
final class OverlapPlan {
  /** An eviction that is due is made soon. */
  private static final int MOST_EVICTIONS_LATE = 3;

  private final OramConfig config;
  private final long number;
  private final List<Access> accesses = new ArrayList<>();

  /**
   * Earlier accesses are not judged: after them the label of each block is one that it was given,
   * as were all labels shown in the lives of buckets that continue.
   */
  private final int first;

  private final int[] oldest;

  OverlapPlan(OramConfig config, int inFlight, OverlapWorkload workload, int count, long number) {
    this.config = config;
    this.number = number;
    SplittableRandom lengths = new SplittableRandom(number);
    SplittableRandom places = new SplittableRandom();
    int longest = longest();
    if (hasSlots()) {
      long life = ((long) leaves() + MOST_EVICTIONS_LATE) * rate();
      for (long made = 0; made < config.blocks() + life; made += config.blocks()) {
        accesses.addAll(ForeseenLabels.eachOnce((int) config.blocks(), longest));
      }
    }
    first = accesses.size();
    for (int made = 0; made < count; made++) {
      int blocks = longest == 1 ? 1 : 1 + lengths.nextInt(longest);
      OverlapWorkload.Made next = workload.next(places, made, blocks, (int) config.blocks());
      int shown = config.parameters().shownBlocks(blocks);
      accesses.add(new Access(next.block(), blocks, next.writes(), shown));
    }
    oldest =
        hasSlots()
            ? ForeseenLabels.order(accesses, first, inFlight, burst(), lengths.split())
            : new int[0];
  }

  /** Returns whether slots are read, not buckets: then both sides show the same labels. */
  static boolean hasSlots(OramConfig config) {
    return config.scheme().equals("ring");
  }

  private boolean hasSlots() {
    return hasSlots(config);
  }

  long number() {
    return number;
  }

  /** Returns the number of earlier accesses, which are not judged. */
  int first() {
    return first;
  }

  int accesses() {
    return accesses.size();
  }

  Access access(int number) {
    return accesses.get(number);
  }

  /** In the ring each access is one read. */
  private int longest() {
    if (hasSlots()) {
      return Math.min(config.maxRangeBlocks(), Integer.highestOneBit(rate()));
    }
    return config.has(Scheme.Trait.WHOLE_RANGES) ? config.maxRangeBlocks() : 1;
  }

  private int rate() {
    return Integer.parseInt(config.parameters().settings().get("evictionBlocks"));
  }

  private int leaves() {
    return 1 << Integer.parseInt(config.parameters().settings().get("height"));
  }

  LabelSource labels() {
    return new ForeseenLabels(accesses, oldest, leaves(), new SplittableRandom(-number));
  }

  /** Blocks of accesses after which all are complete before another begins. */
  private int burst() {
    return 3 * rate() / 4;
  }

  /** Returns the most that may be owed: room for a burst before one of them is evicted. */
  int mostOwed() {
    return 3 * rate() - Integer.highestOneBit(rate()) - burst();
  }

  /** Returns how many accesses are to be complete, and no more, when the next one begins. */
  int complete(int next) {
    return hasSlots() ? oldest[next] : Integer.MAX_VALUE;
  }

  /**
   * Two workloads that must look alike while accesses overlap.
   *
   * @param name on the command line and in reports
   * @param about what must not show: half a sentence
   * @param left one of them
   * @param right the other
   */
  record OverlapPair(String name, String about, OverlapWorkload left, OverlapWorkload right) {

    private static final List<OverlapPair> ALL =
        List.of(
            new OverlapPair(
                "reads-writes",
                "whether blocks are read or written",
                OverlapWorkload.READS,
                OverlapWorkload.WRITES),
            new OverlapPair(
                "same-distinct",
                "whether accesses go to the block that others read or write meanwhile",
                OverlapWorkload.ONE_BLOCK,
                OverlapWorkload.SEQUENTIAL),
            new OverlapPair(
                "in-flight",
                "whether a block is being accessed already",
                OverlapWorkload.IN_FLIGHT,
                OverlapWorkload.MIXED),
            new OverlapPair(
                "sequential-random",
                "whether ranges follow one another",
                OverlapWorkload.SEQUENTIAL,
                OverlapWorkload.MIXED),
            new OverlapPair(
                "hot-cold",
                "how often a block is accessed",
                OverlapWorkload.HOT,
                OverlapWorkload.MIXED));

    /** Returns the names of all. */
    static List<String> names() {
      return ALL.stream().map(OverlapPair::name).toList();
    }

    /** Returns the pair of that name; empty if there is none. */
    static Optional<OverlapPair> named(String name) {
      return ALL.stream().filter(pair -> pair.name().equals(name)).findFirst();
    }

    /** Which blocks accesses touch that overlap, and whether they write: what must not show. */
    @FunctionalInterface
    interface OverlapWorkload {

      /** Some blocks that were accessed a while ago, and some that are under way. */
      int HOT_BLOCKS = 24;

      /** An access. */
      record Made(int block, boolean writes) {}

      /**
       * Returns the next access.
       *
       * @param number from 0
       * @param count how many blocks it has
       * @param blocks how many there are
       */
      Made next(SplittableRandom random, int number, int count, int blocks);

      /** Ranges anywhere that are read. */
      OverlapWorkload READS =
          (random, number, count, blocks) -> new Made(anywhere(random, count, blocks), false);

      /** Ranges anywhere that are written. */
      OverlapWorkload WRITES =
          (random, number, count, blocks) -> new Made(anywhere(random, count, blocks), true);

      /** Ranges anywhere, read and written in turn. */
      OverlapWorkload MIXED =
          (random, number, count, blocks) ->
              new Made(anywhere(random, count, blocks), isOdd(number));

      /** One block all the time, so that those under way are of it, too. */
      OverlapWorkload ONE_BLOCK =
          (random, number, count, blocks) -> new Made(Math.min(8, blocks - count), isOdd(number));

      /** Each block while some accesses to it are under way, then the next. */
      OverlapWorkload IN_FLIGHT =
          (random, number, count, blocks) ->
              new Made(number / 8 % (blocks - count + 1), isOdd(number));

      /** A few blocks. */
      OverlapWorkload HOT =
          (random, number, count, blocks) ->
              new Made(random.nextInt(Math.min(HOT_BLOCKS, blocks - count + 1)), isOdd(number));

      /** One range after another. */
      OverlapWorkload SEQUENTIAL =
          (random, number, count, blocks) -> new Made(number % (blocks - count + 1), isOdd(number));

      private static int anywhere(SplittableRandom random, int count, int blocks) {
        return random.nextInt(blocks - count + 1);
      }

      private static boolean isOdd(int number) {
        return number % 2 == 1;
      }
    }
  }
}
