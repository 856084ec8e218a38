package io.github.roram.engine;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.OramStats;
import io.github.roram.RecoveryReport;
import io.github.roram.StashOverflowException;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bulk.BulkLoader;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import io.github.roram.state.ClientRecords;
import io.github.roram.tree.BulkTarget;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.Workspace;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all schemes share: one access at a time, arguments checked before anything happens, the
 * stash limit, bulk loading and closing.
 */
public abstract class AbstractOram implements Oram {

  private static final Logger LOG = LoggerFactory.getLogger(AbstractOram.class);

  /** The parts. */
  protected final OramContext context;

  /** The working memory. */
  protected final Workspace workspace;

  private final ReentrantLock lock = new ReentrantLock();
  private final LaterWork later = new LaterWork(this::payDebt);
  private boolean closed;

  /** Whether no tree was ever accessed, so that a bulk load is possible. */
  private boolean fresh;

  /** Whether the saved state is out of date. */
  private boolean begun;

  /** Whether nothing may be recorded before a checkpoint is there. */
  private boolean checkpointFirst;

  private RecoveryReport recovery = RecoveryReport.CLEAN;
  private final Checkpoints checkpoints;
  private @Nullable Journal journal;
  private long accesses;
  private long blocksAccessed;
  private long bulkLoadBytes;

  /** An ORAM of these parts. */
  protected AbstractOram(OramContext context, Workspace workspace) {
    this.context = context;
    this.workspace = workspace;
    checkpoints =
        new Checkpoints(context.records(), context.options().checkpointBytes(), this::writeAll);
  }

  /** Starts with trees that were never accessed. */
  public final void startEmpty() throws IOException {
    fresh = true;
    begin();
  }

  /** Continues where the last checkpoint and the journal end; changes nothing. */
  public final void startFromRecords() throws IOException {
    RecoveryReport replayed =
        context
            .records()
            .restore(
                state -> {
                  fresh = state.readBoolean();
                  context.firstLabels().readFrom(state);
                  readState(state);
                },
                this::replay);
    recovery = replayed.withPendingRead(isPending());
  }

  @Override
  public final RecoveryReport recovery() {
    return recovery;
  }

  @Override
  public final void completeRecovery() throws IOException {
    if (!recovery.clean()) {
      settle();
    }
  }

