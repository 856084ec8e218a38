package io.github.roram.range;

import io.github.roram.OverlapStats;
import io.github.roram.engine.Overlap;
import io.github.roram.engine.RepeatedRead;
import io.github.roram.engine.Transfer;
import io.github.roram.journal.Intent;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.tree.PathRead;
import io.github.roram.tree.RangeTree;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Overlapping accesses of a {@link TreeOram}, by the rules in docs/construction.md. This class has
 * the reads; {@link OverlappedEvictions} has the evictions that they owe.
 *
 * <h2>In turn with accesses one at a time</h2>
 *
 * Whenever this {@linkplain #isIdle is idle} and no read has begun, the engine itself may be called
 * under the same lock: {@link TreeOram#access}, {@link TreeOram#completePending}, a scan, a check,
 * a copy of its state. Afterwards accesses may overlap again without any preparation, unless this
 * {@linkplain #hasFailed has failed}, which includes that one of those calls left work undone. Both
 * kinds keep to one floor and count from the same commits ({@link EvictionCommits}). A chunk that
 * was read ahead and not placed is kept meanwhile. It is dropped if the engine has made its
 * evictions; otherwise it remains valid, because none of its copies was judged. A new key epoch
 * begins in such a call, or in {@link #resume}, when no thread of the store opens or seals; if one
 * is due, no overlapping access begins before it.
 *
 * <h2>Security</h2>
 *
 * A read shows what {@link TreeOram#begin} chose: fresh labels, each used once. When reads and
 * evictions begin depends on the number and classes of accesses and on how fast the store answers,
 * never on the content that they read.
 */
final class OverlappedTrees implements Overlap {

  private final TreeOram oram;
  private final List<RangeTree> trees;
  private final AsyncBucketStore store;
  private final Executor turns;
  private final OverlappedEvictions evictions;
  private final Runnable changed;

  /** Reads that have begun and are not complete, oldest first. */
  private final Deque<Begun> begun = new ArrayDeque<>();

  /** Reads that the store was asked for and has not answered. */
  private final Set<Begun> reading = new HashSet<>();

  /**
   * Creates the object with nothing in flight.
   *
   * @param store closed with this
   */
  OverlappedTrees(TreeOram oram, AsyncBucketStore store, Executor turns, Runnable changed) {
    this.oram = oram;
    this.store = store;
    this.turns = turns;
    this.changed = changed;
    trees = oram.rangeTrees();
    evictions = new OverlappedEvictions(oram, store, turns, changed);
    oram.commits.readsUnderWay(this::lowestPlanned);
  }

  /** Returns the least cnt for which a read of a tree in flight was planned. */
  private long lowestPlanned(int tree) {
    long lowest = Long.MAX_VALUE;
    for (Begun read : reading) {
      lowest = Math.min(lowest, read.parts.plannedAt(tree));
    }
    return lowest;
  }

  @Override
  public int reads(Transfer transfer) {
    return oram.reads(transfer);
  }

  @Override
  public boolean hasRoom() {
    return evictions.hasRoom();
  }

  @Override
  public Read begin(Transfer transfer, int read) throws IOException {
    Intent intent = oram.begin(transfer, read);
    Begun next = new Begun(intent, transfer, read);
    begun.add(next);
    return next;
  }

  @Override
  public void evict() {
    evictions.begin();
  }

  @Override
  public boolean awaitsDurable() {
    return evictions.awaitDurable();
  }

  @Override
  public boolean hasFailed() {
    return evictions.hasFailed() || oram.pending.count() != begun.size() || oram.whole().isTorn();
  }

  @Override
  public boolean isIdle() {
    return reading.isEmpty() && evictions.areIdle();
  }

  @Override
  public long[] recorded() {
    return oram.commits.recorded();
  }

  @Override
  public void durable(long[] recorded) {
    oram.commits.durable(recorded);
  }

  @Override
  public void giveUp() {
    for (Begun read : begun) {
      read.abandon();
      if (!reading.contains(read)) {
        read.parts.giveUp();
      }
    }
    begun.clear();
    evictions.giveUpRead();
  }

  @Override
  public void resume() throws IOException {
    evictions.resume();
  }

  @Override
  public OverlapStats stats() {
    long owed = 0;
    int paths = 0;
    for (int tree = 0; tree < trees.size(); tree++) {
      owed += trees.get(tree).schedule().owedBlocks();
      paths += evictions.underWay(tree);
    }
    return new OverlapStats(begun.size(), owed, paths, oram.pending.fakes(), 0);
  }

  @Override
  public void close() {
    store.close();
  }

  /** Returns the read that shows the label of a block of a position map; it was asked for. */
  private PathRead showing(int tree, int block) {
    for (Begun read : begun) {
      PathRead found = read.parts.showing(tree, block);
      if (found != null) {
        return found;
      }
    }
    throw new IllegalStateException("no read shows block " + block + " of tree " + tree);
  }

  /**
   * Requests further parts of reads, in order: of those whose previous part has arrived, as have
   * those of all older reads. So the time of a request depends on when the store answers.
   */
  private void askNext() {
    int arrived = Integer.MAX_VALUE;
    for (Begun read : begun) {
      arrived = Math.min(arrived, read.parts.arrived());
      if (read.parts.awaitsNext() && read.parts.arrived() == arrived) {
        read.goOn();
      }
    }
  }

  /** A read that was begun. */
  private final class Begun extends RepeatedRead {
    private final ChainedRead parts;
    private final Transfer transfer;
    private final int number;

    Begun(Intent intent, Transfer transfer, int number) {
      super(turns, changed);
      parts = oram.chained(intent);
      this.transfer = transfer;
      this.number = number;
    }

    @Override
    public void start() {
      reading.add(this);
      ask();
    }

    private void goOn() {
      reading.add(this);
      askAnew();
    }

    @Override
    protected CompletableFuture<Void> request() {
      return parts.ask(store, OverlappedTrees.this::showing);
    }

    @Override
    protected void answered(boolean isKept) {
      reading.remove(this);
      if (isAbandoned()) {
        parts.giveUp();
      } else if (isKept) {
        parts.partArrived();
        askNext();
      }
    }

    @Override
    public boolean hasArrived() {
      return parts.hasArrived();
    }

    @Override
    public void complete() throws IOException {
      if (begun.remove() != this) {
        throw new IllegalStateException("a read is completed before an older one");
      }
      oram.whole()
          .change(
              () -> {
                parts.keep();
                oram.arrived(parts);
                oram.carryOut(transfer, number, parts.intent(), parts.arrivals());
              });
    }
  }
}
