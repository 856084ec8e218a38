package io.github.roram.store;

import java.util.Arrays;

/**
 * A vectored request of a {@link BucketStore}: runs of buckets of one tree, each identified by
 * name, not by location. Reusable, grows as needed; not safe for use by several threads while it is
 * being changed.
 *
 * <p>A run is the buckets that consecutive evictions wrote, or will write, at one level in one key
 * epoch; or, if each slot of a bucket is sealed alone, consecutive slots of one eviction's bucket.
 * The buckets, or slots, of all runs, in their order, are the units 0, 1, … of the request;
 * statements about buckets hold for slots, too.
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
   * Empties the request and sets the purpose of the runs that are added from now on.
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
   * Appends the buckets of a level that evictions {@code [eviction, eviction + count)} write. Does
   * nothing if {@code count} is 0.
   *
   * @param epoch the key epoch that all of them are sealed in
   */
  public void add(int level, long eviction, int count, int epoch) {
    addRun(level, eviction, WHOLE, count, epoch);
  }

  /**
   * Appends consecutive slots of the bucket that an eviction writes at a level; extends the last
   * run if they continue it. Does nothing if {@code count} is 0.
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
   * Empties the request and copies some buckets of another one.
   *
   * @param firstUnit the first bucket to copy; it becomes unit 0
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
   * Returns where a part of the request may end without dividing buckets that a store keeps
   * together.
   *
   * @param end the unit before which the part would otherwise end, above 0
   * @param together {@link BucketStore#unit} of the tree
   * @return {@code end}, or the next such place after it
   */
  public int endOfWhole(int end, int together) {
    int run = runOf[end - 1];
    int beyond = (int) (-(eviction(end - 1) + 1) & (together - 1));
    return Math.min(end + beyond, firstUnits[run + 1]);
  }

  /**
   * Returns the number of pieces that hold the buckets, if a store keeps several evictions
   * together.
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

  /** Returns what the request is for. */
  public IoPhase phase() {
    return phase;
  }

  /** Returns the number of the tree whose buckets these are. */
  public int tree() {
    return tree;
  }

  /** Returns the bytes of one bucket. */
  public int bucketBytes() {
    return bucketBytes;
  }

  /** Returns the number of runs. */
  public int runs() {
    return runs;
  }

  /** Returns the number, over the whole request, of a run's first bucket. */
  public int firstUnit(int run) {
    return firstUnits[run];
  }

  /** Returns the number of buckets of a run. */
  public int units(int run) {
    return firstUnits[run + 1] - firstUnits[run];
  }

  /** Returns the number of buckets of all runs. */
  public int units() {
    return firstUnits[runs];
  }

  /** Returns the bytes of all buckets. */
  public long bytes() {
    return (long) units() * bucketBytes;
  }

  /** Returns the level of a bucket. */
  public int level(int unit) {
    return levels[runOf[unit]];
  }

  /** Returns the eviction that wrote, or will write, a bucket. */
  public long eviction(int unit) {
    int run = runOf[unit];
    return slots[run] == WHOLE ? evictions[run] + unit - firstUnits[run] : evictions[run];
  }

  /** Returns the number of a slot in its bucket; 0 for a whole bucket. */
  public int slot(int unit) {
    int run = runOf[unit];
    return slots[run] == WHOLE ? 0 : slots[run] + unit - firstUnits[run];
  }

  /** Returns the number that seals a bucket: its eviction, or {@link #number(long, int)}. */
  public long number(int unit) {
    int run = runOf[unit];
    return slots[run] == WHOLE ? eviction(unit) : number(evictions[run], slot(unit));
  }

  /** Returns the number that a slot is sealed with: eviction · 2^16 + slot. */
  public static long number(long eviction, int slot) {
    return eviction << SLOT_BITS | slot;
  }

  /** Returns the key epoch that a bucket is sealed in. */
  public int epoch(int unit) {
    return epochs[runOf[unit]];
  }

  @Override
  public String toString() {
    return phase + " of tree " + tree + ": " + runs + " runs, " + units() + " buckets";
  }
}
