package io.github.roram.tao;

import io.github.roram.BlockSink;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.path.PathWalk;
import io.github.roram.scan.ScannedBlocks;
import java.io.IOException;

/**
 * A scan of a TaORAM: the blocks that the client holds, then the tree from the root on, whose
 * copies are current under the label of the position map, the nearest to the root.
 *
 * <h2>Security</h2>
 *
 * The store sees one {@link PathWalk}.
 */
final class TaoScan {

  private final TaoTree tree;
  private final BucketDescriptor descriptor;
  private final ScannedBlocks blocks;

  /** A scan of a tree. */
  TaoScan(TaoTree tree, BlockSink sink) {
    this.tree = tree;
    descriptor = tree.descriptor();
    blocks = new ScannedBlocks(sink, descriptor.blockBytes(), PathWalk.bytes(tree));
  }

  /** Hands all blocks over. */
  void run() throws IOException {
    blocks.runAll(
        () -> {
          blocks.meetAll(tree.stash());
          for (PathWalk walk = new PathWalk(tree); walk.next(); ) {
            walk.read(this::meetAll);
            blocks.advance((long) walk.count() * descriptor.sealedBytes());
          }
        });
  }

  private void meetAll(int bucket, byte[] plain) {
    for (int slot = 0; slot < descriptor.slots(); slot++) {
      int address = PlainBucket.address(plain, slot);
      if (address >= 0 && PlainBucket.label(plain, slot) == tree.positions().label(address)) {
        blocks.meet(address, plain, descriptor.dataOffset(slot));
      }
    }
  }
}
