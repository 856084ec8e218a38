package io.github.roram.linked;

import io.github.roram.OramConfig;
import io.github.roram.engine.OramContext;
import io.github.roram.journal.Journal;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.tree.TreeGeometry;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * When paths that were read are written back, and what the journal is told of it: k of them
 * together, the oldest ones, one {@link WriteBack} after another (TaoStore, write-back).
 *
 * <p>The floor: a write-back overwrites the places that recovery needs until the one before is
 * known by the journal for good: so it waits for that.
 */
final class WriteBacks {

  /** So many times k paths may wait to be written back before accesses wait for that. */
  private static final int MOST_WAITING = 3;

  private final OramContext context;
  private final LinkedTree tree;
  private final int paths;
  private @Nullable Journal journal;

  /** How many write-backs the journal knows for good. */
  private long durable;

  /** Whether one could not be made or recorded, since all was settled. */
  private boolean failed;

  /**
   * Those of a tree, none of them recorded.
   *
   * @param paths k
   */
  WriteBacks(OramContext context, LinkedTree tree, int paths) {
    this.context = context;
    this.tree = tree;
    this.paths = paths;
  }

  /** Records in this one from now on; what was done before needs no record. */
  void startJournal(@Nullable Journal newJournal) {
    journal = newJournal;
    durable = tree.writeBacks();
  }

  /** k. */
  int paths() {
    return paths;
  }

  /** Returns whether k paths wait. */
  boolean isDue() {
    return tree.unwrittenPaths() >= paths();
  }

  /** Returns whether so few paths wait to be written back that another may be read. */
  boolean hasRoom() {
    return tree.unwrittenPaths() < MOST_WAITING * paths();
  }

  /**
   * The most paths that are being read or wait.
   *
   * @param paths k
   * @param inFlight how many may be read at a time
   */
  static int mostRetained(int paths, int inFlight) {
    return MOST_WAITING * paths - 1 + inFlight;
  }

  /** Returns whether they must be durable on the store before they are recorded. */
  boolean areSynced() {
    return journal != null && journal.syncs();
  }

  /** Makes all that was recorded durable, as far as the mode asks for it. */
  void syncJournal() throws IOException {
    if (journal != null) {
      journal.sync();
    }
    durable = tree.writeBacks();
  }

  /** As many write-backs as this are known by the journal for good. */
  void durable(long writeBacks) {
    durable = Math.max(durable, writeBacks);
  }

  /** Returns whether the journal knows all of them for good, so that the next may be made. */
  boolean areDurable() {
    return durable == tree.writeBacks();
  }

  /** Returns whether one failed: the next ones wait until all is {@link #settled}. */
  boolean haveFailed() {
    return failed || tree.whole().isTorn() || tree.memory().epochs().isNewDue();
  }

  /** All that was recorded is durable, and nothing is under way. */
  void settled() throws IOException {
    // A new epoch begins while nobody asks for keys.
    tree.memory().epochs().hold();
    durable = tree.writeBacks();
    failed = false;
  }

  /** Writes the oldest k back. */
  void write() throws IOException {
    if (!areDurable()) {
      syncJournal();
    }
    WriteBack writeBack = new WriteBack(tree, paths());
    boolean written = false;
    try {
      writeBack.place();
      context.store().write(writeBack.extents(0, writeBack.union().units()), writeBack.sealing(0));
      if (areSynced()) {
        context.store().sync();
      }
      written = true;
    } finally {
      if (!written) {
        giveUp(writeBack);
      }
    }
    apply(writeBack);
  }

  /** A write-back could not be made: another does the same. */
  void giveUp(WriteBack writeBack) {
    failed = true;
    writeBack.giveUp();
  }

  /** A write-back is on the store, for good where that is asked for: records it. */
  void apply(WriteBack writeBack) throws IOException {
    boolean recorded = false;
    // Of what is held before the paths leave.
    int most = mostLeft(tree.geometry(), writeBack.paths(), mostHeld());
    try {
      tree.whole()
          .change(
              () -> {
                writeBack.applied();
                record(writeBack, most);
              });
      recorded = true;
    } finally {
      failed |= !recorded;
    }
    if (!areSynced()) {
      durable = tree.writeBacks();
    }
  }

  private void record(WriteBack writeBack, int mostLeft) throws IOException {
    if (journal != null) {
      journal.commit(
          tree.geometry().tree(),
          writeBack.paths(),
          writeBack.epoch(),
          writeBack.left(),
          new byte[0],
          mostLeft);
    }
  }

  /** The most blocks that can leave by a write-back of so many paths, wherever they lie. */
  static int mostLeft(TreeGeometry geometry, int paths, int mostHeld) {
    return (int) Math.min(mostHeld, geometry.mostBuckets(paths) * geometry.slots());
  }

  /**
   * The most blocks that this client holds, with those of the paths that a client of a larger k,
   * which was killed, left to be written back.
   */
  int mostHeld() {
    int held = mostHeld(context.config(), tree.layout(), paths, context.options().inFlight());
    long left = Math.max(0, tree.unwrittenPaths() - MOST_WAITING * paths);
    return (int) Math.min(tree.geometry().ranges(), held + left);
  }

  /**
   * The most blocks that a client holds: treetop, accesses, the stash; and those of paths that are
   * not written, or, if each path is written for itself, of one path.
   */
  static int mostHeld(OramConfig config, LinkedStoreLayout.Tree layout, int paths, int inFlight) {
    TreeParameters parameters = TreeParameters.of(config);
    TreeGeometry geometry = layout.geometry();
    long ofPaths =
        layout.places() == 2
            ? (long) MOST_WAITING * paths + 2L * inFlight
            : (long) geometry.slots() * (geometry.height() + 1);
    long held =
        geometry.treetopBlocks()
            + (long) parameters.stashLimitBlocks()
            + parameters.maxRangeBlocks()
            + ofPaths;
    return (int) Math.min(geometry.ranges(), held);
  }
}
