package io.github.roram.tree;

import io.github.roram.store.BucketRuns;
import io.github.roram.store.IoPhase;
import java.io.IOException;

/**
 * A walk over a tree whose levels are logs: each level in the order in which evictions wrote it.
 */
final class LogWalk implements BucketWalk {

  private final RangeTree tree;
  private final TreeGeometry geometry;
  private final int mostBuckets;

  /** Whether parts are counted from where a level would begin that was written all over. */
  private final boolean fromWhole;

  private final long end;
  private final BucketRuns runs = new BucketRuns();
  private int level;
  private long first;
  private int count;

  private LogWalk(RangeTree tree, int mostBuckets, boolean fromWhole) {
    this.tree = tree;
    this.mostBuckets = mostBuckets;
    this.fromWhole = fromWhole;
    geometry = tree.geometry();
    end = tree.schedule().evictions();
    enter(geometry.treetopLevels());
  }

  /** Returns a walk that reads. */
  static LogWalk reading(RangeTree tree) {
    return new LogWalk(tree, bucketsOfRequest(tree), false);
  }

  /**
   * Returns a walk that writes what it has read: one or several groups of buckets that the store
   * keeps together.
   */
  static LogWalk rekeyed(RangeTree tree) {
    int whole = Integer.highestOneBit(bucketsOfRequest(tree));
    return new LogWalk(tree, Math.max(whole, tree.unit()), true);
  }

  private static int bucketsOfRequest(RangeTree tree) {
    return Math.max(1, REQUEST_BYTES / tree.descriptor().sealedBytes());
  }

  private void enter(int newLevel) {
    level = newLevel;
    first = end - (fromWhole ? 1L << level : written(level));
    count = 0;
  }

  /** Returns the number of buckets of a level that were ever written. */
  private long written(int ofLevel) {
    return Math.min(1L << ofLevel, end - geometry.since(ofLevel));
  }

  @Override
  public long bytes() {
    long buckets = 0;
    for (int ofLevel = geometry.treetopLevels(); ofLevel <= geometry.height(); ofLevel++) {
      // A level is written from its first bucket on.
      buckets += Math.max(0, written(ofLevel) - geometry.firstStored(ofLevel));
    }
    return buckets * tree.descriptor().sealedBytes();
  }

  @Override
  public boolean next() {
    first = geometry.nextStored(level, first + count);
    while (first >= end) {
      if (level == geometry.height()) {
        count = 0;
        return false;
      }
      enter(level + 1);
    }
    long last = Math.min(end, geometry.endOfStored(level, first));
    count = (int) Math.min(mostBuckets, last - first);
    runs.reset(IoPhase.META, geometry.tree(), tree.descriptor().sealedBytes());
    tree.versions().addRun(runs, level, first, count);
    return true;
  }

  @Override
  public int level() {
    return level;
  }

  @Override
  public String place() {
    return "level " + level + ", evictions " + first + " to " + (first + count - 1);
  }

  @Override
  public long partBytes() {
    return (long) count * tree.descriptor().sealedBytes();
  }

  @Override
  public int written() {
    return runs.units();
  }

  @Override
  public boolean hidesOthers() {
    return false;
  }

  /** Returns the eviction of the part that wrote the bucket. */
  @Override
  public long version(int bucket) {
    return first + geometry.bucket(bucket - first, level);
  }

  @Override
  public void read(BucketWalk.Visitor visitor) throws IOException {
    tree.memory()
        .show(
            runs,
            sink -> tree.buckets().read(runs, sink),
            visitor.ofUnits(unit -> geometry.bucket(runs.eviction(unit), level)));
  }

  @Override
  public void write(byte[] sealed, int epoch) throws IOException {
    int bucketBytes = runs.bucketBytes();
    BucketRuns renewed = new BucketRuns().reset(IoPhase.META, geometry.tree(), bucketBytes);
    renewed.add(level, runs.eviction(0), runs.units(), epoch);
    tree.buckets()
        .write(
            renewed,
            (firstUnit, units) -> units.put(sealed, firstUnit * bucketBytes, units.remaining()));
    tree.buckets().sync();
  }
}
