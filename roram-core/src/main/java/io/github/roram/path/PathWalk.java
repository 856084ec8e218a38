package io.github.roram.path;

import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.tree.BucketVisitor;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.TreePass;
import java.io.IOException;

/**
 * A pass over all that was ever written of a {@link LinkedTree}, from the versions that the client
 * holds: level by level, every bucket with the version that its parent names. Below a bucket that
 * was refused, or not read, nothing is known, and nothing is read.
 *
 * <h2>Security</h2>
 *
 * The requests are for the buckets that were ever written, as the store saw.
 */
public final class PathWalk {

  /** The version of a bucket whose parent could not be opened. */
  private static final long UNKNOWN = -1;

  private final LinkedTree tree;
  private final TreeGeometry geometry;
  private final BucketDescriptor descriptor;
  private final int most;
  private int level;
  private int first;
  private int count;

  /** Versions of the level at hand. */
  private long[] versions;

  /** Versions of the level below, as far as they are known. */
  private long[] children;

  /** A walk over a tree, which must not change before it is done. */
  public PathWalk(LinkedTree tree) {
    this.tree = tree;
    geometry = tree.geometry();
    descriptor = tree.descriptor();
    most = Math.max(1, TreePass.REQUEST_BYTES / descriptor.sealedBytes());
    level = geometry.treetopLevels();
    versions = tree.topVersions();
    children = newChildren();
  }

  /** Bytes of all buckets that a tree has on the store, those that were never written included. */
  public static long bytes(LinkedTree tree) {
    TreeGeometry geometry = tree.geometry();
    long buckets = 2L * geometry.leaves() - (1L << geometry.treetopLevels());
    return buckets * tree.descriptor().sealedBytes();
  }

  private long[] newChildren() {
    return new long[level < geometry.height() ? 2 * versions.length : 0];
  }

  /** Goes to the next part of a level; false at the end. */
  public boolean next() {
    first += count;
    if (first == versions.length) {
      if (level == geometry.height()) {
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
      setChildren(bucket, versions[bucket] == 0 ? 0 : UNKNOWN, versions[bucket] == 0 ? 0 : UNKNOWN);
    }
    return true;
  }

  private void setChildren(int bucket, long left, long right) {
    if (children.length > 0) {
      children[bucket] = left;
      children[bucket + versions.length] = right;
    }
  }

  /** The level of the part. */
  public int level() {
    return level;
  }

  /** The first bucket of the part. */
  public int first() {
    return first;
  }

  /** Number of buckets of the part. */
  public int count() {
    return count;
  }

  /**
   * Versions of the buckets of the level: 0 for one that was never written, below 0 where it is not
   * known. Not to be changed.
   */
  public long[] versions() {
    return versions;
  }

  /** How many of them are read. */
  public int written() {
    int written = 0;
    for (int bucket = first; bucket < first + count; bucket++) {
      written += versions[bucket] > 0 ? 1 : 0;
    }
    return written;
  }

  /**
   * Reads the part.
   *
   * @throws IOException if the store failed; some buckets may have been visited
   */
  public void read(BucketVisitor visitor) throws IOException {
    tree.readBuckets(
        level,
        first,
        count,
        versions,
        new BucketVisitor() {
          @Override
          public void opened(int bucket, byte[] plain) {
            int link = descriptor.linkOffset();
            setChildren(
                bucket, PlainBucket.link(plain, link), PlainBucket.link(plain, link + Long.BYTES));
            visitor.opened(bucket, plain);
          }

          @Override
          public void refused(int bucket, IntegrityException reason) {
            visitor.refused(bucket, reason);
          }
        });
  }
}
