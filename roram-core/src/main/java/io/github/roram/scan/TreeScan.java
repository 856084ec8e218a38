package io.github.roram.scan;

import io.github.roram.BlockSink;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.tree.BucketVisitor;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.RootFirst;
import io.github.roram.tree.TreePass;
import java.io.IOException;

/**
 * A scan of an ORAM on the tree engine. Every tree has all blocks, so one pass over one of them is
 * enough. The blocks that the client holds come first; then, root side first, the current copies in
 * the tree: of two that are current the first met is the newest (construction, section 2.4).
 *
 * <h2>Security</h2>
 *
 * The store sees one {@link TreePass}. Which tree follows from the counters.
 */
public final class TreeScan {

  private final RangeTree tree;
  private final TreePass pass;

  private TreeScan(RangeTree tree) {
    this.tree = tree;
    pass = new TreePass(tree);
  }

  /**
   * A scan of that of the trees, which have the same blocks, of which the least was written; of
   * equal ones the last, where consecutive blocks lie together most.
   */
  public static TreeScan cheapest(RangeTree... trees) {
    TreeScan cheapest = new TreeScan(trees[0]);
    for (RangeTree tree : trees) {
      TreeScan other = new TreeScan(tree);
      cheapest = other.bytes() <= cheapest.bytes() ? other : cheapest;
    }
    return cheapest;
  }

  /** Bytes of the store that it reads. */
  public long bytes() {
    return pass.bytes();
  }

  /** Hands all blocks over. */
  public void run(BlockSink sink) throws IOException {
    ScannedBlocks blocks = new ScannedBlocks(sink, tree.descriptor().blockBytes(), bytes());
    blocks.runAll(() -> handOver(blocks));
  }

  private void handOver(ScannedBlocks blocks) throws IOException {
    blocks.meetAll(tree.stash());
    RootFirst copies = tree.liveness().rootFirst();
    for (TreePass.Part part : pass.parts()) {
      pass.read(part, new CurrentCopies(part.level(), copies, blocks));
      blocks.advance(pass.bytes(part));
    }
  }

  /** Finds the current copies in the buckets of a level. */
  private final class CurrentCopies implements BucketVisitor {
    private final int level;
    private final RootFirst copies;
    private final ScannedBlocks blocks;

    CurrentCopies(int level, RootFirst copies, ScannedBlocks blocks) {
      this.level = level;
      this.copies = copies;
      this.blocks = blocks;
    }

    @Override
    public void opened(int bucket, byte[] plain) {
      copies.enter(plain);
      for (int slot = 0; slot < tree.geometry().slots(); slot++) {
        int address = PlainBucket.address(plain, slot);
        int label = PlainBucket.label(plain, slot);
        if (address >= 0 && copies.isCurrent(level, bucket, slot, address, label)) {
          blocks.meet(address, plain, tree.descriptor().dataOffset(slot));
        }
      }
    }
  }
}
