package io.github.roram.tree;

import io.github.roram.store.IoPhase;
import java.util.Arrays;

/**
 * Where a tree lies on the store: every level below the treetop is a log (construction, section
 * 2.3).
 *
 * <p>Level j is a ring of {@code 2^j + S} buckets; eviction t writes its bucket of level j at ring
 * position {@code t mod (2^j + S)}. Bucket b is therefore where the last t ≡ b (mod 2^j) put it, a
 * batch of evictions writes one forward run a level, and the version before last stays intact for S
 * more evictions. The rORAM paper (§IV-B) has S = 0 in effect: buckets at fixed places.
 *
 * <p>Levels follow one another, the uppermost stored one first.
 */
public final class LevelLog {

  private final TreeGeometry geometry;
  private final int slack;
  private final int bucketBytes;
  private final long[] start;

  /**
   * The layout of a tree.
   *
   * @param slackBuckets S
   * @param bucketBytes bytes of a sealed bucket
   * @param base byte offset of the tree in the store
   */
  public LevelLog(TreeGeometry geometry, int slackBuckets, int bucketBytes, long base) {
    this.geometry = geometry;
    this.slack = slackBuckets;
    this.bucketBytes = bucketBytes;
    start = new long[geometry.height() + 2];
    long next = base;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      start[level] = next;
      next += ring(level) * bucketBytes;
    }
    start[geometry.height() + 1] = next;
  }

  /** Byte offset of what comes after the tree. */
  public long end() {
    return start[geometry.height() + 1];
  }

  /** S: the versions before stay whole for so many evictions. */
  public int slack() {
    return slack;
  }

  /** Number of bucket places of a level. */
  long ring(int level) {
    return (1L << level) + slack;
  }

  /** Bytes of a sealed bucket. */
  int bucketBytes() {
    return bucketBytes;
  }

  /** Starts a batch on this tree. */
  void begin(BucketBatch batch, IoPhase phase) {
    batch.reset(phase, geometry.tree(), bucketBytes);
  }

  /**
   * Adds the buckets of a level that evictions {@code [eviction, eviction + count)} wrote or will
   * write. Those before eviction 2^h were never written: they are empty and left out, which shows
   * nothing that the counter does not show.
   */
  public void addRun(BucketBatch batch, int level, long eviction, int count) {
    long first = Math.max(eviction, geometry.leaves());
    int remaining = (int) (eviction + count - first);
    long ring = ring(level);
    while (remaining > 0) {
      long position = first % ring;
      int run = (int) Math.min(remaining, ring - position);
      batch.add(level, first, start[level] + position * bucketBytes, run);
      first += run;
      remaining -= run;
    }
  }

  /**
   * Adds the current versions of the buckets that several runs of paths meet, each bucket once, the
   * levels nearer the root first: at most three extents a level and run (it may break where the
   * counter stands and where the ring ends).
   *
   * @param labels where the runs start: each has the labels {@code [label, label + count)}
   * @param evictions cnt, the number of evictions done
   */
  public void addPaths(BucketBatch batch, int[] labels, int count, long evictions) {
    int[] starts = new int[labels.length];
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      int width = 1 << level;
      for (int run = 0; run < labels.length; run++) {
        starts[run] = labels[run] & (width - 1);
      }
      if (count >= width) {
        addBuckets(batch, level, starts[0], width, evictions);
      } else {
        addUnion(batch, level, starts, count, evictions);
      }
    }
  }

  /** Adds each bucket once that one of several cyclic runs of a level has, shorter than it. */
  private void addUnion(BucketBatch batch, int level, int[] starts, int count, long evictions) {
    Arrays.sort(starts);
    int width = 1 << level;
    // The run that starts last goes furthest beyond the level's end, and so on from its beginning.
    int next = Math.max(0, starts[starts.length - 1] + count - width);
    int first = next;
    for (int start : starts) {
      if (start > next) {
        addBuckets(batch, level, first, next - first, evictions);
        first = start;
      }
      next = Math.max(next, start + count);
    }
    addBuckets(batch, level, first, next - first, evictions);
  }

  /** Adds the current versions of consecutive buckets, beyond the level's end from its start on. */
  private void addBuckets(
      BucketBatch batch, int level, int firstBucket, int count, long evictions) {
    int width = 1 << level;
    int bucket = firstBucket & (width - 1);
    int remaining = count;
    while (remaining > 0) {
      long eviction = lastEviction(bucket, level, evictions);
      // Consecutive buckets were written by consecutive evictions until the counter is met.
      int run = (int) Math.min(remaining, evictions - eviction);
      addRun(batch, level, eviction, run);
      bucket = (bucket + run) & (width - 1);
      remaining -= run;
    }
  }

  /** The last eviction before {@code evictions} that wrote a bucket of a level. */
  static long lastEviction(int bucket, int level, long evictions) {
    long last = evictions - 1;
    return last - ((last - bucket) & ((1L << level) - 1));
  }
}
