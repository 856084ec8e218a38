package io.github.roram.tree;

import io.github.roram.bucket.TombstoneDescriptor;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.IoPhase;
import java.io.IOException;

/**
 * A bulk load of a tree of the engine: it writes what evictions 2^h … 2^(h+1) − 1 would, every
 * bucket once, in one key epoch.
 */
final class TreeFill implements BulkFill {

  private final RangeTree tree;
  private final long evictions;
  private final int epoch;
  private final BucketRuns runs = new BucketRuns();

  TreeFill(RangeTree tree) throws IOException {
    this.tree = tree;
    evictions = 2L * tree.geometry().leaves();
    epoch = tree.memory().epochs().hold();
  }

  @Override
  public long write(int level, int firstBucket, int count, BucketSource source) throws IOException {
    BucketMemory memory = tree.memory();
    runs.reset(IoPhase.BULK_LOAD, tree.geometry().tree(), tree.descriptor().sealedBytes());
    runs.add(level, evictions - (1L << level) + firstBucket, count, epoch);
    BucketSource filled = tree.liveness().tombstones() == null ? source : withoutAny(source);
    memory
        .epochs()
        .write(epoch, held -> tree.buckets().write(runs, memory.sealing(runs, held, filled)));
    return runs.bytes();
  }

  /** The same buckets, which have no tombstones. */
  private BucketSource withoutAny(BucketSource source) {
    return (unit, plain) -> {
      source.assemble(unit, plain);
      for (int place = 0; place < tree.geometry().slots(); place++) {
        TombstoneDescriptor.setNone(tree.descriptor(), plain, place);
      }
    };
  }

  @Override
  public void done() {
    tree.filled(evictions, epoch);
  }
}
