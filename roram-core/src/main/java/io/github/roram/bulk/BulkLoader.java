package io.github.roram.bulk;

import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.store.BlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.tree.BucketBatch;
import io.github.roram.tree.BulkTarget;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.Workspace;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
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
  private final Workspace workspace;
  private final BlockStore store;
  private final LongConsumer progressBytes;
  private final byte[] plain;

  /** Buckets of a request. */
  private final int batchBuckets;

  /** Buckets whose blocks are held at once: whole requests. */
  private final int groupBuckets;

  /** A loader of one source into trees that share a workspace. */
  public BulkLoader(
      SeekableByteChannel source,
      long memoryBytes,
      Workspace workspace,
      BlockStore store,
      LongConsumer progressBytes)
      throws IOException {
    BucketDescriptor descriptor = workspace.codec().descriptor();
    this.blocks =
        new BulkBlocks(
            source, descriptor.storedBlockBytes(), descriptor.blockBytes() > 0, memoryBytes);
    this.workspace = workspace;
    this.store = store;
    this.progressBytes = progressBytes;
    this.plain = new byte[descriptor.plainBytes()];
    int fitting = Math.max(1, blocks.groupBlocks() / descriptor.slots());
    batchBuckets = Math.min(BATCH_BUCKETS, fitting);
    groupBuckets = fitting - fitting % batchBuckets;
  }

  /** Fills trees, one after another. */
  public void loadAll(List<? extends BulkTarget> targets) throws IOException {
    for (BulkTarget target : targets) {
      load(target);
    }
  }

  /** Fills one tree. If it fails, the tree is as empty as before. */
  private void load(BulkTarget target) throws IOException {
    TreeGeometry geometry = target.geometry();
    BulkPlan plan = new BulkPlan(geometry, blocks.blocks(), target);
    for (int level = geometry.height(); level >= geometry.treetopLevels(); level--) {
      plan.fill(level);
      writeLevel(target, plan, level);
    }
    keepWaiting(target, plan);
    target.loaded();
  }

  /** The blocks that no stored bucket took stay with the client. */
  private void keepWaiting(BulkTarget target, BulkPlan plan) throws IOException {
    int[] waiting = plan.waiting();
    for (int first = 0; first < plan.waitingCount(); first += blocks.groupBlocks()) {
      int end = Math.min(plan.waitingCount(), first + blocks.groupBlocks());
      blocks.gather(waiting, first, end);
      for (int i = first; i < end; i++) {
        int slot = target.stash().put(waiting[i], plan.label(waiting[i]));
        blocks.copy(waiting[i], i - first, target.stash().array(slot), target.stash().offset(slot));
      }
    }
  }

  /**
   * Writes a level in groups of buckets, several requests a group. All groups have as many buckets
   * as fit the memory when they are full: how full they are follows from the labels, and must show
   * neither in the requests nor in where they pause for the source to be read.
   */
  private void writeLevel(BulkTarget target, BulkPlan plan, int level) throws IOException {
    int width = 1 << level;
    for (int first = 0; first < width; first += groupBuckets) {
      int end = Math.min(width, first + groupBuckets);
      blocks.gather(plan.blocks(), plan.start(first), plan.start(end));
      for (int bucket = first; bucket < end; bucket += batchBuckets) {
        int count = Math.min(batchBuckets, end - bucket);
        writeBuckets(target, plan, level, first, bucket, count);
      }
    }
  }

  private void writeBuckets(
      BulkTarget target, BulkPlan plan, int level, int groupStart, int firstBucket, int count)
      throws IOException {
    int tree = target.geometry().tree();
    BucketBatch batch = workspace.batch();
    batch.reset(IoPhase.BULK_LOAD, tree, workspace.codec().descriptor().sealedBytes());
    target.addBuckets(batch, level, firstBucket, count);
    workspace.write(
        store,
        (firstUnit, units) -> {
          for (int unit = firstUnit; units.hasRemaining(); unit++) {
            assemble(plan, firstBucket + unit, plan.start(groupStart));
            target.putLinks(plain, level, firstBucket + unit);
            workspace.codec().seal(plain, tree, level, batch.eviction(unit), units);
          }
        });
    progressBytes.accept(batch.extents().bytes());
  }

  private void assemble(BulkPlan plan, int bucket, int groupBase) {
    BucketDescriptor descriptor = workspace.codec().descriptor();
    int start = plan.start(bucket);
    int used = plan.start(bucket + 1) - start;
    for (int slot = 0; slot < descriptor.slots(); slot++) {
      if (slot >= used) {
        PlainBucket.setEmpty(plain, slot);
        continue;
      }
      int address = plan.blocks()[start + slot];
      PlainBucket.setSlot(plain, slot, address, plan.label(address));
      blocks.copy(address, start + slot - groupBase, plain, descriptor.dataOffset(slot));
    }
  }
}
