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
 * Overlapping accesses of a linked tree (TaoStore, processor): several paths are read at a time,
 * and one write-back goes on alongside them.
 *
 * <p>A write-back begins only when the one before is durable in the journal, if there is one, since
 * it overwrites places that were current before that one; and when no read in flight needs what it
 * overwrites.
 *
 * <p>While {@linkplain #isIdle nothing is in flight}, and no read begins, the engine may be used
 * for anything else, in calls that do not run at the same time as those of this class: accesses, a
 * scan, an audit. Both share the record of what is durable, owed and failed, so overlapping
 * accesses may begin again at once, without {@link #resume}, unless this {@link #hasFailed}.
 *
 * <h2>Security</h2>
 *
 * A read shows what {@link PendingReads#choose} chose. When reads and write-backs begin follows
 * from the number of accesses and from how fast the store and the journal answer; nothing depends
 * on what they brought.
 */
final class OverlappedPaths implements Overlap {

  private static final Logger LOG = LoggerFactory.getLogger(OverlappedPaths.class);

  /** The most requests of a write-back that the store has at a time; more wait for their turn. */
  private static final int WRITES = 16;

  private final TreeAccesses accesses;
  private final LinkedTree tree;
  private final WriteBacks writeBacks;
  private final AsyncBlockStore store;
  private final Executor turns;
  private final Runnable changed;

  /** The most paths in flight when another read begins: one per access, and a range. */
  private final int mostPaths;

  /** Reads that were begun and are not complete, oldest first. */
  private final Deque<Begun> begun = new ArrayDeque<>();

  /** Reads that have been sent to the store and not been answered, oldest first. */
  private final Set<Begun> reading = new LinkedHashSet<>();

  private @Nullable WriteBack writing;
  private @Nullable PacedSlices pace;

  private boolean awaitingDurable;

  /** Creates the accesses of a tree, with none in flight. */
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

  @SuppressWarnings("FutureReturnValueIgnored") // ended() gets the outcome
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

  /** Returns true also if an access that did not overlap has left a request pending. */
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
