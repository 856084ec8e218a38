package io.github.roram.range;

import io.github.roram.engine.Transfer;
import io.github.roram.stash.Stash;
import io.github.roram.tree.RangeTree;

/** What an access does with its blocks once their ranges were read. */
final class BlockMoves {

  private BlockMoves() {}

  /**
   * Moves bytes of blocks out of the stash of the tree that they were read of, or into it. Blocks
   * that were never written are zeros.
   */
  static void move(Transfer transfer, RangeTree tree, int block, int count) {
    Stash stash = tree.stash();
    for (int address = block; address < block + count; address++) {
      int slot =
          transfer.writes() ? stash.putKept(address, tree.label(address)) : stash.find(address);
      if (slot >= 0) {
        transfer.move(address, stash.array(slot), stash.offset(slot));
      } else {
        transfer.moveZeros(address);
      }
    }
  }

  /** Records blocks that an access of a tree wrote, and that came to the others as well. */
  static void written(RangeTree[] trees, int tree, int blocks) {
    for (RangeTree other : trees) {
      if (other != trees[tree]) {
        other.schedule().writtenBeside(blocks);
      }
    }
  }

  /**
   * Puts written blocks, whole, into the stash of another tree under the labels it has for them.
   */
  static void copy(RangeTree from, RangeTree to, int block, int count) {
    for (int address = block; address < block + count; address++) {
      int slot = from.stash().find(address);
      to.stash()
          .put(address, to.label(address), from.stash().array(slot), from.stash().offset(slot));
    }
  }
}
