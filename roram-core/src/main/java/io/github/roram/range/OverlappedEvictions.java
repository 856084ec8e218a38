package io.github.roram.range;

import io.github.roram.eviction.EvictionSchedule;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.threads.Futures;
import io.github.roram.tree.PathEviction;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.SlicedStore;
import io.github.roram.tree.TreeGeometry;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evictions that run concurrently with reads, in short chunks, so that the store can serve the
 * reads in between. A chunk is recorded once its buckets are as durable as the mode requires; from
 * then on the client has the state after it.
 *
 * <p>One chunk of a tree at a time is placed and written. Its successor is read in the meantime, if
 * another whole chunk is owed and the two have no bucket below the treetop in common ({@link
 * TreeGeometry#areApart}); it is placed once the first is recorded. When that begins depends on the
 * debt, on the shape of the tree and on the progress of the first chunk.
 *
 * <p>A chunk is read and written only as the floor of {@link EvictionCommits} allows. A chunk that
 * was read ahead is dropped if accesses that do not overlap have made its evictions in the
 * meantime.
 *
 * <p>After a failure nothing begins until {@link #resume}; chunks that were read ahead are dropped.
 */
final class OverlappedEvictions {

  private static final Logger LOG = LoggerFactory.getLogger(OverlappedEvictions.class);

  /**
   * The most evictions of a chunk, where the store keeps no more together. With five levels of
   * treetop or more short ones cost no bytes.
   */
  static final int CHUNK_PATHS = 32;

  /** Chunks of a tree that are under way: one is placed and written, the next one is read. */
  static final int CHUNKS_A_TREE = 2;

  /** Number of longest chunks that may be owed beyond the window before accesses wait. */
  static final int MOST_CHUNKS_OWED = 2;

  /** Requests that the chunks of a tree have under way at the same time. */
  static final int SLICES = CHUNKS_A_TREE * SlicedStore.HURRIED_WINDOW;

  private final TreeOram oram;
  private final RangeTree[] trees;
  private final EvictionCommits commits;
  private final SlicedStore store;
  private final Executor turns;
  private final Runnable changed;

  /** For each tree, the chunk that is being read, or was read and waits for its turn. */
  private final @Nullable PathEviction[] reading;

  /** For each tree, the chunk that was placed and is being written. */
  private final @Nullable PathEviction[] writing;

  private boolean awaitingDurable;
  private boolean failed;

  /** Creates the object with no chunk in flight. */
  OverlappedEvictions(TreeOram oram, AsyncBucketStore store, Executor turns, Runnable changed) {
    this.oram = oram;
    this.turns = turns;
    this.changed = changed;
    commits = oram.commits;
    this.store = new SlicedStore(store, oram.buckets()::unit, () -> !hasRoom(), turns);
    trees = oram.rangeTrees().toArray(new RangeTree[0]);
    reading = new PathEviction[trees.length];
    writing = new PathEviction[trees.length];
  }

  /** Returns whether less than the most is owed of every tree. */
  boolean hasRoom() {
    for (RangeTree tree : trees) {
      if (tree.schedule().owedBlocks() >= oram.mostOwedBlocks(tree.geometry().tree())) {
        return false;
      }
    }
    return true;
  }

  /** Returns what may be owed of a tree before accesses wait. */
  static int mostOwedBlocks(TreeParameters config, StoreLayout layout, int tree) {
    int chunkBlocks = (layout.chunkPaths(config, tree) * config.evictionHalfBlocks() + 1) / 2;
    return layout.windowBlocks(config, tree) + MOST_CHUNKS_OWED * chunkBlocks;
  }

  /** Begins what is due and may be. */
  void begin() {
    awaitingDurable = false;
    for (int tree = 0; tree < trees.length && !hasFailed(); tree++) {
      writeRead(tree);
      if (reading[tree] == null) {
        readNext(tree);
      }
    }
  }

  /** Begins to read the chunk that comes next, if one is due. */
  private void readNext(int tree) {
    EvictionSchedule schedule = trees[tree].schedule();
    PathEviction before = writing[tree];
    if (before != null) {
      int paths = pathsAfter(tree, before);
      if (paths > 0) {
        read(tree, before.end(), paths);
      }
      return;
    }
    int paths = Math.min(mostPaths(tree), schedule.due());
    if (paths > 0 && mayWrite(tree, paths)) {
      read(tree, schedule.evictions(), paths);
    }
  }

  /** Evictions of the chunk that is to be read while another is written; 0 if none is. */
  private int pathsAfter(int tree, PathEviction before) {
    int paths = Math.min(mostPaths(tree), trees[tree].schedule().dueAfter(before.paths()));
    boolean isWhole = paths == Math.min(mostPaths(tree), oram.chunkPaths(tree));
    boolean areApart = trees[tree].geometry().areApart(before.paths() + paths);
    return isWhole && areApart ? paths : 0;
  }

  /** Returns the most evictions of a chunk; a store that keeps more together gets those at once. */
  private int mostPaths(int tree) {
    return Math.max(CHUNK_PATHS, oram.buckets().unit(tree));
  }

  private boolean mayWrite(int tree, int paths) {
    awaitingDurable |= commits.awaitsDurable(trees[tree], paths);
    return commits.mayWrite(trees[tree], paths);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // its end is told to this
  private void read(int tree, long first, int paths) {
    PathEviction chunk = new PathEviction(trees[tree], first, paths);
    reading[tree] = chunk;
    chunk.read(store).whenCompleteAsync((nothing, thrown) -> arrived(tree, chunk, thrown), turns);
  }

  private void arrived(int tree, PathEviction chunk, @Nullable Throwable thrown) {
    if (thrown == null) {
      chunk.arrived();
      writeRead(tree);
    } else {
      reading[tree] = null;
      fail(chunk, thrown);
    }
    changed.run();
  }

  /** Places and writes what was read, if it is its turn. */
  @SuppressWarnings("FutureReturnValueIgnored") // its end is told to this
  private void writeRead(int tree) {
    PathEviction chunk = reading[tree];
    if (chunk == null || failed || !chunk.hasArrived() || writing[tree] != null) {
      return;
    }
    if (chunk.first() < trees[tree].schedule().evictions()) {
      // Its evictions have already been made.
      chunk.giveUp();
      reading[tree] = null;
    } else if (mayWrite(tree, chunk.paths())) {
      reading[tree] = null;
      writing[tree] = chunk;
      CompletableFuture<Void> written = Futures.begun(() -> chunk.write(store, commits.isSynced()));
      written.whenCompleteAsync((nothing, thrown) -> written(tree, chunk, thrown), turns);
    }
  }

  private void written(int tree, PathEviction chunk, @Nullable Throwable thrown) {
    writing[tree] = null;
    if (thrown == null) {
      apply(chunk);
      writeRead(tree);
    } else {
      fail(chunk, thrown);
    }
    changed.run();
  }

  private void fail(PathEviction chunk, Throwable thrown) {
    LOG.warn("an eviction failed and is left to the next access: {}", thrown.toString());
    chunk.giveUp();
    failed = true;
  }

  private void apply(PathEviction chunk) {
    try {
      oram.whole()
          .change(
              () -> {
                chunk.applied();
                commits.record(chunk);
              });
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("an eviction could not be recorded yet: {}", e.toString());
      failed = true;
    } finally {
      chunk.close();
    }
  }

  /** Evictions of a tree that are under way. */
  int underWay(int tree) {
    return paths(reading[tree]) + paths(writing[tree]);
  }

  private static int paths(@Nullable PathEviction chunk) {
    return chunk == null ? 0 : chunk.paths();
  }

  /** Returns whether one that is due waits until commits are durable. */
  boolean awaitDurable() {
    return awaitingDurable;
  }

  /**
   * Returns whether some failed, next to reads or not, and are to be done again before anything is
   * begun: in a new key epoch if one is due, which begins while nobody asks for keys.
   */
  boolean hasFailed() {
    return failed || commits.areOwed() || trees[0].memory().epochs().isNewDue();
  }

  /** Returns whether the store has answered all that it was asked. */
  boolean areIdle() {
    for (int tree = 0; tree < trees.length; tree++) {
      PathEviction ahead = reading[tree];
      if (writing[tree] != null || (ahead != null && !ahead.hasArrived())) {
        return false;
      }
    }
    return true;
  }

  /** Drops what was read ahead; it can be read again. */
  void giveUpRead() {
    for (int tree = 0; tree < trees.length; tree++) {
      PathEviction ahead = reading[tree];
      if (ahead != null && ahead.hasArrived()) {
        ahead.giveUp();
        reading[tree] = null;
      }
    }
  }

  /** Resumes after a failure: everything is recorded durably, and nothing is in flight. */
  void resume() throws IOException {
    failed = false;
    giveUpRead();
    // A new epoch begins while nobody asks for keys.
    trees[0].memory().epochs().hold();
    commits.journalSynced();
  }
}
