package io.github.roram.tree;

import static io.github.roram.journal.ReplayCheck.refused;
import static io.github.roram.journal.ReplayCheck.within;

import com.carrotsearch.hppc.IntHashSet;
import io.github.roram.journal.Intent;
import io.github.roram.journal.JournalReplay;
import io.github.roram.stash.Stash;
import java.io.DataInput;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Does again in client memory what the journal says was done. Each record must be one that the
 * client could have made at that place: a journal that is authentic but does not fit the state is
 * refused, and nothing is done with a number before it is known to be within its bounds.
 */
public class TreeReplay implements JournalReplay {

  /** What a position map on the store looks up. */
  public interface Maps {

    /** Returns whether a read looks up what one of its ranges has to, of a tree of this shape. */
    boolean isPlanned(Intent read, TreeGeometry geometry);

    /** Does again what a read looked up, as the next bytes say it. */
    void replay(Intent read, DataInput in) throws IOException;
  }

  /** All, those of a position map last. */
  private final ReadTree[] trees;

  private final int dataTrees;
  private final @Nullable Maps maps;
  private final PendingReads pending;
  private final int blockBytes;
  private final int lastEpoch;
  private final boolean showsWrites;
  private final Consumer<Intent> completing;

  /** The tree of the access whose blocks follow; −1 before the first. */
  private int accessedTree = -1;

  /** The ranges of that access. */
  private final IntHashSet accessedRanges = new IntHashSet();

  /** Whether that access may have written. */
  private boolean mayHaveWritten;

  /**
   * Creates a replay.
   *
   * @param trees all trees, those of the position map last
   * @param dataTrees number of trees with data
   * @param maps the position map, if it is on the store
   * @param pending the reads that were begun and are not complete
   * @param lastEpoch the last key epoch in which anything was sealed
   * @param showsWrites whether it shows which accesses write
   * @param completing completes the oldest pending read
   */
  public TreeReplay(
      ReadTree[] trees,
      int dataTrees,
      @Nullable Maps maps,
      PendingReads pending,
      int blockBytes,
      int lastEpoch,
      boolean showsWrites,
      Consumer<Intent> completing) {
    this.trees = trees;
    this.maps = maps;
    this.dataTrees = dataTrees;
    this.pending = pending;
    this.blockBytes = blockBytes;
    this.lastEpoch = lastEpoch;
    this.showsWrites = showsWrites;
    this.completing = completing;
  }

  @Override
  public void intent(Intent intent) {
    if (intent.number() != pending.nextNumber()) {
      throw refused("has intent " + intent.number() + " in place of " + pending.nextNumber());
    }
    within("tree", intent.tree(), 0, dataTrees);
    if (intent.writes() && !showsWrites) {
      throw refused("shows that an access writes, which this store hides");
    }
    checkRuns(intent);
    boolean planned =
        maps == null
            ? intent.maps().isEmpty()
            : maps.isPlanned(intent, trees[intent.tree()].geometry());
    if (!planned) {
      throw refused("looks up other blocks of the position map than those of the ranges it reads");
    }
    intent.maps().forEach(this::checkRuns);
    pending.add(intent);
  }

  private void checkRuns(Intent intent) {
    TreeGeometry geometry = tree(intent.tree()).geometry();
    for (int run = 0; run < intent.ranges().length; run++) {
      within("range", intent.ranges()[run], -1, geometry.ranges());
      int least = maps != null && intent.relabels(run) ? Intent.NOT_LOOKED_UP : 0;
      within("label", intent.labels()[run], least, geometry.leaves());
      within("fresh label", intent.freshLabels()[run], Intent.READ_BEFORE, geometry.leaves());
      if (intent.ranges()[run] >= 0) {
        checkShown(intent, run);
      }
    }
  }

  /**
   * Checks that a label is shown once: by one pending read, and only if it is the range's label.
   */
  private void checkShown(Intent intent, int run) {
    int range = intent.ranges()[run];
    boolean shown = pending.show(intent.tree(), range);
    boolean wrong = intent.relabels(run) ? shown || !isLabelOf(range, intent, run) : !shown;
    if (wrong) {
      throw refused(
          "reads range "
              + range
              + " of tree "
              + intent.tree()
              + (intent.relabels(run) && !shown
                  ? " at a label that it does not have"
                  : " which " + (shown ? "a" : "no") + " pending read shows already"));
    }
  }

  private boolean isLabelOf(int range, Intent intent, int run) {
    int label = maps == null ? trees[intent.tree()].rangeLabel(range) : Intent.NOT_LOOKED_UP;
    return intent.labels()[run] == label;
  }

  @Override
  public void lookedUp(long number, int tree, DataInput data) throws IOException {
    Intent read = oldest(number, tree);
    if (maps != null) {
      maps.replay(read, data);
    }
  }

  @Override
  public void complete(long number, int tree) {
    Intent read = oldest(number, tree);
    completing.accept(read);
    accessedTree = tree;
    accessedRanges.clear();
    accessedRanges.addAll(read.ranges());
    mayHaveWritten = read.writes() || !showsWrites;
  }

  private Intent oldest(long number, int tree) {
    Intent read = pending.oldest();
    if (read == null) {
      throw refused("completes an access of tree " + tree + " that it does not begin");
    }
    if (read.number() != number || read.tree() != tree) {
      throw refused(
          "completes access "
              + number
              + " of tree "
              + tree
              + " before the older access "
              + read.number()
              + " of tree "
              + read.tree());
    }
    return read;
  }

  @Override
  public void arrived(int tree, int address, DataInput data) throws IOException {
    checkAccessed(address);
    ReadTree from = trees[tree];
    Stash stash = from.stash();
    int slot = stash.put(address, from.label(address));
    data.readFully(stash.array(slot), stash.offset(slot), blockBytes);
  }

  @Override
  public void written(int address, DataInput data) throws IOException {
    checkAccessed(address);
    if (!mayHaveWritten) {
      throw refused("has block " + address + " written by an access that was shown to read");
    }
    byte[] block = new byte[blockBytes];
    data.readFully(block);
    for (int tree = 0; tree < dataTrees; tree++) {
      trees[tree].stash().put(address, trees[tree].label(address), block, 0);
      if (tree != accessedTree) {
        trees[tree].writtenBeside(1);
      }
    }
  }

  /** Checks that a block that arrived belongs to the ranges of the access. */
  private void checkAccessed(int address) {
    TreeGeometry geometry = trees[accessedTree].geometry();
    within("address", address, 0, geometry.blocks());
    if (!accessedRanges.contains(address >>> geometry.rangeExponent())) {
      throw refused("has block " + address + " come by an access that did not read it");
    }
  }

  @Override
  public void evicted(int tree, int paths, int epoch) {
    ReadTree evicted = tree(tree);
    int due = evicted.duePaths();
    // Chunks of accesses that overlap are shorter than what is due.
    if (paths > due || paths < 1) {
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
    if (stash.isPinned(address)) {
      throw refused("has block " + address + " leave, whose range is being read");
    }
    stash.remove(slot);
  }

  @Override
  public void tombstonesLeft(int tree, DataInput data) throws IOException {
    trees[tree].tombstonesLeft(data);
  }

  @Override
  public boolean note(DataInput note) {
    throw refused("has a note of an engine of another kind");
  }

  private ReadTree tree(int tree) {
    within("tree", tree, 0, trees.length);
    return trees[tree];
  }
}
