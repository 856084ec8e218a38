package io.github.roram.range;

import io.github.roram.parameters.TreeParameters;
import io.github.roram.tree.RangeTree;

/**
 * What the trees owe that an access does not read. Blocks come to them by writes alone; but the
 * store may not know which accesses write, so that evictions are owed as if all did, or for a
 * public share of that (construction, sections 2.1 and 7).
 *
 * <p>Where the store may know (rORAM, §VIII-C) reads owe nothing here. A write of a single block
 * adds it to every stash, and one of the other trees pays for what came since its last turn: the
 * one that has waited longest. So an access evicts two trees at most, and no tree waits for more
 * blocks than there are others. Longer writes owe in all of them at once, for which the paper has
 * no form of its own.
 */
final class OtherTreesDebt {

  private final TreeParameters parameters;

  /** Of this configuration. */
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
