package io.github.roram.path;

import io.github.roram.BlockSink;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.scan.ScannedBlocks;
import java.io.IOException;

/**
 * A scan of a classic Path ORAM: the blocks that the client holds, then the tree of the data. A
 * block stands in one place only, so the position map is not needed, and its trees are not read.
 *
 * <h2>Security</h2>
 *
 * The store sees one {@link PathWalk}.
 */
final class PathScan {

  private final PathTree tree;
  private final BucketDescriptor descriptor;
  private final ScannedBlocks blocks;

  /** A scan of the tree that holds the data. */
  PathScan(PathTree tree, BlockSink sink) {
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
      if (address >= 0) {
        blocks.meet(address, plain, descriptor.dataOffset(slot));
      }
    }
  }
}
