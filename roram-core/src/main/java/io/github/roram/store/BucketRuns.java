package io.github.roram.store;

import java.util.Arrays;

/**
 * A vectored request of a {@link BucketStore}: runs of buckets of one tree, each named by what it
 * is and not by where it lies. Reusable, grows as needed; not safe for use by several threads while
 * it is changed.
 *
 * <p>A run is what consecutive evictions wrote, or are going to write, at one level in one key
 * epoch; or, where each slot of a bucket is sealed alone, consecutive slots of what one eviction
 * wrote. The buckets, or slots, of all runs, in their order, are the units 0, 1, … of the request;
 * what is said here of buckets holds for slots, too.
 */
public final class BucketRuns {

  private static final int WHOLE = -1;
  private static final int SLOT_BITS = 16;

  private IoPhase phase = IoPhase.META;
  private int tree;
  private int bucketBytes = 1;
  private int runs;
  private int[] levels = new int[64];
  private long[] evictions = new long[64];
  private int[] epochs = new int[64];

  /** The first slot of a run of slots, or {@link #WHOLE}. */
  private int[] slots = new int[64];

  private int[] firstUnits = new int[65];

  /** The run of each unit. */
  private int[] runOf = new int[256];

  /**
   * Empties the request and says what the runs added from now on are for.
   *
   * @param newBucketBytes bytes of each bucket, the same for all
   */
  public BucketRuns reset(IoPhase newPhase, int newTree, int newBucketBytes) {
    if (newBucketBytes <= 0) {
      throw new IllegalArgumentException("bucketBytes is " + newBucketBytes + ", must be positive");
    }
    phase = newPhase;
    tree = newTree;
    bucketBytes = newBucketBytes;
    runs = 0;
    firstUnits[0] = 0;
    return this;
  }

  /**
   * Appends the buckets of a level that evictions {@code [eviction, eviction + count)} write; none
   * is a no-op.
   *
   * @param epoch the key epoch that all of them are sealed in
   */
  public void add(int level, long eviction, int count, int epoch) {
    addRun(level, eviction, WHOLE, count, epoch);
  }

  /**
   * Appends consecutive slots of the bucket of a level that an eviction writes, to the run before
   * where they go on with it; none is a no-op.
   *
   * @param epoch the key epoch that all of them are sealed in
   */
  public void addSlots(int level, long eviction, int firstSlot, int count, int epoch) {
    if (firstSlot < 0) {
      throw new IllegalArgumentException("slot is " + firstSlot + ", must not be negative");
    }
    int last = runs - 1;
    if (last >= 0
        && levels[last] == level
        && evictions[last] == eviction
        && epochs[last] == epoch
        && slots[last] != WHOLE
        && slots[last] + units(last) == firstSlot) {
      extend(count);
    } else {
      addRun(level, eviction, firstSlot, count, epoch);
    }
  }

  private void addRun(int level, long eviction, int firstSlot, int count, int epoch) {
    if (level < 0 || eviction < 0 || count < 0) {
      throw new IllegalArgumentException(
          "run of " + count + " buckets of level " + level + " from eviction " + eviction);
    }
    if (count == 0) {
      return;
    }
    if (runs == levels.length) {
      levels = Arrays.copyOf(levels, 2 * runs);
      evictions = Arrays.copyOf(evictions, 2 * runs);
      epochs = Arrays.copyOf(epochs, 2 * runs);
      slots = Arrays.copyOf(slots, 2 * runs);
      firstUnits = Arrays.copyOf(firstUnits, 2 * runs + 1);
    }
    levels[runs] = level;
    evictions[runs] = eviction;
    epochs[runs] = epoch;
    slots[runs] = firstSlot;
    firstUnits[runs + 1] = firstUnits[runs];
    runs++;
    extend(count);
  }

