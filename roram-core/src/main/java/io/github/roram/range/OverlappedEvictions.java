package io.github.roram.range;

import io.github.roram.eviction.EvictionSchedule;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.tree.OverlappedEviction;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.Rule;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evictions that go on beside reads: one chunk a tree at a time, short ones, so that the store gets
 * to the reads in between. A chunk is recorded once its buckets are as durable as the mode asks
 * for; from then on the client's state is that after it.
 *
 * <p>A chunk is begun only if its last eviction is at most S beyond the last durable commit of its
 * tree, and beyond what any read under way was planned for: so what recovery and that read need is
 * not overwritten.
 *
 * <p>After a failure nothing more is begun until {@link #resume}.
 */
final class OverlappedEvictions {

  private static final Logger LOG = LoggerFactory.getLogger(OverlappedEvictions.class);

  /**
   * The most evictions of a chunk. With five levels of treetop or more short ones cost no bytes.
   */
  static final int CHUNK_PATHS = 32;

  /** Chunks of a tree that are under way at the same time. */
  static final int CHUNKS_A_TREE = 1;

  /** Beyond the window so many chunks of the longest kind may be owed before accesses wait. */
  static final int MOST_CHUNKS_OWED = 2;

  /** Requests that the chunk of a tree has under way at the same time. */
  static final int SLICES = OverlappedEviction.SLICES;

  private final TreeOram oram;
  private final RangeTree[] trees;
  private final AsyncBucketStore store;
  private final Executor turns;
  private final Set<Rule> rules;
  private final IntToLongFunction lowestPlanned;
  private final Runnable changed;
  private final @Nullable OverlappedEviction[] chunks;
  private final int mostOwedBlocks;
  private final long[] durable;
  private boolean awaitingDurable;
  private boolean failed;

  /**
   * None under way.
   *
   * @param lowestPlanned the least cnt that a read of a tree which is under way was planned for
   */
  OverlappedEvictions(
      TreeOram oram,
      AsyncBucketStore store,
      Executor turns,
      Set<Rule> rules,
      IntToLongFunction lowestPlanned,
      Runnable changed) {
    this.oram = oram;
    this.store = store;
    this.turns = turns;
    this.rules = rules;
    this.lowestPlanned = lowestPlanned;
    this.changed = changed;
    trees = oram.trees;
    mostOwedBlocks = mostOwedBlocks(oram.parameters);
    chunks = new OverlappedEviction[trees.length];
    durable = new long[trees.length];
  }

  /** Whether less than the most is owed of every tree. */
  boolean hasRoom() {
    for (RangeTree tree : trees) {
      if (tree.schedule().owedBlocks() >= mostOwedBlocks) {
        return false;
      }
    }
    return true;
  }

  /** What may be owed of a tree before accesses wait. */
  static int mostOwedBlocks(TreeParameters config) {
    int chunkBlocks = (config.chunkPaths() * config.evictionHalfBlocks() + 1) / 2;
    return config.windowBlocks() + MOST_CHUNKS_OWED * chunkBlocks;
  }

  /** Begins what is due and may be. */
  void begin() {
    awaitingDurable = false;
    for (int tree = 0; tree < trees.length && !failed; tree++) {
      int paths = Math.min(CHUNK_PATHS, trees[tree].schedule().due());
      if (chunks[tree] == null && paths > 0 && mayBegin(tree, paths)) {
        begin(tree, paths);
      }
    }
  }

  private boolean mayBegin(int tree, int paths) {
    if (!rules.contains(Rule.FLOOR)) {
      return true;
    }
    EvictionSchedule schedule = trees[tree].schedule();
    long allowed = schedule.evictions() + paths - oram.commits.mostAhead(tree);
    awaitingDurable |= durable[tree] < allowed;
    long needed = Math.min(durable[tree], lowestPlanned.applyAsLong(tree));
    trees[tree].discardOlder(needed);
    return needed >= allowed;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // its end is told to this
  private void begin(int tree, int paths) {
    OverlappedEviction chunk =
        new OverlappedEviction(trees[tree], paths, store, () -> !hasRoom(), turns, rules);
    chunks[tree] = chunk;
    CompletableFuture<Void> written = chunk.run(oram.commits.isSynced());
    written.whenCompleteAsync((nothing, thrown) -> ended(tree, chunk, thrown), turns);
  }

  private void ended(int tree, OverlappedEviction chunk, @Nullable Throwable thrown) {
    chunks[tree] = null;
    if (thrown == null) {
      apply(chunk);
    } else {
      LOG.warn("an eviction failed and is left to the next access: {}", thrown.toString());
      chunk.giveUp();
      failed = true;
    }
    changed.run();
  }

  private void apply(OverlappedEviction chunk) {
    try {
      chunk.applied();
      oram.commits.record(chunk);
    } catch (IOException e) {
      LOG.warn("an eviction could not be recorded yet: {}", e.toString());
      failed = true;
    }
    if (!oram.commits.isSynced()) {
      durable(recorded());
    }
  }

  /** Evictions of a tree that are under way. */
  int underWay(int tree) {
    OverlappedEviction chunk = chunks[tree];
    return chunk == null ? 0 : chunk.paths();
  }

  /** Whether one that is due waits until commits are durable. */
  boolean awaitDurable() {
    return awaitingDurable;
  }

  boolean hasFailed() {
    return failed;
  }

  boolean areIdle() {
    for (OverlappedEviction chunk : chunks) {
      if (chunk != null) {
        return false;
      }
    }
    return true;
  }

  /** The counters of all trees. */
  long[] recorded() {
    long[] counters = new long[trees.length];
    for (int tree = 0; tree < trees.length; tree++) {
      counters[tree] = trees[tree].schedule().evictions();
    }
    return counters;
  }

  /** All that was recorded then is durable. */
  void durable(long[] recorded) {
    for (int tree = 0; tree < trees.length; tree++) {
      durable[tree] = Math.max(durable[tree], recorded[tree]);
    }
  }

  /** Everything is recorded, durably, and nothing is under way: goes on after a failure. */
  void resume() throws IOException {
    failed = false;
    // A new epoch begins while nobody asks for keys.
    trees[0].memory().epochs().hold();
    durable(recorded());
  }
}
