package io.github.roram.range;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.journal.Journal;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.store.BucketStore;
import io.github.roram.tree.EvictionLog;
import io.github.roram.tree.GoneTombstones;
import io.github.roram.tree.GoneTombstonesDescriptor;
import io.github.roram.tree.OverlappedEviction;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Commits eviction chunks: once they are durable on the store, the journal records that they are
 * (construction, section 6, step 3). Several chunks share one sync.
 *
 * <p>A chunk may overwrite versions that are S evictions old ({@link BucketStore#mostAhead}). Until
 * its commit is durable in the journal, recovery needs the versions before it; so no chunk is
 * written that would reach further than S beyond the last durable commit of its tree. One access at
 * a time meets that bound where a range owes more chunks than S has room for.
 *
 * <p>Without a journal there is nothing to commit. What is older than a commit is discarded.
 */
final class EvictionCommits implements EvictionLog {

  private final BucketStore store;
  private final RangeTree[] trees;
  private final int mostHeld;
  private final long[] durable;
  private final Deque<Chunk> written = new ArrayDeque<>();
  private @Nullable Journal journal;

  private record Chunk(
      int tree, int paths, int epoch, IntArrayList left, GoneTombstones tombstones) {}

  EvictionCommits(BucketStore store, RangeTree[] trees, int mostHeld) {
    this.mostHeld = mostHeld;
    this.store = store;
    this.trees = trees;
    durable = new long[trees.length];
  }

  /** The most blocks that a client holds of a tree: treetop, window, an access, and the stash. */
  static int mostHeld(TreeParameters config, TreeGeometry geometry, int inFlight) {
    return geometry.treetopBlocks()
        + (inFlight == 1 ? config.windowBlocks() : OverlappedEvictions.mostOwedBlocks(config))
        + config.backlogBlocks()
        + 4 * config.maxRangeBlocks() * inFlight
        + config.stashLimitBlocks();
  }

  /** Commits to a journal from now on; what was done before is durable. */
  void start(@Nullable Journal newJournal) {
    journal = newJournal;
    written.clear();
    allDurable();
  }

  private void allDurable() {
    for (int tree = 0; tree < trees.length; tree++) {
      durable[tree] = trees[tree].schedule().evictions();
      trees[tree].discardOlder(durable[tree]);
    }
  }

  @Override
  public void beforeChunk(RangeTree tree, int paths) throws IOException {
    if (journal == null) {
      return;
    }
    long reach = tree.schedule().evictions() + paths - durable[tree.geometry().tree()];
    if (reach > store.mostAhead(tree.geometry().tree())) {
      commit();
      journal.sync();
      allDurable();
    }
  }

  @Override
  public void afterChunk(
      RangeTree tree, int paths, int epoch, IntArrayList left, GoneTombstones tombstones) {
    if (journal != null) {
      written.add(
          new Chunk(tree.geometry().tree(), paths, epoch, new IntArrayList(left), tombstones));
    } else {
      tree.discardOlder(tree.schedule().evictions());
    }
  }

  /** Whether chunks were written and are not recorded. */
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
    while (!written.isEmpty()) {
      Chunk chunk = written.element();
      // Once handed over it is queued, even if the append fails: it must not be recorded twice.
      written.remove();
      record(journal, chunk);
    }
  }

  /** Records a chunk whose buckets are as durable as the mode asks for: see {@link #isSynced}. */
  void record(OverlappedEviction chunk) throws IOException {
    if (journal != null) {
      RangeTree tree = chunk.tree();
      Chunk done =
          new Chunk(
              tree.geometry().tree(),
              chunk.paths(),
              chunk.epoch(),
              chunk.left(),
              chunk.goneTombstones());
      record(journal, done);
    }
  }

  private void record(Journal to, Chunk chunk) throws IOException {
    boolean none = trees[chunk.tree()].liveness().tombstones() == null;
    byte[] tombstones =
        none ? new byte[0] : GoneTombstonesDescriptor.encode(chunk.tombstones(), mostHeld);
    to.commit(
        chunk.tree(), chunk.paths(), chunk.epoch(), chunk.left(), tombstones, mostLeft(chunk));
  }

  /** Whether chunks must be durable on the store before they are recorded. */
  boolean isSynced() {
    return journal != null && journal.syncs();
  }

  /** How many evictions of a tree beyond the last durable commit may be written. */
  int mostAhead(int tree) {
    return store.mostAhead(tree);
  }

  /**
   * The most blocks that can leave by a chunk, as everyone can tell: what the client holds, and
   * what the buckets hold that the chunk wrote.
   */
  private int mostLeft(Chunk chunk) {
    TreeGeometry geometry = trees[chunk.tree()].geometry();
    long buckets = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      buckets += Math.min(chunk.paths(), 1L << level);
    }
    return (int) Math.min(mostHeld, buckets * geometry.slots());
  }

  /** Records that the journal was synced while nothing was left to commit. */
  void journalSynced() {
    if (written.isEmpty()) {
      allDurable();
    }
  }
}
