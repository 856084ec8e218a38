package io.github.roram.tree;

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
    int number = tree.geometry().tree();
    BucketMemory memory = tree.memory();
    runs.reset(IoPhase.BULK_LOAD, number, tree.descriptor().sealedBytes());
    runs.add(level, evictions - (1L << level) + firstBucket, count, epoch);
    memory
        .epochs()
        .write(
            epoch,
            held ->
                tree.buckets()
                    .write(
                        runs,
                        (firstUnit, units) -> {
                          byte[] plain = memory.scratch();
                          for (int unit = firstUnit; units.hasRemaining(); unit++) {
                            source.assemble(unit, plain);
                            memory
                                .codec()
                                .seal(plain, number, level, runs.eviction(unit), held, units);
                          }
                        }));
    return runs.bytes();
  }

  @Override
  public void done() {
    tree.filled(evictions, epoch);
  }
}
