package io.github.roram.linked;

import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.tree.BucketMemory;
import io.github.roram.tree.BucketWalk;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.WholeTree;
import java.io.IOException;
import java.util.function.IntUnaryOperator;

/**
 * A walk over a linked tree from the versions that the client holds: every bucket is opened with
 * the version that its parent names. The children of a bucket that was refused or not read are
 * unknown, and are not read. {@link Fill} writes what such a walk reads.
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

  /** The buckets of the current part that were ever written, which are read. */
  private Batch written;

  /** Versions of the current level. */
  private long[] versions;

  /** Versions of the level below, as far as they are known. */
  private long[] children;

  /** Creates a walk that reads, and can write what it read, sealed anew. */
  LinkedWalk(LinkedTree tree) {
    this.tree = tree;
    geometry = tree.geometry();
    most = Math.max(1, REQUEST_BYTES / tree.descriptor().sealedBytes());
    level = geometry.treetopLevels();
    versions = tree.topVersions();
    children = newChildren();
    written = batch(IoPhase.META, tree);
  }

  private static Batch batch(IoPhase phase, LinkedTree tree) {
    return new Batch(phase, tree.geometry().tree(), tree.descriptor().sealedBytes());
  }

  /** Counts buckets that were never written, too. */
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
      // Until the bucket is opened its children are unknown; if it was never written, nor were
      // they.
      long child = versions[bucket] == LinkedTree.NEVER ? LinkedTree.NEVER : UNKNOWN;
      setChildren(bucket, child, child);
    }
    written = batch(IoPhase.META, tree);
    for (int bucket = first; bucket < first + count; bucket++) {
      if (versions[bucket] > LinkedTree.NEVER) {
        written.add(level, versions[bucket], tree.offset(level, bucket));
      }
    }
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
            }.ofUnits(bucketOf()));
  }

  /** Returns the numbers of the buckets that are read, by unit. */
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

  /** Reads the links as well, since they name the versions of the next level. */
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

  /** Keeps the versions, whatever the epoch; places that are not current are left as they are. */
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

  /** A bulk load of a linked tree, which gives each bucket a version unique in its level. */
  static final class Fill implements WholeTree.Fill {

    private final LinkedTree tree;
    private final int epoch;

    /** Creates a load that seals in an epoch that is held. */
    Fill(LinkedTree tree, int epoch) {
      this.tree = tree;
      this.epoch = epoch;
    }

    @Override
    public long write(int level, int firstBucket, int count, WholeTree.Buckets source)
        throws IOException {
      Batch batch = batch(IoPhase.BULK_LOAD, tree);
      for (int bucket = firstBucket; bucket < firstBucket + count; bucket++) {
        batch.add(level, tree.loadedVersion(epoch, bucket), tree.offset(level, bucket));
      }
      BucketMemory.Source linked =
          (unit, plain) -> {
            source.fill(unit, plain);
            putLinks(plain, level, firstBucket + unit);
            return plain;
          };
      BucketMemory memory = tree.memory();
      memory
          .epochs()
          .write(
              epoch,
              held ->
                  tree.store().write(batch.extents(), memory.sealing(batch.names(), held, linked)));
      return batch.extents().bytes();
    }

    private void putLinks(byte[] plain, int level, int bucket) {
      boolean leaf = level == tree.geometry().height();
      int offset = tree.descriptor().linkOffset();
      for (int side = 0; side < 2; side++) {
        long version =
            leaf ? LinkedTree.NEVER : tree.loadedVersion(epoch, bucket + (side << level));
        PlainBucket.setLink(plain, offset + Long.BYTES * side, version);
      }
    }

    @Override
    public void done() {
      tree.loaded(epoch);
    }
  }

  /**
   * Buckets at fixed places: their offsets, and the level and version that each must have. No
   * version of a bucket is used in two key epochs, so the names leave the epoch open.
   */
  private static final class Batch {

    private final ExtentBatch extents = new ExtentBatch();
    private final BucketRuns names = new BucketRuns();

    Batch(IoPhase phase, int tree, int bucketBytes) {
      extents.reset(phase, tree, bucketBytes);
      names.reset(phase, tree, bucketBytes);
    }

    /** Appends a bucket. */
    void add(int level, long version, long offset) {
      names.add(level, version, 1, BucketCodec.ANY_EPOCH);
      extents.add(offset, 1);
    }

    /** Returns what goes to the store. */
    ExtentBatch extents() {
      return extents;
    }

    /** Returns what the buckets must be: level and version. */
    BucketRuns names() {
      return names;
    }
  }
}
