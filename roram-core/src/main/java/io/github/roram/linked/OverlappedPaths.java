package io.github.roram.linked;

import io.github.roram.OverlapStats;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Overlap;
import io.github.roram.engine.RepeatedRead;
import io.github.roram.engine.Transfer;
import io.github.roram.journal.Intent;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.threads.Futures;
import io.github.roram.tree.PacedSlices;
import io.github.roram.tree.PendingReads;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accesses of a linked tree that overlap (TaoStore, processor): paths are read alongside one
 * another, and one write-back goes on alongside them.
 *
 * <p>A write-back is begun only when the one before is durable in the journal, if there is one,
 * since it overwrites the places that were current before that; and when no read under way needs
 * what it overwrites.
 *
 * <p>While {@linkplain #isIdle nothing is under way}, and no read is begun, the engine may be asked
 * for anything else, by calls that come one after another with those of this: accesses, a scan, an
 * audit. What is known to be durable, owed and failed is kept for both; so accesses that overlap
 * may begin again at once, without {@link #resume}, unless this {@link #hasFailed}.
 *
 * <h2>Security</h2>
 *
 * A read shows what {@link PendingReads#choose} chose. When reads and write-backs begin follows
 * from the number of accesses and from how fast the store and the journal answer; nothing depends
 * on what they brought.
 */
final class OverlappedPaths implements Overlap {

  private static final Logger LOG = LoggerFactory.getLogger(OverlappedPaths.class);

  /** Requests of a write-back that the store has at the same time; more wait in turn. */
  private static final int WRITES = 16;

  private final TreeAccesses accesses;
  private final LinkedTree tree;
  private final WriteBacks writeBacks;
  private final AsyncBlockStore store;
  private final Executor turns;
  private final Runnable changed;

  /** Paths that may be under way when another read begins: its client has room for a range. */
  private final int mostPaths;

  /** Those that were begun and are not complete, oldest first. */
  private final Deque<Begun> begun = new ArrayDeque<>();

  /** Reads that the store was asked for and has not answered, oldest first. */
  private final Set<Begun> reading = new LinkedHashSet<>();

  private @Nullable WriteBack writing;
  private @Nullable PacedSlices pace;

  private boolean awaitingDurable;

  /** None under way. */
  OverlappedPaths(TreeAccesses accesses, OramContext context, Executor turns, Runnable changed) {
    this.accesses = accesses;
    this.turns = turns;
    this.changed = changed;
    tree = accesses.tree();
    writeBacks = accesses.writeBacks();
    mostPaths = context.options().inFlight() + context.config().maxRangeBlocks();
    store = context.store().async(context.options().inFlight() + WRITES);
  }

  @Override
  public int reads(Transfer transfer) {
    return transfer.hasProgram() ? 1 : transfer.blocks();
  }

  @Override
  public boolean hasRoom() {
    int paths = 0;
    for (Begun read : begun) {
      paths += read.intent.labels().length;
    }
    return writeBacks.hasRoom() && paths <= mostPaths;
  }

  @Override
  public Read begin(Transfer transfer, int read) throws IOException {
    int[] blocks =
        transfer.hasProgram() ? TreeAccesses.runs(transfer) : new int[] {transfer.block() + read};
    Begun next = new Begun(accesses.begin(blocks), transfer);
    begun.add(next);
    return next;
  }

  @Override
  public void evict() {
    awaitingDurable = false;
    if (pace != null && !writeBacks.hasRoom()) {
      pace.hurry();
    }
    if (writing != null || writeBacks.haveFailed() || !writeBacks.isDue()) {
      return;
    }
    awaitingDurable = !writeBacks.areDurable();
    if (!awaitingDurable) {
      begin(new WriteBack(tree, writeBacks.paths()));
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // its end is told to this
  private void begin(WriteBack next) {
    if (reading.stream().anyMatch(read -> read.isEndangeredBy(next))) {
      return;
    }
    writing = next;
    Futures.begun(() -> write(next))
        .whenCompleteAsync((nothing, thrown) -> ended(next, thrown), turns);
  }

  private CompletableFuture<Void> write(WriteBack next) {
    try {
      next.place();
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
    PacedSlices slices =
        new PacedSlices(
            next.union().units(),
            tree.descriptor().sealedBytes(),
            next.paths(),
            (first, units) -> store.write(next.extents(first, units), next.sealing(first)),
            turns);
    pace = slices;
    CompletableFuture<Void> written = slices.begin();
    return writeBacks.areSynced() ? written.thenCompose(nothing -> store.sync()) : written;
  }

  private void ended(WriteBack ended, @Nullable Throwable thrown) {
    writing = null;
    pace = null;
    if (thrown == null) {
      apply(ended);
    } else {
      LOG.warn("a write-back failed and is left to the next access: {}", thrown.toString());
      writeBacks.giveUp(ended);
    }
    changed.run();
  }

  private void apply(WriteBack ended) {
    try {
      writeBacks.apply(ended);
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("a write-back could not be recorded yet: {}", e.toString());
    }
  }

  @Override
  public boolean awaitsDurable() {
    return awaitingDurable;
  }

  /** Be it that an access that does not overlap left something undone. */
  @Override
  public boolean hasFailed() {
    return writeBacks.haveFailed() || accesses.requests().count() > begun.size();
  }

  @Override
  public boolean isIdle() {
    return reading.isEmpty() && writing == null;
  }

  @Override
  public long[] recorded() {
    return new long[] {tree.writeBacks()};
  }

  @Override
  public void durable(long[] recorded) {
    writeBacks.durable(recorded[0]);
  }

  @Override
  public void giveUp() {
    for (Begun read : begun) {
      read.abandon();
      if (!reading.contains(read)) {
        read.forget();
      }
    }
    begun.clear();
  }

  @Override
  public void resume() throws IOException {
    writeBacks.settled();
  }

  @Override
  public OverlapStats stats() {
    int paths = writing == null ? 0 : writeBacks.paths();
    return new OverlapStats(
        begun.size(),
        tree.unwrittenPaths(),
        paths,
        accesses.requests().fakes(),
        tree.subtree().size());
  }

  @Override
  public void close() {
    store.close();
  }

  /** A read that was begun. */
  private final class Begun extends RepeatedRead {
    private final Intent intent;
    private final Transfer transfer;
    private @Nullable PathFetch path;

    Begun(Intent intent, Transfer transfer) {
      super(turns, changed);
      this.intent = intent;
      this.transfer = transfer;
    }

    private PathFetch path() {
      if (path == null) {
        path = new PathFetch(tree, IoPhase.READ, intent.labels());
      }
      return path;
    }

    boolean isEndangeredBy(WriteBack next) {
      return path().isEndangeredBy(next.union());
    }

    void forget() {
      if (path != null) {
        path.clear();
      }
    }

    @Override
    public void start() {
      reading.add(this);
      ask();
      if (pace != null) {
        pace.readBegan();
      }
    }

    @Override
    protected CompletableFuture<Void> request() {
      return store.read(path().extents(), path().sink());
    }

    @Override
    protected void answered(boolean isKept) {
      reading.remove(this);
      if (isKept) {
        path().keepIn(tree.subtree());
      } else if (isAbandoned()) {
        forget();
      }
    }

    @Override
    public void complete() throws IOException {
      if (begun.remove() != this) {
        throw new IllegalStateException("a read is completed before an older one");
      }
      if (transfer.hasProgram()) {
        accesses.carryOut(intent, transfer);
        return;
      }
      int address = intent.ranges()[0];
      accesses.carryOut(
          intent, transfer.writes(), (array, offset) -> transfer.move(address, array, offset));
    }
  }
}
