package io.github.roram.range;

import io.github.roram.parameters.TreeParameters;
import io.github.roram.tree.RangeTree;

/**
 * The debt of the trees that an access does not read. Blocks enter them only by writes; but if the
 * store must not learn which accesses write, evictions are owed as if all did, or for a public
 * share of them (construction, sections 2.1 and 7).
 *
 * <p>If the store may learn it (rORAM, §VIII-C), reads owe nothing here. A write of a single block
 * adds it to every stash, and the tree that has waited longest evicts for the blocks that have
 * entered since its last turn. So an access evicts two trees at most, and no tree waits for more
 * blocks than there are other trees. Longer writes owe in all trees at once; the paper does not
 * describe how to treat them.
 */
final class OtherTreesDebt {

  private final TreeParameters parameters;

  /** Creates the debt for a configuration. */
  OtherTreesDebt(TreeParameters parameters) {
    this.parameters = parameters;
  }

  /**
   * Owes for an access.
   *
   * @param read the tree that it read
   * @param classBlocks 2^i of its class
   * @param readBlocks how many it read
   * @param writes whether it is shown to write; of no matter where that is hidden
   */
  void owe(RangeTree[] trees, int read, int classBlocks, long readBlocks, boolean writes) {
    if (paysInTurn(classBlocks, writes)) {
      oweInTurn(trees, read);
      return;
    }
    for (int tree = 0; tree < trees.length; tree++) {
      if (tree == read || (parameters.revealsOperationType() && !writes)) {
        continue;
      }
      if (parameters.fullDebt()) {
        trees[tree].schedule().owe(readBlocks);
      } else if (parameters.revealsOperationType()) {
        trees[tree].schedule().owe(classBlocks);
      } else {
        trees[tree].schedule().oweShare(classBlocks);
      }
    }
  }

  private static void oweInTurn(RangeTree[] trees, int read) {
    int turn = -1;
    for (int tree = 0; tree < trees.length; tree++) {
      if (tree != read) {
        trees[tree].schedule().putOffBlock();
        turn = turn < 0 || putOff(trees[tree]) > putOff(trees[turn]) ? tree : turn;
      }
    }
    if (turn >= 0) {
      trees[turn].schedule().owePutOff();
    }
  }

  private static long putOff(RangeTree tree) {
    return tree.schedule().backlogBlocks();
  }

  /** Returns whether an access owes in one other tree at a time: a write of one block. */
  boolean paysInTurn(int classBlocks, boolean writes) {
    return parameters.revealsOperationType() && writes && classBlocks == 1;
  }

  /** Blocks that each other tree owes for an access on average. */
  double average(int classBlocks, long readBlocks, boolean writes) {
    if (paysInTurn(classBlocks, writes)) {
      return 1;
    }
    if (parameters.revealsOperationType() && !writes) {
      return 0;
    }
    return parameters.fullDebt() ? readBlocks : classBlocks * parameters.writeShare();
  }
}
