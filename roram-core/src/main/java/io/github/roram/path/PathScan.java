package io.github.roram.path;

import io.github.roram.BlockSink;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.scan.ScannedBlocks;
import io.github.roram.stash.Stash;
import java.io.IOException;

/**
 * A scan of a tree whose buckets are written in place: the blocks that the client holds, then the
 * tree of the data from the root on. In a classic Path ORAM a block stands in one place only, so
 * the position map is not needed, and its trees are not read. In a TaORAM copies are current under
 * the label of the map, the nearest to the root.
 *
 * <h2>Security</h2>
 *
 * The store sees one {@link PathWalk}.
 */
public final class PathScan {

  /** Whether a copy that is met is current, where no other was met before. */
  @FunctionalInterface
  public interface Current {
    /** Whether the copy of a block under a label is. */
    boolean is(int address, int label);
  }

  private final LinkedTree tree;
  private final Stash held;
  private final Current current;
  private final BucketDescriptor descriptor;
  private final ScannedBlocks blocks;

  /**
   * A scan of the tree that holds the data.
   *
   * @param held what the client holds of it
   */
  public PathScan(LinkedTree tree, Stash held, Current current, BlockSink sink) {
    this.tree = tree;
    this.held = held;
    this.current = current;
    descriptor = tree.descriptor();
    blocks = new ScannedBlocks(sink, descriptor.blockBytes(), PathWalk.bytes(tree));
  }

  /** Hands all blocks over. */
  public void run() throws IOException {
    blocks.runAll(
        () -> {
          blocks.meetAll(held);
          for (PathWalk walk = new PathWalk(tree); walk.next(); ) {
            walk.read(this::meetAll);
            blocks.advance((long) walk.count() * descriptor.sealedBytes());
          }
        });
  }

  private void meetAll(int bucket, byte[] plain) {
    for (int slot = 0; slot < descriptor.slots(); slot++) {
      int address = PlainBucket.address(plain, slot);
      if (address >= 0 && current.is(address, PlainBucket.label(plain, slot))) {
        blocks.meet(address, plain, descriptor.dataOffset(slot));
      }
    }
  }
}