  /** Begins to use the store, as the first access does: what a crash left is completed. */
  public final void settle() throws IOException {
    lock.lock();
    try {
      checkOpen();
      begin();
      mend();
      completePending();
      if (journal != null) {
        journal.sync();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The trees of the tree engine, for work on their buckets while the ORAM is not used. */
  public abstract List<RangeTree> rangeTrees();

  /** Opens and seals the buckets. */
  public final BucketCodec codec() {
    return workspace.codec();
  }

  /** Saves the state as it is, closed, to the records of another key. */
  public final void saveClosedTo(ClientRecords records) throws IOException {
    records.saveClosed(this::writeAll);
  }

  private void begin() throws IOException {
    if (!begun) {
      journal = context.records().begin(config().blockBytes(), this::writeAll);
      startJournal(journal);
      checkpoints.start(journal);
      begun = true;
    }
  }

  /**
   * Makes what is recorded current again after failures: by a checkpoint if the journal lost a
   * record, or if it is unknown which state the last attempt to save one left.
   */
  private void mend() throws IOException {
    if (journal == null) {
      return;
    }
    checkpointFirst |= journal.failed();
    if (checkpointFirst) {
      // The state holds the evictions that were written, so they must be on the store for good.
      context.store().sync();
      checkpoints.now();
      startJournal(journal);
      checkpointFirst = false;
    }
    journal.flush();
  }

  /** Takes note that a tree was accessed, so that it can no longer be bulk loaded. */
  protected final void accessed() {
    fresh = false;
  }

  private void writeAll(DataOutput out) throws IOException {
    out.writeBoolean(fresh);
    context.firstLabels().writeTo(out);
    writeState(out);
  }

  /** Forgets the keys of an ORAM that could not be opened. */
  public final void abandon() {
    closed = true;
    later.stop();
    wipe();
    workspace.wipe();
    context.firstLabels().wipe();
    context.records().close();
  }

  /**
   * One access of {@code count} blocks, within bounds: writes {@code source} if there is one, reads
   * into {@code target} otherwise.
   *
   * @return number of accesses that the store saw
   */
  protected abstract int access(
      int block, int count, @Nullable ByteBuffer source, @Nullable ByteBuffer target)
      throws IOException;

  /** Completes what an earlier access left undone; nothing if it succeeded. */
  protected abstract void completePending() throws IOException;

  /** Whether an earlier access left a read of paths undone. */
  protected abstract boolean isPending();

  /** Whether {@link #writeState} saves what {@link #completePending} could not complete. */
  protected abstract boolean stateHoldsPending();

  /** Whether evictions were written that are not committed to the journal. */
  protected abstract boolean owesCommits();

  /** Keeps this journal from now on, or none; the state as it is now is saved. */
  protected abstract void startJournal(@Nullable Journal newJournal);

  /** Does what a journal says was done. */
  protected abstract JournalReplay replay();

  /** Checks all trees, changing nothing. */
  protected abstract VerifyReport audit(VerifyProgress progress) throws IOException;

  /** The trees that a bulk load fills. */
  protected abstract List<? extends BulkTarget> bulkTargets();

  /** Makes every tree empty again after a bulk load that failed. */
  protected abstract void resetTrees();

  /** Number of trees. */
  protected abstract int trees();

  /** Blocks in the stash of a tree, beyond the treetop. */
  protected abstract int stashBlocks(int tree);

  /** One entry a tree. */
  protected abstract List<OramStats.TreeStats> treeStats();

  /** Saves the trees. */
  protected abstract void writeState(DataOutput out) throws IOException;

  /** Loads what {@link #writeState} saved. */
  protected abstract void readState(DataInput in) throws IOException;

  /** Wipes the data that the client holds. */
  protected abstract void wipe();

  @Override
  public final OramConfig config() {
    return context.config();
  }

  @Override
  public final void read(long block, int count, ByteBuffer destination) throws IOException {
    checkRange(block, count);
    if (destination.isReadOnly()) {
      throw new IllegalArgumentException("the destination is read-only");
    }
    if (destination.remaining() < bytes(count)) {
      throw new IllegalArgumentException(
          "the destination has room for "
              + destination.remaining()
              + " bytes, "
              + count
              + " blocks take "
              + bytes(count));
    }
    locked(block, count, null, destination);
  }

  @Override
  public final void write(long block, ByteBuffer source) throws IOException {
    int blockBytes = config().blockBytes();
    if (source.remaining() % blockBytes != 0) {
      throw new IllegalArgumentException(
          "the source has "
              + source.remaining()
              + " bytes, must be a multiple of the block size of "
              + blockBytes
              + "; use channel() for parts of blocks");
    }
    int count = source.remaining() / blockBytes;
    checkRange(block, count);
    locked(block, count, source, null);
  }

  /** A failed access leaves the buffer where it was, so that it can be repeated as it stands. */
  private void locked(
      long block, int count, @Nullable ByteBuffer source, @Nullable ByteBuffer target)
      throws IOException {
    ByteBuffer buffer = source != null ? source : Objects.requireNonNull(target);
    int start = buffer.position();
    boolean done = false;
    try {
      Journal.@Nullable Mark mark = accessAlone((int) block, count, source, target);
      if (context.options().backgroundEvictions()) {
        later.request();
      }
      if (mark != null) {
        // Outside of the lock: who waits at the same time shares one sync.
        mark.awaitDurable();
      }
      done = true;
    } finally {
      if (!done) {
        buffer.position(start);
      }
    }
  }

  /** One access under the lock; returns what must be durable before it is acknowledged. */
  private Journal.@Nullable Mark accessAlone(
      int block, int count, @Nullable ByteBuffer source, @Nullable ByteBuffer target)
      throws IOException {
    lock.lock();
    try {
      checkOpen();
      begin();
      mend();
      completePending();
      checkStash();
      fresh = false;
      accesses += access(block, count, source, target);
      blocksAccessed += count;
      if (!owesCommits()) {
        checkpoints.afterAccess();
      }
      return journal == null ? null : journal.mark(lock.hasQueuedThreads());
    } finally {
      lock.unlock();
    }
  }

  /** Pays what accesses left, unless the next access, or closing, has done so meanwhile. */
  private void payDebt() {
    lock.lock();
    try {
      if (!closed) {
        completePending();
        if (!owesCommits()) {
          checkpoints.afterAccess();
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("an eviction failed and is left to the next access: {}", e.toString());
    } finally {
      lock.unlock();
    }
  }

  private long bytes(int count) {
    return (long) count * config().blockBytes();
  }

  private void checkRange(long block, int count) {
    int maxRange = config().maxRangeBlocks();
    if (count < 1 || count > maxRange) {
      throw new IllegalArgumentException(
          "count is "
              + count
              + " blocks, must be 1 to "
              + maxRange
              + "; split larger ranges, or use channel()");
    }
    if (block < 0 || block > config().blocks() - count) {
      throw new IndexOutOfBoundsException(
          "blocks "
              + block
              + " to "
              + (block + count - 1)
              + " are not within 0 to "
              + (config().blocks() - 1));
    }
  }

  private void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  private void checkStash() {
    int limit = config().stashLimitBlocks();
    for (int tree = 0; tree < trees(); tree++) {
      int held = stashBlocks(tree);
      if (held > limit) {
        throw new StashOverflowException(
            "the stash of tree "
                + tree
                + " holds "
                + held
                + " blocks, its limit is "
                + limit
                + " ("
                + config()
                + "); nothing is lost: close, and open with a higher stash limit, or"
                + " move the data to a store of preset proven");
      }
    }
  }

  @Override
  public final SeekableByteChannel channel() {
    return new BlockChannel(this, lock);
  }

  @Override
  public final void bulkLoad(
      SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes) throws IOException {
    if (source.size() > config().bytes()) {
      throw new IllegalArgumentException(
          "the source has " + source.size() + " bytes, the store holds " + config().bytes());
    }
    lock.lock();
    try {
      checkOpen();
      if (!fresh) {
        throw new IllegalStateException(
            "the store was accessed before and can no longer be bulk loaded; write to it instead");
      }
      begin();
      mend();
      load(source, memoryBytes, progressBytes);
    } finally {
      lock.unlock();
    }
  }

  private void load(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException {
    boolean loaded = false;
    try {
      BulkLoader loader =
          new BulkLoader(
              source,
              memoryBytes,
              workspace,
              context.store(),
              bytes -> {
                bulkLoadBytes += bytes;
                progressBytes.accept(bytes);
              });
      for (BulkTarget target : bulkTargets()) {
        loader.load(target);
      }
      fresh = false;
      context.store().sync();
      checkpoints.now();
      loaded = true;
    } finally {
      if (!loaded) {
        fresh = true;
        checkpointFirst = true;
        resetTrees();
        workspace.requireNewEpoch();
      }
    }
  }

  @Override
  public final VerifyReport verify(VerifyProgress progress) throws IOException {
    lock.lock();
    try {
      checkOpen();
      return audit(progress);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final OramStats stats() {
    lock.lock();
    try {
      return new OramStats(accesses, blocksAccessed, bulkLoadBytes, treeStats());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final void close() throws IOException {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (begun) {
        completeOrKeep();
        context.store().sync();
        checkpoints.stop();
        checkpointFirst = true;
        context.records().saveClosed(this::writeAll);
      }
      abandon();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Completes what is pending; what cannot be is saved with the state, where the state holds it.
   */
  private void completeOrKeep() throws IOException {
    try {
      mend();
      completePending();
    } catch (IOException | OramException e) {
      if (!stateHoldsPending()) {
        throw e;
      }
      LOG.warn("closing with work left for the next opening: {}", e.toString());
    }
  }
}
