package io.github.roram.auditor.overlap;

import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.auditor.overlap.ForeseenLabels.Access;
import io.github.roram.auditor.overlap.OverlapPair.OverlapWorkload;
import io.github.roram.cipher.LabelSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The accesses of a run; the number alone says how long they are, and when which is made. */
final class OverlapPlan {
  /** An eviction that is due is made soon. */
  private static final int MOST_EVICTIONS_LATE = 3;

  private final OramConfig config;
  private final long number;
  private final List<Access> accesses = new ArrayList<>();

  /**
   * Those before are not judged: then the label of each block is one that it was given, and so were
   * all that were shown in the lives of buckets that go on.
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

  /** Whether slots are read, not buckets: then both sides show the same labels. */
  static boolean hasSlots(OramConfig config) {
    return config.scheme().equals("ring");
  }

  private boolean hasSlots() {
    return hasSlots(config);
  }

  long number() {
    return number;
  }

  /** Those that are not judged, and come before. */
  int first() {
    return first;
  }

  int accesses() {
    return accesses.size();
  }

  Access access(int number) {
    return accesses.get(number);
  }

  /** Of the ring each access is one read. */
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

  /** Of so many that are owed there is room for a burst before one of them is evicted. */
  int mostOwed() {
    return 3 * rate() - Integer.highestOneBit(rate()) - burst();
  }

  /** How many accesses are to be complete, and no more, when the next one begins. */
  int complete(int next) {
    return hasSlots() ? oldest[next] : Integer.MAX_VALUE;
  }
}
