package io.github.roram.range;

import io.github.roram.engine.OramContext;
import io.github.roram.tree.RangeTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Path ORAM with the locality-aware layout and batched evictions (rORAM, §VII-C): each block is
 * read from its own random path, and evictions follow the counter, a batch at a time.
 *
 * <p>It is the tree engine with ranges of one block. A range of r blocks is r accesses, as in any
 * ORAM that knows no ranges; a write that fails midway has written the blocks before.
 *
 * <h2>Security</h2>
 *
 * The store sees one uniform label a block, never shown before, and evictions that follow the
 * counter.
 */
public final class BatchedPathOram extends TreeOram {

  /** A batched Path ORAM of these parts. */
  public BatchedPathOram(OramContext context, StoreLayout layout) {
    super(context, layout);
  }

  @Override
  protected int access(
      int block, int count, @Nullable ByteBuffer source, @Nullable ByteBuffer target)
      throws IOException {
    RangeTree tree = trees[0];
    for (int address = block; address < block + count; address++) {
      if (address > block) {
        completePending();
      }
      readRanges(0, address);
      if (target != null) {
        copyOut(tree, address, 1, target);
      }
      if (source != null) {
        copyIn(tree, address, source);
      }
      recordAccess(0, address, source != null ? 1 : 0);
      payEvictions();
    }
    return count;
  }

  @Override
  protected void owe(int tree, int ranges) {
    trees[tree].schedule().owe(ranges);
  }
}
