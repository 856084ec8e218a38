package io.github.roram.tao;

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
 * <p>A write-back overwrites the places that recovery needs until the one before is known by the
 * journal for good: so it waits for that.
 */
final class WriteBacks {

  /** So many times k paths may wait to be written back before accesses wait for that. */
  private static final int MOST_WAITING = 3;

  private final OramContext context;
  private final TaoTree tree;
  private final TreeParameters parameters;
  private @Nullable Journal journal;

  /** Whether the last write-back is known by the journal for good. */
  private boolean committed = true;

  /** Those of a tree, none of them recorded. */
  WriteBacks(OramContext context, TaoTree tree) {
    this.context = context;
    this.tree = tree;
    parameters = TreeParameters.of(context.config());
  }

  /** Records in this one from now on; what was done before needs no record. */
  void startJournal(@Nullable Journal newJournal) {
    journal = newJournal;
    committed = true;
  }

  /** k. */
  int paths() {
    return parameters.chunkPaths();
  }

  /** Whether k paths wait. */
  boolean isDue() {
    return tree.unwrittenPaths() >= paths();
  }

  /** Whether so few paths wait to be written back that another may be read. */
  boolean hasRoom() {
    return tree.unwrittenPaths() < MOST_WAITING * paths();
  }

  /**
   * The most paths that are being read or wait.
   *
   * @param inFlight how many may be read at a time
   */
  static int mostRetained(OramConfig config, int inFlight) {
    return MOST_WAITING * TreeParameters.of(config).chunkPaths() - 1 + inFlight;
  }

  /** Whether they must be durable on the store before they are recorded. */
  boolean areSynced() {
    return journal != null && journal.syncs();
  }

  /** Makes all that was recorded durable, as far as the mode asks for it. */
  void syncJournal() throws IOException {
    if (journal != null) {
      journal.sync();
    }
    committed = true;
  }

  /** All that was recorded is durable, and nothing is under way. */
  void settled() throws IOException {
    // A new epoch begins while nobody asks for keys.
    tree.memory().epochs().hold();
    committed = true;
  }

  /** Writes the oldest k back. */
  void write() throws IOException {
    if (!committed) {
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
        writeBack.giveUp();
      }
    }
    apply(writeBack);
  }

  /** A write-back is on the store, for good where that is asked for: records it. */
  void apply(WriteBack writeBack) throws IOException {
    writeBack.applied();
    committed = journal == null;
    if (journal != null) {
      journal.commit(
          tree.geometry().tree(),
          writeBack.paths(),
          writeBack.epoch(),
          writeBack.left(),
          new byte[0],
          mostLeft(tree.geometry(), writeBack.paths(), mostHeld()));
    }
  }

  /** The most blocks that can leave by a write-back of so many paths, wherever they lie. */
  static int mostLeft(TreeGeometry geometry, int paths, int mostHeld) {
    return (int) Math.min(mostHeld, mostBuckets(geometry, paths) * geometry.slots());
  }

  /** The most buckets that so many paths meet, wherever they lie. */
  static long mostBuckets(TreeGeometry geometry, int paths) {
    long buckets = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      buckets += Math.min(paths, 1L << level);
    }
    return buckets;
  }

  /** The most blocks that this client holds. */
  int mostHeld() {
    return mostHeld(context.config(), tree.geometry(), context.options().inFlight());
  }

  /** The most blocks that a client holds: treetop, paths not written, accesses, and the stash. */
  static int mostHeld(OramConfig config, TreeGeometry geometry, int inFlight) {
    TreeParameters parameters = TreeParameters.of(config);
    long held =
        (long) geometry.treetopBlocks()
            + parameters.stashLimitBlocks()
            + (long) MOST_WAITING * parameters.chunkPaths()
            + parameters.maxRangeBlocks()
            + 2L * inFlight;
    return (int) Math.min(geometry.ranges(), held);
  }
}
