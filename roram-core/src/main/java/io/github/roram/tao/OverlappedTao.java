package io.github.roram.tao;

import io.github.roram.OverlapStats;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Overlap;
import io.github.roram.engine.RepeatedRead;
import io.github.roram.engine.Transfer;
import io.github.roram.journal.Intent;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.IoPhase;
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
 * Accesses of a {@link TaoOram} that overlap (TaoStore, processor): paths are read beside one
 * another, and one write-back goes on beside them.
 *
 * <p>A write-back is begun only when the one before is durable in the journal, since it overwrites
 * the places that were current before that; and when no read under way needs such a place.
 *
 * <h2>Security</h2>
 *
 * A read shows what {@link RequestMap#choose} chose. When reads and write-backs begin follows from
 * the number of accesses and from how fast the store and the journal answer; nothing depends on
 * what they brought.
 */
final class OverlappedTao implements Overlap {

  private static final Logger LOG = LoggerFactory.getLogger(OverlappedTao.class);

  /** Requests of a write-back that the store has at the same time; more wait in turn. */
  private static final int WRITES = 16;

  private final TaoOram oram;
  private final TaoTree tree;
  private final WriteBacks writeBacks;
  private final AsyncBlockStore store;
  private final Executor turns;
  private final Runnable changed;

  /** Those that were begun and are not complete, oldest first. */
  private final Deque<Begun> begun = new ArrayDeque<>();

  /** Reads that the store was asked for and has not answered, oldest first. */
  private final Set<Begun> reading = new LinkedHashSet<>();

  private @Nullable WriteBack writing;
  private @Nullable PacedWrite pace;

  /** Write-backs that the journal has for good. */
  private long durable;

  private boolean awaitingDurable;
  private boolean failed;

  /** None under way. */
  OverlappedTao(TaoOram oram, OramContext context, Executor turns, Runnable changed) {
    this.oram = oram;
    this.turns = turns;
    this.changed = changed;
    tree = oram.tree();
    writeBacks = oram.writeBacks();
    store = context.store().async(context.options().inFlight() + WRITES);
  }

  @Override
  public int reads(Transfer transfer) {
    return transfer.blocks();
  }

  @Override
  public boolean hasRoom() {
    return writeBacks.hasRoom();
  }

  @Override
  public Read begin(Transfer transfer, int read) throws IOException {
    Begun next = new Begun(oram.begin(transfer, read), transfer, read);
    begun.add(next);
    return next;
  }

  @Override
  public void evict() {
    awaitingDurable = false;
    if (pace != null && !writeBacks.hasRoom()) {
      pace.hurry();
    }
    if (writing != null || failed || !writeBacks.isDue()) {
      return;
    }
    awaitingDurable = durable < tree.writeBacks();
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
    write(next).whenCompleteAsync((nothing, thrown) -> ended(next, thrown), turns);
  }

  private CompletableFuture<Void> write(WriteBack next) {
    try {
      next.place();
    } catch (IOException | RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
    PacedWrite slices =
        new PacedWrite(
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
      ended.giveUp();
      failed = true;
    }
    changed.run();
  }

  private void apply(WriteBack ended) {
    try {
      writeBacks.apply(ended);
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("a write-back could not be recorded yet: {}", e.toString());
      failed = true;
    }
    if (!writeBacks.areSynced()) {
      durable = tree.writeBacks();
    }
  }

  @Override
  public boolean awaitsDurable() {
    return awaitingDurable;
  }

  @Override
  public boolean hasFailed() {
    return failed;
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
    durable = Math.max(durable, recorded[0]);
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
    failed = false;
    writeBacks.settled();
    durable = tree.writeBacks();
  }

  @Override
  public OverlapStats stats() {
    int paths = writing == null ? 0 : writeBacks.paths();
    return new OverlapStats(
        begun.size(), tree.unwrittenPaths(), paths, oram.requests().fakes(), tree.subtree().size());
  }

  @Override
  public void close() {
    store.close();
  }

  /** A read that was begun. */
  private final class Begun extends RepeatedRead {
    private final Intent intent;
    private final Transfer transfer;
    private final int number;
    private @Nullable PathFetch path;

    Begun(Intent intent, Transfer transfer, int number) {
      super(turns, changed);
      this.intent = intent;
      this.transfer = transfer;
      this.number = number;
    }

    private PathFetch path() {
      if (path == null) {
        path = new PathFetch(tree, IoPhase.READ, intent.labels());
      }
      return path;
    }

    boolean isEndangeredBy(WriteBack next) {
      return path().isEndangeredBy(next.union(), tree.subtree());
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
      path().clear();
      return store.read(path().extents(), path());
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
      oram.carryOut(transfer, number, intent);
    }
  }
}
