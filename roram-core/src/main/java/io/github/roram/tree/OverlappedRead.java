package io.github.roram.tree;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.store.AsyncBucketStore;
import java.util.concurrent.CompletableFuture;

/**
 * A {@link PathRead} that the store makes beside others: it is asked for, arrives at any time, and
 * changes the client's state when it is kept. What it asks for is settled when it is made, however
 * often it is asked.
 *
 * <p>Calls come one after another; buckets are opened on the store's threads.
 */
public final class OverlappedRead {

  private final RangeTree tree;
  private final PathRead read;
  private final long evictions;
  private final ArrivedBlocks arrived;

  /**
   * A read of ranges of a tree.
   *
   * @param evictions cnt: how many evictions of the tree are done
   */
  public OverlappedRead(RangeTree tree, int[] ranges, int[] labels, long evictions) {
    this.tree = tree;
    this.evictions = evictions;
    read = new PathRead(tree, ranges, labels, evictions);
    arrived = new ArrivedBlocks(tree.memory().lanes(), read.runs(), read::isShown);
  }

  /** The tree that is read. */
  public RangeTree tree() {
    return tree;
  }

  /** cnt: it takes the buckets as they are after so many evictions. */
  public long plannedAt() {
    return evictions;
  }

  /** Asks the store; what arrived before is forgotten. */
  public CompletableFuture<Void> ask(AsyncBucketStore store) {
    arrived.clear();
    return store.read(read.runs(), arrived);
  }

  /** Brings the current blocks of the ranges to the stash; returns their addresses. */
  public IntArrayList keep() {
    arrived.takeAll(read::keepIfCurrent);
    arrived.clear();
    read.end();
    return read.arrivals();
  }

  /** Forgets what arrived: another read does the same. The store has ended this one. */
  public void giveUp() {
    arrived.clear();
    read.end();
  }
}
