package io.github.roram.range;

import io.github.roram.engine.WholeState;
import io.github.roram.journal.Journal;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.store.BucketStore;
import io.github.roram.tree.GoneTombstonesDescriptor;
import io.github.roram.tree.PathEviction;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Commits eviction chunks: once they are durable on the store, the journal records that
 * (construction, section 6, step 3). Chunks of accesses made one at a time share a sync; those of
 * overlapping accesses are recorded one by one.
 *
 * <p>Without a journal there is nothing to commit. Versions older than a commit, and older than any
 * read in flight was planned for, are discarded.
 *
 * <h2>The floor</h2>
 *
 * A chunk may overwrite versions that are S evictions old ({@link BucketStore#mostAhead}). Until
 * its commit is durable in the journal, recovery needs the previous versions; and a read in flight
 * needs those that it was planned for. So a chunk is written only if its last eviction is at most S
 * beyond the last durable commit of its tree, and beyond the plan of any such read: {@link
 * #mayWrite}. An access that is made alone reaches that bound if a range owes more chunks than S
 * has room for, and then makes the written chunks durable; overlapping accesses wait.
 *
 * <p>Both kinds of accesses count from the same commits, so they may alternate, as {@link
 * OverlappedTrees} describes. Chunks that were written and not recorded, because an access failed,
 * do not count as durable, whoever syncs the journal.
 */
final class EvictionCommits implements RangeTree.EvictionLog {

  private final BucketStore store;
  private final RangeTree[] trees;
  private final int mostHeld;

  /** For each tree, its evictions up to the last durable commit. */
  private final long[] durable;

  /** Written, and not recorded. */
  private final Deque<PathEviction> written = new ArrayDeque<>();

  /** The least cnt that a read of a tree which is under way was planned for. */
  private IntToLongFunction lowestPlanned = tree -> Long.MAX_VALUE;

  private @Nullable Journal journal;

  EvictionCommits(BucketStore store, RangeTree[] trees, int mostHeld) {
    this.mostHeld = mostHeld;
    this.store = store;
    this.trees = trees;
    durable = new long[trees.length];
  }

  /**
   * Returns the most blocks that a client holds of a tree: treetop, window, an access, and the
   * stash.
   */
  static int mostHeld(TreeParameters config, StoreLayout layout, int inFlight) {
    return layout.geometry(0).treetopBlocks()
        + (inFlight == 1
            ? config.windowBlocks()
            : OverlappedEvictions.mostOwedBlocks(config, layout, 0))
        + config.backlogBlocks()
        + 4 * config.maxRangeBlocks() * inFlight
        + config.stashLimitBlocks();
  }

  /** Commits to a journal from now on; what was done before is durable. */
  void start(@Nullable Journal newJournal) {
    journal = newJournal;
    written.clear();
    Arrays.fill(durable, 0);
    durable(recorded());
  }

  /** Goes on with the journal of the same ORAM when it was smaller, which owes no commit. */
  void goOnFrom(EvictionCommits smaller) {
    if (smaller.areOwed()) {
      throw new IllegalStateException("evictions were written and are not recorded");
    }
    journal = smaller.journal;
    System.arraycopy(smaller.durable, 0, durable, 0, durable.length);
  }

  /**
   * Allows reads in flight concurrently with evictions.
   *
   * @param newLowestPlanned returns the least cnt for which such a read of a tree was planned
   */
  void readsUnderWay(IntToLongFunction newLowestPlanned) {
    lowestPlanned = newLowestPlanned;
  }

  /** Returns the floor: whether the next evictions of a tree may be written. */
  boolean mayWrite(RangeTree tree, int paths) {
    return !awaitsDurable(tree, paths)
        && isWithin(tree, paths, lowestPlanned.applyAsLong(tree.geometry().tree()));
  }

  /**
   * Returns whether the next evictions of a tree must not be written before more commits are
   * durable.
   */
  boolean awaitsDurable(RangeTree tree, int paths) {
    return !isWithin(tree, paths, durable[tree.geometry().tree()]);
  }

  /** Returns whether the next evictions end at most S beyond a count. */
  private boolean isWithin(RangeTree tree, int paths, long evictions) {
    long end = tree.schedule().evictions() + paths;
    return evictions >= end - store.mostAhead(tree.geometry().tree());
  }

  @Override
  public void beforeChunk(RangeTree tree, int paths) throws IOException {
    if (journal != null && awaitsDurable(tree, paths)) {
      commit();
      journal.sync();
      journalSynced();
    }
  }

  @Override
  public void afterChunk(PathEviction chunk) {
    if (journal != null) {
      written.add(chunk);
    } else {
      durable(recorded());
    }
  }

  /** Returns whether chunks were written and are not recorded. */
  boolean areOwed() {
    return !written.isEmpty();
  }

  /** Records all chunks written so far. */
  void commit() throws IOException {
    if (journal == null || written.isEmpty()) {
      return;
    }
    if (journal.syncs()) {
      store.sync();
    }
    Journal to = journal;
    while (!written.isEmpty()) {
      // Once queued it is recorded, even if the append fails: it must not be recorded twice.
      WholeState whole = written.element().tree().memory().whole();
      whole.change(() -> record(to, written.remove()));
    }
  }

  /** Records a chunk whose buckets are as durable as the mode asks for: see {@link #isSynced}. */
  void record(PathEviction chunk) throws IOException {
    if (journal != null) {
      record(journal, chunk);
    }
    if (!isSynced()) {
      durable(recorded());
    }
  }

  private void record(Journal to, PathEviction chunk) throws IOException {
    boolean none = chunk.tree().liveness().tombstones() == null;
    byte[] tombstones =
        none ? new byte[0] : GoneTombstonesDescriptor.encode(chunk.goneTombstones(), mostHeld);
    to.commit(
        chunk.tree().geometry().tree(),
        chunk.paths(),
        chunk.epoch(),
        chunk.left(),
        tombstones,
        mostLeft(chunk));
  }

  /** Returns whether chunks must be durable on the store before they are recorded. */
  boolean isSynced() {
    return journal != null && journal.syncs();
  }

  /**
   * Returns the most blocks that can leave with a chunk, computed from public values: those that
   * the client holds, and those in the buckets that the chunk wrote.
   */
  private int mostLeft(PathEviction chunk) {
    TreeGeometry geometry = chunk.tree().geometry();
    return (int) Math.min(mostHeld, geometry.mostBuckets(chunk.paths()) * geometry.slots());
  }

  /** Notes that the journal was synced, so that all records are durable. */
  void journalSynced() {
    durable(recorded());
  }

  /** Returns, for each tree, its evictions up to the last recorded one. */
  long[] recorded() {
    long[] counters = new long[trees.length];
    for (int tree = 0; tree < trees.length; tree++) {
      counters[tree] = trees[tree].schedule().evictions();
    }
    for (PathEviction chunk : written) {
      int tree = chunk.tree().geometry().tree();
      counters[tree] = Math.min(counters[tree], chunk.first());
    }
    return counters;
  }

  /** Notes that these records are durable. */
  void durable(long[] recorded) {
    for (int tree = 0; tree < trees.length; tree++) {
      durable[tree] = Math.max(durable[tree], recorded[tree]);
      trees[tree].discardOlder(Math.min(durable[tree], lowestPlanned.applyAsLong(tree)));
    }
  }
}
