package io.github.roram.tree;

import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.util.Arrays;

/**
 * An {@link ExtentBatch} of buckets that knows of each its level and the eviction that wrote it.
 */
public final class BucketBatch {

  private final ExtentBatch extents = new ExtentBatch();
  private byte[] levels = new byte[64];
  private long[] evictions = new long[64];

  /** Empties the batch. */
  public void reset(IoPhase phase, int tree, int bucketBytes) {
    extents.reset(phase, tree, bucketBytes);
  }

  /** Appends buckets of a level written by consecutive evictions and standing one after another. */
  public void add(int level, long eviction, long offset, int count) {
    int first = extents.units();
    int end = first + count;
    if (end > levels.length) {
      int capacity = Math.max(end, 2 * levels.length);
      levels = Arrays.copyOf(levels, capacity);
      evictions = Arrays.copyOf(evictions, capacity);
    }
    for (int unit = first; unit < end; unit++) {
      levels[unit] = (byte) level;
      evictions[unit] = eviction + unit - first;
    }
    extents.add(offset, count);
  }

  /** What goes to the store. */
  public ExtentBatch extents() {
    return extents;
  }

  /** Number of buckets. */
  public int size() {
    return extents.units();
  }

  /** Level of a bucket. */
  public int level(int unit) {
    return levels[unit];
  }

  /** The eviction that wrote, or will write, a bucket. */
  public long eviction(int unit) {
    return evictions[unit];
  }
}
