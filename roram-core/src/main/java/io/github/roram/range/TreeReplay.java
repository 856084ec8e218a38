package io.github.roram.range;

import com.carrotsearch.hppc.IntHashSet;
import io.github.roram.IntegrityException;
import io.github.roram.journal.JournalReplay;
import io.github.roram.stash.Stash;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import java.io.DataInput;
import java.io.IOException;

/**
 * Does again in client memory what the journal says was done. Each record must be one that the
 * client could have made at that place: a journal that is authentic but does not fit the state is
 * refused, and nothing is done with a number before it is known to be within its bounds.
 */
final class TreeReplay implements JournalReplay {

  /** What a replay changes besides the trees. */
  interface Target {
    /** The read that was begun and is not complete, if there is one. */
    boolean isPending();

    /** A read begins. */
    void begin(PendingRead read);

    /** The read that was begun is complete; returns it. */
    PendingRead complete();

    /** Blocks that an access of a tree wrote came to all. */
    void written(int tree, int blocks);
  }

  private final RangeTree[] trees;
  private final int blockBytes;
  private final int lastEpoch;
  private final Target target;

  /** The tree of the access whose blocks follow; −1 before the first. */
  private int accessedTree = -1;

  /** The ranges of that access. */
  private final IntHashSet accessedRanges = new IntHashSet();

  /**
   * A replay.
   *
   * @param lastEpoch the last key epoch that anything was sealed in
   */
  TreeReplay(RangeTree[] trees, int blockBytes, int lastEpoch, Target target) {
    this.trees = trees;
    this.blockBytes = blockBytes;
    this.lastEpoch = lastEpoch;
    this.target = target;
  }

  @Override
  public void intent(int tree, int[] ranges, int[] labels, int[] freshLabels) {
    if (target.isPending()) {
      throw refused("begins an access of tree " + tree + " before the last one is complete");
    }
    RangeTree read = tree(tree);
    TreeGeometry geometry = read.geometry();
    for (int i = 0; i < ranges.length; i++) {
      within("range", ranges[i], -1, geometry.ranges());
      within("label", labels[i], 0, geometry.leaves());
      within("fresh label", freshLabels[i], 0, geometry.leaves());
      if (ranges[i] >= 0 && labels[i] != read.positions().label(ranges[i])) {
        throw refused(
            "reads range " + ranges[i] + " of tree " + tree + " at a label that it does not have");
      }
    }
    target.begin(new PendingRead(tree, ranges, labels, freshLabels));
  }

  @Override
  public void complete(int tree) {
    if (!target.isPending()) {
      throw refused("completes an access of tree " + tree + " that it does not begin");
    }
    PendingRead read = target.complete();
    if (read.tree() != tree) {
      throw refused("completes an access of tree " + tree + " that is of tree " + read.tree());
    }
    accessedTree = tree;
    accessedRanges.clear();
    accessedRanges.addAll(read.ranges());
  }

  @Override
  public void arrived(int tree, int address, DataInput data) throws IOException {
    checkAccessed(address);
    RangeTree from = trees[tree];
    Stash stash = from.stash();
    int slot = stash.put(address, from.label(address));
    data.readFully(stash.array(slot), stash.offset(slot), blockBytes);
  }

  @Override
  public void written(int address, DataInput data) throws IOException {
    checkAccessed(address);
    byte[] block = new byte[blockBytes];
    data.readFully(block);
    for (RangeTree tree : trees) {
      tree.stash().put(address, tree.label(address), block, 0);
    }
    target.written(accessedTree, 1);
  }

  /** Only blocks of the ranges that an access read can come by it. */
  private void checkAccessed(int address) {
    TreeGeometry geometry = trees[accessedTree].geometry();
    within("address", address, 0, geometry.blocks());
    if (!accessedRanges.contains(address >>> geometry.rangeExponent())) {
      throw refused("has block " + address + " come by an access that did not read it");
    }
  }

  @Override
  public void evicted(int tree, int paths, int epoch) {
    if (target.isPending()) {
      throw refused("evicts from tree " + tree + " in the middle of an access");
    }
    RangeTree evicted = tree(tree);
    int due = evicted.schedule().due();
    if (paths != due || paths < 1) {
      throw refused(
          "evicts " + paths + " paths of tree " + tree + ", of which " + due + " are due");
    }
    within("epoch", epoch, 1, lastEpoch + 1L);
    evicted.evicted(paths, epoch);
  }

  @Override
  public void left(int tree, int address) {
    Stash stash = trees[tree].stash();
    int slot = stash.find(address);
    if (slot < 0) {
      throw refused("has block " + address + " leave, which the client does not hold");
    }
    stash.remove(slot);
  }

  private RangeTree tree(int tree) {
    within("tree", tree, 0, trees.length);
    return trees[tree];
  }

  private static void within(String what, int value, long from, long end) {
    if (value < from || value >= end) {
      throw refused("names " + what + " " + value + ", must be " + from + " to " + (end - 1));
    }
  }

  private static IntegrityException refused(String what) {
    return new IntegrityException(
        "the journal does not fit the client's state: it "
            + what
            + "; restore the client's records from copies made together");
  }
}
