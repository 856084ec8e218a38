package io.github.roram.session;

import io.github.roram.BlockSink;
import io.github.roram.ClientMemory;
import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.RecoveryReport;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.engine.AccessLimits;
import io.github.roram.engine.BlockChannel;
import io.github.roram.engine.BulkLoadable;
import io.github.roram.engine.Engine;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Overlapping;
import io.github.roram.engine.Scannable;
import io.github.roram.engine.Transfer;
import io.github.roram.engine.Verifiable;
import io.github.roram.journal.Journal;
import io.github.roram.state.ClientRecords;
import io.github.roram.threads.OwnedThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An ORAM that is open: one access at a time, checked against its {@link AccessLimits} before
 * anything happens, made by the {@link Engine} of its scheme. Opening, recovery and closing are
 * those of the {@link Lifecycle}.
 */
public final class OpenOram implements Oram {

  private final OramContext context;
  private final Engine engine;
  private final ReentrantLock lock = new ReentrantLock();
  private final OwnedThreads threads = new OwnedThreads();
  private final Lifecycle lifecycle;
  private final AccessLimits limits;
  private long accesses;
  private long blocksAccessed;
  private long bulkLoadBytes;

  /**
   * An ORAM that is neither created nor opened yet: its {@link #lifecycle} does one or the other.
   *
   * @param records keys and saved state, which it closes
   */
  public OpenOram(Engine engine, OramContext context, ClientRecords records) {
    this.engine = engine;
    this.context = context;
    lifecycle = new Lifecycle(engine, context, records, threads);
    limits = new AccessLimits(context.config());
  }

  /** What the engine is built from. */
  OramContext context() {
    return context;
  }

  /** What makes the accesses. */
  Engine engine() {
    return engine;
  }

  /** Whether it was opened for accesses that overlap, and its engine makes them. */
  public boolean overlaps() {
    return context.options().inFlight() > 1
        && engine instanceof Overlapping overlapping
        && overlapping.canOverlap();
  }

  /** Ended when it is closed. */
  OwnedThreads threads() {
    return threads;
  }

  /** Opening, recovery and closing. */
  public Lifecycle lifecycle() {
    return lifecycle;
  }

  /**
   * The engine, where it can do something.
   *
   * @param what says so in errors, as in "cannot be verified"
   * @throws ConfigurationException if it cannot
   */
  public <T> T able(Class<T> capability, String what) {
    if (!capability.isInstance(engine)) {
      throw new ConfigurationException(
          "a store of scheme "
              + config().scheme()
              + " "
              + what
              + "; copy the data to a store of scheme roram for that");
    }
    return capability.cast(engine);
  }

  @Override
  public RecoveryReport recovery() {
    return lifecycle.recovery();
  }

  @Override
  public void completeRecovery() throws IOException {
    if (!recovery().clean()) {
      settle();
    }
  }

  /** Takes the lock; refuses those who are called back by what has it. */
  private void enter() {
    lock.lock();
    if (lock.getHoldCount() > 1) {
      lock.unlock();
      throw new IllegalStateException(
          "called from within a scan, a load or a check of the same ORAM; wait until it is done");
    }
  }

