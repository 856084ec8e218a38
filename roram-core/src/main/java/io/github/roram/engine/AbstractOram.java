package io.github.roram.engine;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.RecoveryReport;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.bulk.BulkLoader;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import io.github.roram.tree.BulkTarget;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.Workspace;
import java.io.DataInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all schemes share: one access at a time, checked against its {@link AccessLimits} before
 * anything happens. Opening, recovery and closing are those of the {@link Lifecycle}.
 */
public abstract class AbstractOram implements Oram {

  private static final Logger LOG = LoggerFactory.getLogger(AbstractOram.class);

  /** The parts. */
  protected final OramContext context;

  /** The working memory. */
  protected final Workspace workspace;

  private final ReentrantLock lock = new ReentrantLock();
  private final LaterWork later = new LaterWork(this::payDebt);
  private final Lifecycle lifecycle;
  private final AccessLimits limits;
  private long accesses;
  private long blocksAccessed;
  private long bulkLoadBytes;

  /** An ORAM of these parts. */
  protected AbstractOram(OramContext context, Workspace workspace) {
    this.context = context;
    this.workspace = workspace;
    lifecycle = new Lifecycle(this, context);
    limits = new AccessLimits(context.config());
  }

  /** Opening, recovery and closing. */
  public final Lifecycle lifecycle() {
    return lifecycle;
  }

  @Override
  public final RecoveryReport recovery() {
    return lifecycle.recovery();
  }

  @Override
  public final void completeRecovery() throws IOException {
    if (!recovery().clean()) {
      settle();
    }
  }

  /** Begins to use the store, as the first access does: what a crash left is completed. */
  public final void settle() throws IOException {
    lock.lock();
    try {
      lifecycle.ready();
      completePending();
      lifecycle.syncJournal();
    } finally {
      lock.unlock();
    }
  }

  /** The trees of the tree engine, for work on their buckets while the ORAM is not used. */
  public abstract List<RangeTree> rangeTrees();

  /** Records that a tree was accessed, so that it can no longer be bulk loaded. */
  protected final void accessed() {
    lifecycle.accessed();
  }

  /** Begins no more work, and wipes all data that the client holds. */
  final void end() {
    later.stop();
    wipe();
    workspace.wipe();
  }

  /**
   * One access, within bounds: reads the blocks of a transfer and moves their bytes. What the store
   * sees must not depend on which way they move.
   *
   * @return number of accesses that the store saw
   */
  protected abstract int access(Transfer transfer) throws IOException;

  /** Completes what an earlier access left undone; nothing if it succeeded. */
  protected abstract void completePending() throws IOException;

  /** Returns once all buckets that were written are durable. */
  protected abstract void syncBuckets() throws IOException;

  /** Whether an earlier access left a read of paths undone. */
  protected abstract boolean isPending();

  /** Whether {@link #copyState} saves what {@link #completePending} could not complete. */
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

  /** Adds the trees as they are now. */
  protected abstract void copyState(StateCopy state) throws IOException;

  /** Loads what {@link #copyState} saved. */
  protected abstract void readState(DataInput in) throws IOException;

  /** Wipes the data that the client holds. */
  protected abstract void wipe();

  @Override
  public final OramConfig config() {
    return context.config();
  }

  @Override
  public final void read(long block, int count, ByteBuffer destination) throws IOException {
    limits.checkRange(block, count);
    limits.checkDestination(count, destination);
    int blockBytes = config().blockBytes();
    readBytes(block * blockBytes, count * blockBytes, destination);
  }

  @Override
  public final void write(long block, ByteBuffer source) throws IOException {
    limits.checkRange(block, limits.blocksOf(source));
    writeBytes(block * config().blockBytes(), source.remaining(), source);
  }

  @Override
  public final void update(long offset, ByteBuffer source) throws IOException {
    limits.checkUpdate(offset, source.remaining());
    writeBytes(offset, source.remaining(), source);
  }

  /** One access that reads bytes of any blocks; the caller keeps to the limits. */
  final void readBytes(long offset, int bytes, ByteBuffer target) throws IOException {
    complete(Transfer.outOf(context, offset, bytes, target));
  }

  /** One access that writes bytes of any blocks; the caller keeps to the limits. */
  final void writeBytes(long offset, int bytes, ByteBuffer source) throws IOException {
    complete(Transfer.into(context, offset, bytes, source));
  }

  /** Does an access; one that fails leaves the buffer where it was, to be repeated as it stands. */
  private void complete(Transfer transfer) throws IOException {
    Journal.@Nullable Mark mark = accessAlone(transfer);
    if (context.options().backgroundEvictions()) {
      later.request();
    }
    if (mark != null) {
      // Outside of the lock: who waits at the same time shares one sync.
      mark.awaitDurable();
    }
    transfer.finish();
  }

  /** One access under the lock; returns what must be durable before it is acknowledged. */
  private Journal.@Nullable Mark accessAlone(Transfer transfer) throws IOException {
    lock.lock();
    try {
      lifecycle.ready();
      completePending();
      checkStash();
      lifecycle.accessed();
      accesses += access(transfer);
      blocksAccessed += transfer.blocks();
      lifecycle.afterAccess();
      return lifecycle.mark(lock.hasQueuedThreads());
    } finally {
      lock.unlock();
    }
  }

  /** Pays what accesses left, unless the next access, or closing, has done so meanwhile. */
  private void payDebt() {
    lock.lock();
    try {
      if (lifecycle.isOpen()) {
        lifecycle.ready();
        completePending();
        lifecycle.afterAccess();
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("an eviction failed and is left to the next access: {}", e.toString());
    } finally {
      lock.unlock();
    }
  }

  private void checkStash() {
    for (int tree = 0; tree < trees(); tree++) {
      limits.checkStash(tree, stashBlocks(tree));
    }
  }

  @Override
  public final SeekableByteChannel channel() {
    return new BlockChannel(this);
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
      lifecycle.checkOpen();
      if (!lifecycle.isFresh()) {
        throw new IllegalStateException(
            "the store was accessed before and can no longer be bulk loaded; write to it instead");
      }
      lifecycle.ready();
      load(source, memoryBytes, progressBytes);
    } finally {
      lock.unlock();
    }
  }

  private void load(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException {
    boolean loaded = false;
    try {
      List<? extends BulkTarget> targets = bulkTargets();
      BulkLoader loader =
          new BulkLoader(
              source,
              memoryBytes,
              targets.get(0).descriptor(),
              bytes -> {
                bulkLoadBytes += bytes;
                progressBytes.accept(bytes);
              });
      for (BulkTarget target : targets) {
        loader.load(target);
      }
      lifecycle.bulkLoaded();
      loaded = true;
    } finally {
      if (!loaded) {
        lifecycle.bulkLoadFailed();
        resetTrees();
        workspace.requireNewEpoch();
      }
    }
  }

  @Override
  public final VerifyReport verify(VerifyProgress progress) throws IOException {
    lock.lock();
    try {
      lifecycle.checkOpen();
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
      lifecycle.close();
    } finally {
      lock.unlock();
    }
  }
}
