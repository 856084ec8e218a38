package io.github.roram.tree;

import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.stash.Stash;
import java.io.IOException;

/**
 * A tree as those see it who go over the whole of it: an audit, a scan, a bulk load, a change of
 * keys. What differs between kinds of trees is where versions of buckets are kept: {@link
 * RangeTree} has logs, whose versions follow from a counter; linked trees name them in the bucket
 * above.
 */
public interface WholeTree {

  /** Returns the shape. */
  TreeGeometry geometry();

  /** Returns the layout of its buckets. */
  BucketDescriptor descriptor();

  /** Returns what the client holds of it: copies that are newer than those in the buckets. */
  Stash stash();

  /** Returns how many buckets of a level its store keeps together: those of so many evictions. */
  default int unit() {
    return 1;
  }

  /** A walk over all that was ever written; the tree must not change before it is done. */
  BucketWalk walk();

  /**
   * The same in the parts in which a change of keys writes them, which it counts: where others are
   * to be made, its record gets another format.
   */
  default BucketWalk rekeyedWalk() {
    return walk();
  }

  /** Tells those who walk which copies are current, as far as the client knows. */
  Liveness.RootFirst copies();

  /**
   * The label that a copy has now which is in a bucket under one: another where the tree was lower
   * when the bucket was written.
   *
   * @param version of the bucket
   */
  default int labelNow(int address, int written, long version) {
    return written;
  }

  /** Returns whether the client may hold a block under this label. */
  boolean isHeldUnder(int address, int label);

  /** Returns whether a bucket may have copies that are not current. */
  boolean mayHaveStale(int level, int bucket);

  /** The label of a block, in a tree that was never accessed. */
  int label(int address);

  /**
   * Begins to fill the tree, which was never accessed; the stash gets the blocks that fit no bucket
   * below the treetop. A fill that fails leaves the tree as it was; the next one must then seal in
   * a new epoch.
   */
  Fill startFill() throws IOException;

  /** A bulk load of one tree, under way: every stored bucket is written once. */
  interface Fill {

    /**
     * Writes consecutive buckets of a level in one request.
     *
     * @param source puts them together, on several threads; unit 0 is {@code firstBucket}
     * @return bytes that were written
     */
    long write(int level, int firstBucket, int count, Buckets source) throws IOException;

    /** Every stored bucket of the tree was written. */
    void done();
  }

  /** Puts together the buckets of a request of a fill. */
  @FunctionalInterface
  interface Buckets {

    /** Fills in a bucket, all of it but links and tombstones. */
    void fill(int unit, byte[] plain);
  }
}
