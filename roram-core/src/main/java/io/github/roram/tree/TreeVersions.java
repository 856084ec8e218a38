package io.github.roram.tree;

import io.github.roram.engine.StoreLog;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import java.util.Arrays;
import java.util.List;

/**
 * Which version of each bucket is current, a function of the counter (construction, section 2.3):
 * with cnt evictions done, bucket b of level j is as the last eviction t &lt; cnt with t ≡ b (mod
 * 2^j) wrote it, in the key epoch of that eviction. Names buckets; where they lie is the store's
 * affair.
 */
final class TreeVersions {

  private final TreeGeometry geometry;
  private final EpochHistory epochs;

  /** Creates the versions of a tree whose evictions had these epochs. */
  TreeVersions(TreeGeometry geometry, EpochHistory epochs) {
    this.geometry = geometry;
    this.epochs = epochs;
  }

  /**
   * Adds the buckets of a level that evictions {@code [eviction, eviction + count)} wrote. Those
   * before the level's first one were never written: they are empty and left out, which shows
   * nothing that the counter does not show. Left out are also those that the client holds.
   */
  void addRun(BucketRuns runs, int level, long eviction, int count) {
    long end = eviction + count;
    long first = Math.max(eviction, geometry.since(level));
    while (first < end) {
      long next = Math.min(end, epochs.endOfEpoch(first));
      addStored(runs, level, first, (int) (next - first), epochs.epochOf(first));
      first = next;
    }
  }

  /** Adds those of consecutive buckets of a level which are stored, whatever was written there. */
  void addStored(BucketRuns runs, int level, long eviction, int count, int epoch) {
    long end = eviction + count;
    long first = geometry.nextStored(level, eviction);
    while (first < end) {
      long next = Math.min(end, geometry.endOfStored(level, first));
      runs.add(level, first, (int) (next - first), epoch);
      first = geometry.nextStored(level, next);
    }
  }

  /**
   * Returns a level as a log.
   *
   * @param offset byte of the store where it begins
   */
  StoreLog log(int level, long offset, long places, int bucketBytes, long evictions) {
    long first = Math.max(geometry.since(level), evictions - (1L << level));
    return new StoreLog(
        "t" + geometry.tree() + "-l" + level,
        offset,
        places,
        bucketBytes,
        first,
        evictions,
        epochs.spans(first, evictions));
  }

  /** Returns which buckets are current after this many evictions; later ones do not change that. */
  BucketStore.Current current(long evictions) {
    List<StoreLog.Span> spans = epochs.spans(evictions - geometry.leaves(), evictions);
    return (tree, level, first, count, epoch) -> {
      long from = Math.max(first, evictions - (1L << level));
      return spans.stream()
          .anyMatch(
              span ->
                  span.epoch() == epoch
                      && Math.max(from, span.first()) < Math.min(first + count, span.end()));
    };
  }

  /**
   * Adds the current versions of the buckets that several runs of paths meet, each bucket once, the
   * levels nearer the root first: at most two runs of evictions a level and run of paths (it may
   * break where the counter stands).
   *
   * @param labels where the runs start: each has the labels {@code [label, label + count)}
   * @param evictions cnt, the number of evictions done
   */
  void addPaths(BucketRuns runs, int[] labels, int count, long evictions) {
    int[] starts = new int[labels.length];
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      int width = 1 << level;
      for (int run = 0; run < labels.length; run++) {
        starts[run] = labels[run] & (width - 1);
      }
      if (count >= width) {
        addBuckets(runs, level, starts[0], width, evictions);
      } else {
        addUnion(runs, level, starts, count, evictions);
      }
    }
  }

  /** Adds each bucket once that one of several cyclic runs of a level has, shorter than it. */
  private void addUnion(BucketRuns runs, int level, int[] starts, int count, long evictions) {
    Arrays.sort(starts);
    int width = 1 << level;
    // The run that starts last goes furthest beyond the level's end, and so on from its beginning.
    int next = Math.max(0, starts[starts.length - 1] + count - width);
    int first = next;
    for (int start : starts) {
      if (start > next) {
        addBuckets(runs, level, first, next - first, evictions);
        first = start;
      }
      next = Math.max(next, start + count);
    }
    addBuckets(runs, level, first, next - first, evictions);
  }

  /** Adds the current versions of consecutive buckets, beyond the level's end from its start on. */
  private void addBuckets(BucketRuns runs, int level, int firstBucket, int count, long evictions) {
    int width = 1 << level;
    int bucket = firstBucket & (width - 1);
    int remaining = count;
    while (remaining > 0) {
      long eviction = lastEviction(bucket, level, evictions);
      // Consecutive buckets were written by consecutive evictions until the counter is met.
      int run = (int) Math.min(remaining, evictions - eviction);
      addRun(runs, level, eviction, run);
      bucket = (bucket + run) & (width - 1);
      remaining -= run;
    }
  }

  /** Returns the last eviction before {@code evictions} that wrote a bucket of a level. */
  private static long lastEviction(int bucket, int level, long evictions) {
    long last = evictions - 1;
    return last - ((last - bucket) & ((1L << level) - 1));
  }
}
