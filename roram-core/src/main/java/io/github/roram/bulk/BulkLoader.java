package io.github.roram.bulk;

import io.github.roram.ConfigurationException;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.WholeTree;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Fills empty trees with the blocks of a channel, writing every bucket of a tree once, level by
 * level and in order.
 *
 * <h2>Security</h2>
 *
 * Every stored bucket is written once, in requests that follow from the configuration and the
 * memory alone: neither labels nor the source show in them. The labels are the pseudorandom ones of
 * ranges that were never accessed, so the first access to each shows a label that nothing was told
 * about.
 */
public final class BulkLoader {

  private static final int BATCH_BUCKETS = 1024;

  private final BulkBlocks blocks;
  private final LongConsumer progressBytes;

  /**
   * Creates a loader of one source.
   *
   * @param descriptor the layout of some tree's buckets: all layouts have blocks of this size
   */
  public BulkLoader(
      SeekableByteChannel source,
      long memoryBytes,
      BucketDescriptor descriptor,
      LongConsumer progressBytes)
      throws IOException {
    this.blocks =
        new BulkBlocks(
            source, descriptor.storedBlockBytes(), descriptor.blockBytes() > 0, memoryBytes);
    this.progressBytes = progressBytes;
  }

  /** Fills trees, one after another. */
  public void loadAll(List<? extends WholeTree> targets) throws IOException {
    for (WholeTree target : targets) {
      load(target);
    }
  }

  /** Fills one tree. If it fails, the tree is as empty as before. */
  private void load(WholeTree target) throws IOException {
    new Load(target).run();
  }

  /** The load of one tree. */
  private final class Load {
    private final WholeTree target;
    private final TreeGeometry geometry;
    private final BucketDescriptor descriptor;
    private final Plan plan;
    private final WholeTree.Fill fill;

    /** Buckets of a request. */
    private final int batchBuckets;

    /** Buckets whose blocks are held at once: whole requests. */
    private final int groupBuckets;

    Load(WholeTree target) throws IOException {
      this.target = target;
      geometry = target.geometry();
      descriptor = target.descriptor();
      int fitting = Math.max(1, blocks.groupBlocks() / descriptor.slots());
      int unit = target.unit();
      if (fitting < unit) {
        throw new ConfigurationException(
            "the memory of the bulk load holds the blocks of "
                + fitting
                + " buckets, and the store keeps "
                + unit
                + " together; give it "
                + (unit + fitting - 1) / fitting
                + " times as much");
      }
      int most = Math.max(unit, Math.min(BATCH_BUCKETS, fitting));
      batchBuckets = most - most % unit;
      groupBuckets = fitting - fitting % batchBuckets;
      plan = new Plan(geometry, blocks.blocks(), target);
      fill = target.startFill();
    }

    void run() throws IOException {
      for (int level = geometry.height(); level >= geometry.treetopLevels(); level--) {
        plan.fill(level);
        writeLevel(level);
      }
      blocks.keep(plan.waiting(), plan.waitingCount(), plan::label, target.stash());
      fill.done();
    }

    /**
     * Writes a level in groups of buckets, several requests a group. All groups have as many
     * buckets as fit the memory when they are full: how full they are follows from the labels, and
     * must show neither in the requests nor in where they pause for the source to be read.
     */
    private void writeLevel(int level) throws IOException {
      int width = 1 << level;
      for (int first = geometry.firstStored(level); first < width; first += groupBuckets) {
        int end = Math.min(width, first + groupBuckets);
        int groupStart = plan.start(first);
        blocks.gather(plan.blocks(), groupStart, plan.start(end));
        for (int bucket = first; bucket < end; bucket += batchBuckets) {
          int count = Math.min(batchBuckets, end - bucket);
          int firstBucket = bucket;
          progressBytes.accept(
              fill.write(
                  level,
                  bucket,
                  count,
                  (unit, plain) -> assemble(firstBucket + unit, groupStart, plain)));
        }
      }
    }

    private void assemble(int bucket, int groupStart, byte[] plain) {
      int start = plan.start(bucket);
      int used = plan.start(bucket + 1) - start;
      for (int slot = 0; slot < descriptor.slots(); slot++) {
        if (slot >= used) {
          PlainBucket.setEmpty(plain, slot);
          continue;
        }
        int address = plan.blocks()[start + slot];
        PlainBucket.setSlot(plain, slot, address, plan.label(address));
        blocks.copy(address, start + slot - groupStart, plain, descriptor.dataOffset(slot));
      }
    }
  }

  /**
   * Which block goes into which bucket when a tree is filled at once: each level, from the leaves
   * up, takes what fits, and leaves the rest to the next.
   */
  private static final class Plan {

    private final TreeGeometry geometry;
    private final int[] labels;
    private int[] waiting;
    private int waitingCount;
    private int[] sorted;
    private final int[] start;

    Plan(TreeGeometry geometry, int blocks, WholeTree target) {
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
     * Returns where the blocks of a bucket begin in {@link #blocks}; those of the next begin where
     * they end.
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
}
