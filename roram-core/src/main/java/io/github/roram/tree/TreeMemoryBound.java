package io.github.roram.tree;

import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.parameters.TreetopLoad;
import io.github.roram.stash.Stash;

/**
 * The most memory that a client takes for one tree, by its shape.
 *
 * @param geometry the shape
 * @param descriptor layout of its buckets
 * @param load expected number of blocks in its levels
 * @param chunkPaths K: the most paths that are evicted at once
 * @param tombstones whether it has tombstones
 */
public record TreeMemoryBound(
    TreeGeometry geometry,
    BucketDescriptor descriptor,
    TreetopLoad load,
    int chunkPaths,
    boolean tombstones) {

  /** Memory of a block that is placed: its entries in the arrays of a placement, which double. */
  private static final int CANDIDATE_BYTES = 100;

  /**
   * Memory of a tombstone that is placed: as of a block without data, and what is stored by its
   * number.
   */
  private static final int TOMBSTONE_BYTES = 80;

  /**
   * Memory of a bucket of a request: its run, in an array that doubles, and its places in a
   * placement.
   */
  private static final int UNIT_BYTES = 2 * Integer.BYTES;

  /** Memory of a block that has arrived: its place, address and label, in arrays that grow. */
  private static final int ARRIVED_BYTES = 20;

  /**
   * Memory of a tombstone that has arrived: its bucket, address and label, in an array that grows.
   */
  private static final int ARRIVED_TOMBSTONE_BYTES = 20;

  /** Memory of a range that is shown: its labels before and after, and an entry of a map. */
  private static final int SHOWN_BYTES = 40;

  /** Memory of a slice besides its blocks: the runs of its buckets. */
  private static final int SLICE_BYTES = 4 << 10;

  /** Returns the bytes of this many blocks that the client holds, limited to all blocks. */
  public long heldBytes(long blocks) {
    long most = Math.min(blocks, geometry.blocks());
    return most == 0 ? 0 : Stash.mostBytes(most, descriptor.blockBytes());
  }

  /** Returns the bytes of a saved copy of this many blocks. */
  public long copyBytes(long blocks) {
    return Math.min(blocks, geometry.blocks()) * (2 * Integer.BYTES + descriptor.blockBytes());
  }

  /** Returns the bytes of the blocks of a treetop, and of their counters. */
  public long treetopBytes() {
    int blocks = geometry.treetopBlocks();
    return blocks == 0 ? 0 : heldBytes(blocks) + ((long) Integer.BYTES << geometry.treetopLevels());
  }

  /** Returns the number of distinct buckets that a chunk meets. */
  private long chunkBuckets() {
    return geometry.mostBuckets(chunkPaths);
  }

  /** Returns the number of slots of the buckets that a chunk meets. */
  public long chunkSlots() {
    return geometry.slots() * chunkBuckets();
  }

  /**
   * Returns the number of blocks in the buckets of a chunk: their mean if no block is accessed
   * before it leaves the level, as when all are accessed one after another, plus an eighth and
   * eight deviations; at most the number of slots.
   */
  private long chunkBlocks() {
    double mean = 0;
    for (int level = geometry.treetopLevels(); level < geometry.height(); level++) {
      double ofBucket = (double) (load.room(level + 1) - load.room(level)) / (1L << level);
      mean += Math.min(chunkPaths, 1L << level) * Math.min(ofBucket, geometry.slots());
    }
    double ofLeaf = (double) geometry.blocks() / geometry.leaves();
    mean += Math.min(chunkPaths, geometry.leaves()) * Math.min(ofLeaf, geometry.slots());
    double most = mean + mean / 8 + 8 * StrictMath.sqrt(mean);
    return Math.min(geometry.slots() * chunkBuckets(), (long) Math.ceil(most));
  }

  /**
   * Returns the bytes in which a chunk of evictions works.
   *
   * @param heldBlocks most blocks that the client holds
   */
  public long chunkBytes(long heldBlocks) {
    long blocks = chunkBlocks();
    long copied = (blocks + EvictionBuffer.SLAB_BLOCKS) * descriptor.blockBytes();
    long held = Math.min(heldBlocks, geometry.blocks());
    // There are no more tombstones than blocks, and their table has the blocks as well.
    int candidateBytes = CANDIDATE_BYTES + (tombstones ? 2 * TOMBSTONE_BYTES : 0);
    return copied + (blocks + held) * candidateBytes + requestBytes(chunkBuckets());
  }

  /**
   * Returns {@link #chunkBytes} for a chunk that runs concurrently with others, and copies the
   * blocks of the stash that it places.
   */
  public long overlappedChunkBytes(long heldBlocks) {
    return chunkBytes(heldBlocks) + readBytes(chunkPaths);
  }

  /**
   * Returns the bytes of the blocks that arrive for a chunk in slices, which are in memory of whole
   * buckets.
   */
  public long arrivedForChunkBytes() {
    long sliceBuckets = Math.max(1, Slices.SLICE_BYTES / descriptor.sealedBytes());
    long slices = (chunkBuckets() + sliceBuckets - 1) / sliceBuckets;
    long tombstoneBytes = tombstones ? chunkSlots() * ARRIVED_TOMBSTONE_BYTES : 0;
    return slices * SLICE_BYTES + arrivedBytes(chunkBlocks(), slices) + tombstoneBytes;
  }

  /** Returns the bytes of the blocks that arrive for a read of as many paths. */
  public long arrivedForReadBytes(long blocks) {
    return arrivedBytes(blocks, 1) + readBytes(blocks) + blocks * SHOWN_BYTES;
  }

  private long arrivedBytes(long blocks, long requests) {
    long buckets = blocks / descriptor.slots() + requests;
    return buckets * descriptor.plainBytes() + blocks * ARRIVED_BYTES;
  }

  /** Returns the bytes of a request of this many buckets, and of where their slots go. */
  private long requestBytes(long buckets) {
    return buckets * (UNIT_BYTES + (long) geometry.slots() * Integer.BYTES)
        + descriptor.plainBytes();
  }

  /** Returns the bytes of a request that reads this many paths. */
  public long readBytes(long paths) {
    return geometry.mostBuckets(paths) * UNIT_BYTES;
  }
}
