package io.github.roram.tao;

import io.github.roram.bucket.PlainBucket;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.tree.BucketSource;
import io.github.roram.tree.BulkFill;
import java.io.IOException;

/** A bulk load of a TaORAM: each bucket of a level gets a version of its own. */
final class TaoFill implements BulkFill {

  private final TaoTree tree;
  private final int epoch;

  /** A load that seals in an epoch that is held. */
  TaoFill(TaoTree tree, int epoch) {
    this.tree = tree;
    this.epoch = epoch;
  }

  @Override
  public long write(int level, int firstBucket, int count, BucketSource source) throws IOException {
    int treeNumber = tree.geometry().tree();
    int bucketBytes = tree.descriptor().sealedBytes();
    ExtentBatch extents = new ExtentBatch().reset(IoPhase.BULK_LOAD, treeNumber, bucketBytes);
    BucketRuns names = new BucketRuns().reset(IoPhase.BULK_LOAD, treeNumber, bucketBytes);
    names.add(level, tree.loadedVersion(epoch, firstBucket), count, epoch);
    for (int bucket = firstBucket; bucket < firstBucket + count; bucket++) {
      extents.add(tree.places().currentOffset(PathUnion.key(level, bucket)), 1);
    }
    BucketSource linked =
        (unit, plain) -> {
          source.assemble(unit, plain);
          putLinks(plain, level, firstBucket + unit);
        };
    tree.memory()
        .epochs()
        .write(
            epoch, held -> tree.store().write(extents, tree.memory().sealing(names, held, linked)));
    return extents.bytes();
  }

  private void putLinks(byte[] plain, int level, int bucket) {
    boolean leaf = level == tree.geometry().height();
    int offset = tree.descriptor().linkOffset();
    for (int side = 0; side < 2; side++) {
      long version =
          leaf ? BucketVersion.NEVER : tree.loadedVersion(epoch, bucket + (side << level));
      PlainBucket.setLink(plain, offset + Long.BYTES * side, version);
    }
  }

  @Override
  public void done() {
    tree.loaded(epoch);
  }
}
