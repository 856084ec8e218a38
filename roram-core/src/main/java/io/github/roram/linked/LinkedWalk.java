package io.github.roram.linked;

import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.store.ExtentBatch;
import io.github.roram.tree.BucketWalk;
import io.github.roram.tree.TreeGeometry;
import java.io.IOException;
import java.util.function.IntUnaryOperator;

/**
 * A walk over a linked tree, from the versions that the client holds: every bucket with the version
 * that its parent names. Below a bucket that was refused, or not read, nothing is known, and
 * nothing is read.
 */
final class LinkedWalk implements BucketWalk {

  /** The version of a bucket whose parent could not be opened. */
  private static final long UNKNOWN = -1;

  private final LinkedTree tree;
  private final TreeGeometry geometry;
  private final int most;
  private int level;
  private int first;
  private int count;

  /** Those of the part that are read. */
  private BucketBatch written = new BucketBatch();

  /** Versions of the level at hand. */
  private long[] versions;

  /** Versions of the level below, as far as they are known. */
  private long[] children;

  /** A walk that reads, and may write what it read sealed anew. */
  LinkedWalk(LinkedTree tree) {
    this.tree = tree;
    geometry = tree.geometry();
    most = Math.max(1, REQUEST_BYTES / tree.descriptor().sealedBytes());
    level = geometry.treetopLevels();
    versions = tree.topVersions();
    children = newChildren();
  }

  /** Those that were never written included. */
  @Override
  public long bytes() {
    long buckets = 2L * geometry.leaves() - (1L << geometry.treetopLevels());
    return buckets * tree.descriptor().sealedBytes();
  }

  private long[] newChildren() {
    return new long[level < geometry.height() ? 2 * versions.length : 0];
  }

  @Override
  public boolean next() {
    first += count;
    if (first == versions.length) {
      if (level == geometry.height()) {
        count = 0;
        return false;
      }
      level++;
      first = 0;
      versions = children;
      children = newChildren();
    }
    count = Math.min(most, versions.length - first);
    for (int bucket = first; bucket < first + count; bucket++) {
      // Until it is opened its children are not known; if it was never written they were not.
      long child = versions[bucket] == LinkedTree.NEVER ? LinkedTree.NEVER : UNKNOWN;
      setChildren(bucket, child, child);
    }
    written = tree.written(level, first, count, versions);
    return true;
  }

  private void setChildren(int bucket, long left, long right) {
    if (children.length > 0) {
      children[bucket] = left;
      children[bucket + versions.length] = right;
    }
  }

  @Override
  public int level() {
    return level;
  }

  @Override
  public String place() {
    return "level " + level + ", buckets " + first + " to " + (first + count - 1);
  }

  @Override
  public long partBytes() {
    return (long) count * tree.descriptor().sealedBytes();
  }

  @Override
  public int written() {
    return written.names().units();
  }

  @Override
  public boolean hidesOthers() {
    return level < geometry.height();
  }

  @Override
  public long version(int bucket) {
    return versions[bucket];
  }

  @Override
  public void read(BucketWalk.Visitor visitor) throws IOException {
    tree.memory()
        .show(
            written.names(),
            bucketOf(),
            sink -> tree.store().read(written.extents(), sink),
            new BucketWalk.Visitor() {
              @Override
              public void opened(int bucket, byte[] plain) {
                takeLinks(bucket, plain);
                visitor.opened(bucket, plain);
              }

              @Override
              public void refused(int bucket, IntegrityException reason) {
                visitor.refused(bucket, reason);
              }
            });
  }

  /** The numbers of the buckets that are read, by their units. */
  private IntUnaryOperator bucketOf() {
    int[] buckets = new int[written()];
    int units = 0;
    for (int bucket = first; bucket < first + count; bucket++) {
      if (versions[bucket] > LinkedTree.NEVER) {
        buckets[units++] = bucket;
      }
    }
    return unit -> buckets[unit];
  }

  private void takeLinks(int bucket, byte[] plain) {
    int link = tree.descriptor().linkOffset();
    setChildren(bucket, PlainBucket.link(plain, link), PlainBucket.link(plain, link + Long.BYTES));
  }

  /** Which buckets the next level has, and of which versions, is said by this one. */
  @Override
  public void readRenewed(BucketCodec renewed) throws IOException {
    IntUnaryOperator buckets = bucketOf();
    byte[] plain = new byte[tree.descriptor().plainBytes()];
    tree.store()
        .read(
            written.extents(),
            (firstUnit, units) -> {
              for (int unit = firstUnit; units.hasRemaining(); unit++) {
                long version = written.names().eviction(unit);
                renewed.open(units, plain, geometry.tree(), level, version, BucketCodec.ANY_EPOCH);
                takeLinks(buckets.applyAsInt(unit), plain);
              }
            });
  }

  /** Versions stay, in whatever epoch; places that are not current are left as they are. */
  @Override
  public void write(byte[] sealed, int epoch) throws IOException {
    ExtentBatch places = written.extents();
    tree.store()
        .write(
            places,
            (firstUnit, units) ->
                units.put(sealed, firstUnit * places.unitBytes(), units.remaining()));
    tree.store().sync();
  }
}
