package io.github.roram.tree;

import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.stash.Stash;
import java.io.IOException;

/**
 * A tree as seen by operations on the whole of it: an audit, a scan, a bulk load, a change of keys.
 * Kinds of trees differ in where they keep the versions of buckets: {@link RangeTree} has logs,
 * whose versions follow from a counter; linked trees name them in the parent bucket.
 */
public interface WholeTree {

  /** Returns the shape. */
  TreeGeometry geometry();

  /** Returns the layout of its buckets. */
  BucketDescriptor descriptor();

  /**
   * Returns the blocks of the tree that the client holds, which are newer than the copies in
   * buckets.
   */
  Stash stash();

  /**
   * Returns how many buckets of a level the store keeps together; they belong to consecutive
   * evictions.
   */
  default int unit() {
    return 1;
  }

  /** Returns a walk over all written buckets; the tree must not change before the walk is done. */
  BucketWalk walk();

  /**
   * Returns the same walk in the parts that a change of keys writes and counts: to change the
   * parts, change the format of its record.
   */
  default BucketWalk rekeyedWalk() {
    return walk();
  }

  /** Returns what tells, during a walk, which copies are current, as far as the client knows. */
  Liveness.RootFirst copies();

  /**
   * Returns the present label of a copy in a bucket; it differs from the written one if the tree
   * was lower when the bucket was written.
   *
   * @param version version of the bucket
   */
  default int labelNow(int address, int written, long version) {
    return written;
  }

  /** Returns whether the client may hold a block under this label. */
  boolean isHeldUnder(int address, int label);

  /** Returns whether a bucket may have copies that are not current. */
  boolean mayHaveStale(int level, int bucket);

  /** Returns the label of a block in a tree that was never accessed. */
  int label(int address);

  /**
   * Begins to fill the tree, which was never accessed; the stash gets the blocks that fit no bucket
   * below the treetop. A fill that fails leaves the tree as it was; the next one must then seal in
   * a new epoch.
   */
  Fill startFill() throws IOException;

  /** A bulk load of one tree: every stored bucket is written once. */
  interface Fill {

    /**
     * Writes consecutive buckets of a level in one request.
     *
     * @param source assembles them, on several threads; unit 0 is {@code firstBucket}
     * @return number of bytes written
     */
    long write(int level, int firstBucket, int count, Buckets source) throws IOException;

    /** Called when every stored bucket of the tree has been written. */
    void done();
  }

  /** Assembles the buckets of a fill's request. */
  @FunctionalInterface
  interface Buckets {

    /** Fills in a bucket, except for its links and tombstones. */
    void fill(int unit, byte[] plain);
  }
}
