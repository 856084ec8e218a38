package io.github.roram.tao;

import static io.github.roram.journal.ReplayCheck.refused;
import static io.github.roram.journal.ReplayCheck.within;

import io.github.roram.journal.Intent;
import io.github.roram.journal.JournalReplay;
import io.github.roram.stash.Stash;
import io.github.roram.tree.TreeGeometry;
import java.io.DataInput;
import java.io.IOException;

/**
 * Does again in client memory what the journal of a TaORAM says was done. Each record must be one
 * that the client could have made at that place: a journal that is authentic but does not fit the
 * state is refused, and nothing is done with a number before it is known to be within its bounds.
 */
final class TaoReplay implements JournalReplay {

  private final TaoTree tree;
  private final RequestMap requests;
  private final Runnable completeOldest;
  private final int blockBytes;
  private final int lastEpoch;

  /** The block of the access whose data follow; −1 before the first. */
  private int accessed = -1;

  /**
   * A replay.
   *
   * @param completeOldest completes the oldest request
   * @param lastEpoch the last key epoch that anything was sealed in
   */
  TaoReplay(
      TaoTree tree, RequestMap requests, Runnable completeOldest, int blockBytes, int lastEpoch) {
    this.tree = tree;
    this.requests = requests;
    this.completeOldest = completeOldest;
    this.blockBytes = blockBytes;
    this.lastEpoch = lastEpoch;
  }

  @Override
  public void intent(Intent intent) {
    if (intent.number() != requests.nextNumber()) {
      throw refused("has intent " + intent.number() + " in place of " + requests.nextNumber());
    }
    TreeGeometry geometry = tree.geometry();
    checkTree(intent.tree());
    if (intent.ranges().length != 1 || !intent.maps().isEmpty()) {
      throw refused("reads more than a path for a block");
    }
    within("block", intent.ranges()[0], 0, geometry.ranges());
    within("label", intent.labels()[0], 0, geometry.leaves());
    within("fresh label", intent.freshLabels()[0], Intent.READ_BEFORE, geometry.leaves());
    checkShown(intent);
    requests.add(intent);
  }

  /** A label is shown once: by one pending read, and that is the label which the block has. */
  private void checkShown(Intent intent) {
    int address = intent.ranges()[0];
    boolean shown = requests.reads(address);
    boolean fits =
        intent.relabels(0)
            ? !shown && intent.labels()[0] == tree.positions().label(address)
            : shown;
    if (!fits) {
      throw refused("reads block " + address + " at a label that it does not have");
    }
  }

  @Override
  public void complete(long number, int accessedTree) {
    Intent oldest = requests.oldest();
    if (oldest == null || oldest.number() != number) {
      throw refused("completes access " + number + ", which is not the oldest that it begins");
    }
    checkTree(accessedTree);
    accessed = oldest.ranges()[0];
    completeOldest.run();
  }

  @Override
  public void arrived(int ofTree, int address, DataInput data) throws IOException {
    put(address, data);
  }

  @Override
  public void written(int address, DataInput data) throws IOException {
    put(address, data);
  }

  private void put(int address, DataInput data) throws IOException {
    if (address != accessed) {
      throw refused("has block " + address + " come by an access that did not read it");
    }
    Stash stash = tree.stash();
    int slot = stash.put(address, tree.positions().label(address));
    data.readFully(stash.array(slot), stash.offset(slot), blockBytes);
  }

  @Override
  public void evicted(int ofTree, int paths, int epoch) {
    checkTree(ofTree);
    within("number of paths", paths, 1, tree.unwrittenPaths() + 1L);
    within("epoch", epoch, 1, lastEpoch + 1L);
    PathUnion union = new PathUnion(tree.geometry(), tree.oldestUnwritten(paths));
    tree.writtenBack(union, paths, epoch);
  }

  @Override
  public void left(int ofTree, int address) {
    Stash stash = tree.stash();
    int slot = stash.find(address);
    if (slot < 0 || stash.isPinned(address)) {
      throw refused("has block " + address + " leave, which the client does not hold or needs");
    }
    stash.remove(slot);
  }

  @Override
  public boolean note(DataInput note) {
    throw refused("has a note of an engine of another kind");
  }

  private static void checkTree(int number) {
    within("tree", number, 0, 1);
  }
}