  /** Begins to use the store, as the first access does: what a crash left is completed. */
  public void settle() throws IOException {
    enter();
    try {
      lifecycle.ready();
      engine.completePending();
      lifecycle.syncJournal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public OramConfig config() {
    return context.config();
  }

  @Override
  public void read(long block, int count, ByteBuffer destination) throws IOException {
    limits.checkRange(block, count);
    limits.checkDestination(count, destination);
    int blockBytes = config().blockBytes();
    readSome(block * blockBytes, count * blockBytes, destination);
  }

  @Override
  public void write(long block, ByteBuffer source) throws IOException {
    limits.checkRange(block, limits.blocksOf(source));
    writeSome(block * config().blockBytes(), source.remaining(), source);
  }

  @Override
  public void update(long offset, ByteBuffer source) throws IOException {
    limits.checkUpdate(offset, source.remaining());
    writeSome(offset, source.remaining(), source);
  }

  @Override
  public void readBytes(long offset, int leastBlocks, ByteBuffer target) throws IOException {
    limits.checkUpdate(offset, target.remaining());
    limits.checkLeast(leastBlocks);
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("the target is read-only");
    }
    complete(
        Transfer.outOf(
            context, lifecycle.trimmed(), offset, target.remaining(), target, leastBlocks));
  }

  @Override
  public void updateBytes(long offset, int leastBlocks, ByteBuffer source) throws IOException {
    limits.checkUpdate(offset, source.remaining());
    limits.checkLeast(leastBlocks);
    complete(
        Transfer.into(
            context, lifecycle.trimmed(), offset, source.remaining(), source, leastBlocks));
  }

  @Override
  public boolean trim(long block, long count) throws IOException {
    lifecycle.checkTrims();
    limits.checkTrim(block, count);
    enter();
    try {
      return lifecycle.trim(block, count);
    } finally {
      lock.unlock();
    }
  }

  /** One access that reads bytes of any blocks; the caller keeps to the limits. */
  private void readSome(long offset, int bytes, ByteBuffer target) throws IOException {
    complete(Transfer.outOf(context, lifecycle.trimmed(), offset, bytes, target, 1));
  }

  /** One access that writes bytes of any blocks; the caller keeps to the limits. */
  private void writeSome(long offset, int bytes, ByteBuffer source) throws IOException {
    complete(Transfer.into(context, lifecycle.trimmed(), offset, bytes, source, 1));
  }

  /** Does an access; one that fails leaves the buffer where it was, to be repeated as it stands. */
  private void complete(Transfer transfer) throws IOException {
    Journal.@Nullable Mark mark = accessAlone(transfer);
    if (mark != null) {
      // Outside of the lock: who waits at the same time shares one sync.
      mark.awaitDurable();
    }
    transfer.finish();
  }

  /** One access under the lock; returns what must be durable before it is acknowledged. */
  private Journal.@Nullable Mark accessAlone(Transfer transfer) throws IOException {
    enter();
    try {
      lifecycle.ready();
      engine.completePending();
      engine.checkRoom();
      lifecycle.accessed();
      accesses += engine.access(transfer);
      blocksAccessed += transfer.blocks();
      lifecycle.afterAccess();
      return lifecycle.mark(lock.hasQueuedThreads());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void flush() throws IOException {
    Journal.@Nullable Mark mark;
    enter();
    try {
      mark = lifecycle.flushMark(lock.hasQueuedThreads());
    } finally {
      lock.unlock();
    }
    if (mark != null) {
      mark.awaitDurable();
    }
  }

  @Override
  public SeekableByteChannel channel() {
    return new BlockChannel(
        config(),
        BlockChannel.MAX_BYTES,
        new BlockChannel.Accesses() {
          @Override
          public void read(long offset, ByteBuffer piece) throws IOException {
            readSome(offset, piece.remaining(), piece);
          }

          @Override
          public void write(long offset, ByteBuffer piece) throws IOException {
            writeSome(offset, piece.remaining(), piece);
          }
        });
  }

  @Override
  public void bulkLoad(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException {
    BulkLoadable loadable = able(BulkLoadable.class, "cannot be bulk loaded, only written");
    if (source.size() > config().bytes()) {
      throw new IllegalArgumentException(
          "the source has " + source.size() + " bytes, the store holds " + config().bytes());
    }
    enter();
    try {
      lifecycle.checkOpen();
      if (!lifecycle.isFresh()) {
        throw new IllegalStateException(
            "the store was accessed before and can no longer be bulk loaded; write to it instead");
      }
      lifecycle.ready();
      load(loadable, source, memoryBytes, progressBytes);
    } finally {
      lock.unlock();
    }
  }

  private void load(
      BulkLoadable loadable,
      SeekableByteChannel source,
      long memoryBytes,
      LongConsumer progressBytes)
      throws IOException {
    boolean loaded = false;
    try {
      loadable.load(
          source,
          memoryBytes,
          bytes -> {
            bulkLoadBytes += bytes;
            progressBytes.accept(bytes);
          });
      lifecycle.bulkLoaded();
      loaded = true;
    } finally {
      if (!loaded) {
        lifecycle.bulkLoadFailed();
        loadable.undoLoad();
      }
    }
  }

  @Override
  public VerifyReport verify(VerifyProgress progress) throws IOException {
    enter();
    try {
      lifecycle.checkOpen();
      return able(Verifiable.class, "cannot be verified").audit(progress);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void scan(BlockSink sink) throws IOException {
    enter();
    try {
      lifecycle.checkOpen();
      able(Scannable.class, "cannot be scanned, only read")
          .scan(new WrittenBlocks(sink, lifecycle.trimmed()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean scanPays(long bytes) {
    limits.checkBytes(bytes);
    lock.lock();
    try {
      return engine instanceof Scannable scannable && ScanCost.pays(scannable, config(), bytes);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public OramStats stats() {
    lock.lock();
    try {
      return new OramStats(accesses, blocksAccessed, bulkLoadBytes, engine.treeStats());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public ClientMemory clientMemory() {
    lock.lock();
    try {
      return lifecycle.addTo(engine.heldMemory());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    enter();
    try {
      lifecycle.close();
    } finally {
      if (!lifecycle.isOpen()) {
        threads.end();
      }
      lock.unlock();
    }
  }
}
