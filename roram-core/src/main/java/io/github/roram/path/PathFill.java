package io.github.roram.path;

import io.github.roram.bucket.PlainBucket;
import io.github.roram.store.IoPhase;
import io.github.roram.tree.BucketSource;
import io.github.roram.tree.BulkFill;
import java.io.IOException;

/** A bulk load of a Path ORAM tree: each bucket of a level gets a version of its own. */
final class PathFill implements BulkFill {

  private final PathTree tree;
  private final int epoch;

  /** A load that seals in an epoch that is held. */
  PathFill(PathTree tree, int epoch) {
    this.tree = tree;
    this.epoch = epoch;
  }

  @Override
  public long write(int level, int firstBucket, int count, BucketSource source) throws IOException {
    BucketBatch batch = tree.batch();
    batch.reset(IoPhase.BULK_LOAD, tree.geometry().tree(), tree.descriptor().sealedBytes());
    tree.layout().addBuckets(batch, level, firstBucket, count, tree.loadedVersion(firstBucket));
    tree.writeBatch(
        epoch,
        (unit, plain) -> {
          source.assemble(unit, plain);
          putLinks(plain, level, firstBucket + unit);
        });
    return batch.extents().bytes();
  }

  private void putLinks(byte[] plain, int level, int bucket) {
    boolean leaf = level == tree.geometry().height();
    int offset = tree.descriptor().linkOffset();
    for (int child = 0; child < 2; child++) {
      long version = leaf ? 0 : tree.loadedVersion(bucket + (child << level));
      PlainBucket.setLink(plain, offset + 8 * child, version);
    }
  }

  @Override
  public void done() {
    tree.loaded();
  }
}