  /** Adds units to the last run. */
  private void extend(int count) {
    int from = firstUnits[runs];
    int to = Math.addExact(from, count);
    if (to > runOf.length) {
      runOf = Arrays.copyOf(runOf, Math.max(to, 2 * runOf.length));
    }
    Arrays.fill(runOf, from, to, runs - 1);
    firstUnits[runs] = to;
  }

  /**
   * Empties the request and takes over some buckets of another one.
   *
   * @param firstUnit the first of them; it becomes unit 0
   */
  public BucketRuns resetToPart(BucketRuns whole, int firstUnit, int units) {
    reset(whole.phase, whole.tree, whole.bucketBytes);
    int unit = firstUnit;
    while (unit < firstUnit + units) {
      int run = whole.runOf[unit];
      int end = Math.min(firstUnit + units, whole.firstUnits[run + 1]);
      int slot = whole.slots[run] == WHOLE ? WHOLE : whole.slot(unit);
      addRun(whole.levels[run], whole.eviction(unit), slot, end - unit, whole.epochs[run]);
      unit = end;
    }
    return this;
  }

  /**
   * Where a part of the request may end that does not divide what a store keeps together.
   *
   * @param end the unit before which it would end otherwise, above 0
   * @param together {@link BucketStore#unit} of the tree
   * @return {@code end}, or the nearest such place behind it
   */
  public int endOfWhole(int end, int together) {
    int run = runOf[end - 1];
    int beyond = (int) (-(eviction(end - 1) + 1) & (together - 1));
    return Math.min(end + beyond, firstUnits[run + 1]);
  }

  /**
   * In how many pieces the buckets lie, where a store keeps those of several evictions together.
   *
   * @param together {@link BucketStore#unit} of the tree
   */
  public long pieces(int together) {
    long pieces = 0;
    for (int run = 0; run < runs; run++) {
      long last = evictions[run] + units(run) - 1;
      pieces += last / together - evictions[run] / together + 1;
    }
    return pieces;
  }

  /** What the request is for. */
  public IoPhase phase() {
    return phase;
  }

  /** Number of the tree whose buckets these are. */
  public int tree() {
    return tree;
  }

  /** Bytes of one bucket. */
  public int bucketBytes() {
    return bucketBytes;
  }

  /** Number of runs. */
  public int runs() {
    return runs;
  }

  /** Number, over the whole request, of a run's first bucket. */
  public int firstUnit(int run) {
    return firstUnits[run];
  }

  /** Number of buckets of a run. */
  public int units(int run) {
    return firstUnits[run + 1] - firstUnits[run];
  }

  /** Number of buckets of all runs. */
  public int units() {
    return firstUnits[runs];
  }

  /** Bytes of all buckets. */
  public long bytes() {
    return (long) units() * bucketBytes;
  }

  /** Level of a bucket. */
  public int level(int unit) {
    return levels[runOf[unit]];
  }

  /** The eviction that wrote, or will write, a bucket. */
  public long eviction(int unit) {
    int run = runOf[unit];
    return slots[run] == WHOLE ? evictions[run] + unit - firstUnits[run] : evictions[run];
  }

  /** Number of a slot in its bucket; 0 for a whole bucket. */
  public int slot(int unit) {
    int run = runOf[unit];
    return slots[run] == WHOLE ? 0 : slots[run] + unit - firstUnits[run];
  }

  /**
   * The number that a bucket is sealed with: its eviction's, or for a slot {@link #number(long,
   * int)}.
   */
  public long number(int unit) {
    int run = runOf[unit];
    return slots[run] == WHOLE ? eviction(unit) : number(evictions[run], slot(unit));
  }

  /** The number that a slot is sealed with: eviction · 2^16 + slot. */
  public static long number(long eviction, int slot) {
    return eviction << SLOT_BITS | slot;
  }

  /** The key epoch that a bucket is sealed in. */
  public int epoch(int unit) {
    return epochs[runOf[unit]];
  }

  @Override
  public String toString() {
    return phase + " of tree " + tree + ": " + runs + " runs, " + units() + " buckets";
  }
}
