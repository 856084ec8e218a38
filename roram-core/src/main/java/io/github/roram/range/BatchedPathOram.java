package io.github.roram.range;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Transfer;
import io.github.roram.journal.Intent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Path ORAM with the locality-aware layout and batched evictions (rORAM, §VII-C): each block is
 * read from its own random path, and evictions follow the counter, a batch at a time.
 *
 * <p>It is the tree engine with ranges of one block. A range of r blocks is r accesses, as in any
 * ORAM that knows no ranges; a write that fails midway has written the blocks before. Scattered
 * blocks of a program are read together, by one access.
 *
 * <h2>Security</h2>
 *
 * The store sees one uniform label a block, never shown before, and evictions that follow the
 * counter.
 */
public final class BatchedPathOram extends TreeOram {

  /** Creates a batched Path ORAM from its parts. */
  BatchedPathOram(OramContext context, StoreLayout layout, @Nullable TreeOram smaller) {
    super(context, layout, 1, smaller);
  }

  @Override
  TreeOram of(OramContext other, StoreLayout otherLayout, @Nullable TreeOram smaller) {
    return new BatchedPathOram(other, otherLayout, smaller);
  }

  @Override
  int reads(Transfer transfer) {
    return transfer.hasProgram() ? 1 : transfer.blocks();
  }

  @Override
  Intent begin(Transfer transfer, int read) throws IOException {
    if (transfer.hasProgram()) {
      return begin(0, false, scattered(trees[0].geometry(), transfer, transfer.shownBlocks()));
    }
    return begin(0, false, transfer.block() + read);
  }

  @Override
  void carryOut(Transfer transfer, int read, Intent intent, IntArrayList arrivals)
      throws IOException {
    int blocks = transfer.hasProgram() ? transfer.blocks() : 1;
    move(transfer, trees[0], read, blocks);
    recordAccess(
        intent,
        arrivals,
        transfer.hasProgram() || !transfer.writes()
            ? transfer.written()
            : new int[] {transfer.address(read)});
  }

  @Override
  int mostScattered(int shownBlocks) {
    return shownBlocks;
  }

  @Override
  int treeOf(int shownBlocks) {
    return 0;
  }

  @Override
  public long accessBytes(int blocks) {
    return (long) costs.ofBlock().times(blocks).access().bytes();
  }

  @Override
  protected void owe(Intent intent) {
    trees[0].schedule().owe(intent.ranges().length);
  }
}
