package io.github.roram.bulk;

import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.WholeTree;
import java.util.Arrays;

/**
 * Which block goes into which bucket when a tree is filled at once: each level, from the leaves up,
 * takes what fits, and leaves the rest to the next.
 */
final class BulkPlan {

  private final TreeGeometry geometry;
  private final int[] labels;
  private int[] waiting;
  private int waitingCount;
  private int[] sorted;
  private final int[] start;

  BulkPlan(TreeGeometry geometry, int blocks, WholeTree target) {
    this.geometry = geometry;
    labels = new int[blocks];
    waiting = new int[blocks];
    waitingCount = blocks;
    sorted = new int[blocks];
    start = new int[geometry.leaves() + 1];
    for (int block = 0; block < blocks; block++) {
      labels[block] = target.label(block);
      waiting[block] = block;
    }
  }

  /**
   * Sorts the waiting blocks to the buckets of the next level up; the first call is for level h.
   */
  void fill(int level) {
    int width = 1 << level;
    Arrays.fill(start, 0, width + 1, 0);
    for (int i = 0; i < waitingCount; i++) {
      start[bucket(waiting[i], level)]++;
    }
    for (int bucket = 1; bucket < width; bucket++) {
      start[bucket] += start[bucket - 1];
    }
    // Counting down leaves each entry at the start of its bucket.
    for (int i = waitingCount - 1; i >= 0; i--) {
      sorted[--start[bucket(waiting[i], level)]] = waiting[i];
    }
    start[width] = waitingCount;
    takeFirst(level);
  }

  private int bucket(int address, int level) {
    return geometry.bucket(labels[address], level);
  }

  /** Keeps the first Z blocks of every stored bucket, packed; the others wait for above. */
  private void takeFirst(int level) {
    int width = 1 << level;
    int firstStored = geometry.firstStored(level);
    int taken = 0;
    int left = 0;
    int from = 0;
    for (int bucket = 0; bucket < width; bucket++) {
      int to = start[bucket + 1];
      start[bucket] = taken;
      for (int i = from; i < to; i++) {
        if (bucket >= firstStored && i - from < geometry.slots()) {
          sorted[taken++] = sorted[i];
        } else {
          waiting[left++] = sorted[i];
        }
      }
      from = to;
    }
    start[width] = taken;
    waitingCount = left;
  }

  /** Addresses of the blocks of the level, bucket after bucket. */
  int[] blocks() {
    return sorted;
  }

  /**
   * Where the blocks of a bucket begin in {@link #blocks}; those of the next begin where they end.
   */
  int start(int bucket) {
    return start[bucket];
  }

  /** Addresses of the blocks that found no place yet: the first {@link #waitingCount}. */
  int[] waiting() {
    return waiting;
  }

  int waitingCount() {
    return waitingCount;
  }

  int label(int address) {
    return labels[address];
  }
}
