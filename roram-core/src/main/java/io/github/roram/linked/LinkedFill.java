package io.github.roram.linked;

import io.github.roram.bucket.PlainBucket;
import io.github.roram.store.IoPhase;
import io.github.roram.tree.BucketMemory;
import io.github.roram.tree.WholeTree;
import java.io.IOException;

/** A bulk load of a linked tree: each bucket of a level gets a version of its own. */
final class LinkedFill implements WholeTree.Fill {

  private final LinkedTree tree;
  private final int epoch;
  private final BucketBatch batch = new BucketBatch();

  /** A load that seals in an epoch that is held. */
  LinkedFill(LinkedTree tree, int epoch) {
    this.tree = tree;
    this.epoch = epoch;
  }

  @Override
  public long write(int level, int firstBucket, int count, WholeTree.Buckets source)
      throws IOException {
    batch.reset(IoPhase.BULK_LOAD, tree.geometry().tree(), tree.descriptor().sealedBytes());
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
      long version = leaf ? LinkedTree.NEVER : tree.loadedVersion(epoch, bucket + (side << level));
      PlainBucket.setLink(plain, offset + Long.BYTES * side, version);
    }
  }

  @Override
  public void done() {
    tree.loaded(epoch);
  }
}
