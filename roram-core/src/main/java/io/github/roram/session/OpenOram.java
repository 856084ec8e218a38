package io.github.roram.session;

import io.github.roram.AsyncOram;
import io.github.roram.BlockProgram;
import io.github.roram.BlockSink;
import io.github.roram.ClientMemory;
import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.RecoveryReport;
import io.github.roram.SalvageReport;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.engine.AccessLimits;
import io.github.roram.engine.BlockChannel;
import io.github.roram.engine.BulkLoadable;
import io.github.roram.engine.Engine;
import io.github.roram.engine.Growable;
import io.github.roram.engine.Logged;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Overlap;
import io.github.roram.engine.Overlapping;
import io.github.roram.engine.Salvageable;
import io.github.roram.engine.Scannable;
import io.github.roram.engine.Scattering;
import io.github.roram.engine.StoreImage;
import io.github.roram.engine.StoreLog;
import io.github.roram.engine.Transfer;
import io.github.roram.engine.Verifiable;
import io.github.roram.journal.Journal;
import io.github.roram.state.ClientRecords;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.threads.Futures;
import io.github.roram.threads.OwnedThreads;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The blocking view of an open ORAM. Each access is checked against the {@link AccessLimits} before
 * anything happens, and made by the {@link Engine} of the scheme. Opening, recovery and closing are
 * in {@link Lifecycle}.
 *
 * <p>{@link AsyncView} is the asynchronous view of the same ORAM. While calls of that view are in
 * flight, accesses made here become such calls, too; everything else waits until no call is in
 * flight.
 */
public final class OpenOram implements Oram {

  /** Most calls in flight of the asynchronous view, if accesses do not overlap. */
  private static final int MOST_CALLS = 64;

  private final OwnedThreads threads;
  private final Driver driver;
  private final Lifecycle lifecycle;
  private final AccessLimits limits;

  /** Held while the store grows. */
  private final Object growing = new Object();

  /**
   * Held during closing: a thread that closes at the same time waits, and finds the ORAM closed.
   */
  private final Object closing = new Object();

  private long accesses;
  private long blocksAccessed;
  private long bulkLoadBytes;

  /** The sequencer of the asynchronous view, once there is one. */
  private volatile @Nullable Sequencer sequencer;

  private @Nullable AsyncOram asyncView;

  /** Closed after this ORAM has ended. */
  private Closeable owned = () -> {};

  /**
   * Creates an ORAM that is neither created nor opened yet: its {@link #lifecycle} does one or the
   * other.
   *
   * @param records keys and saved state, which the ORAM closes
   */
  public OpenOram(Engine engine, OramContext context, ClientRecords records) {
    this(engine, context, records, new OwnedThreads());
  }

  /** Creates an ORAM that takes over its threads. */
  OpenOram(Engine engine, OramContext context, ClientRecords records, OwnedThreads threads) {
    this.threads = threads;
    driver = new Driver(threads);
    lifecycle = new Lifecycle(engine, context, records, threads);
    limits = new AccessLimits(this::config);
  }

  /** Returns the parts from which the engine is built. */
  public OramContext context() {
    return lifecycle.context();
  }

  /** Returns the limits that accesses must keep to. */
  AccessLimits limits() {
    return limits;
  }

  /** Returns the engine, which makes the accesses. */
  Engine engine() {
    return lifecycle.engine();
  }

  /** Returns whether the ORAM was opened for overlapping accesses, and its engine makes them. */
  public boolean overlaps() {
    return context().options().inFlight() > 1 && canOverlap();
  }

  /** Returns whether the engine makes overlapping accesses. */
  boolean canOverlap() {
    return engine() instanceof Overlapping overlapping && overlapping.canOverlap();
  }

  /** Returns the threads, which end when the ORAM is closed. */
  OwnedThreads threads() {
    return threads;
  }

  /** Returns the life of the ORAM, for opening, recovery and closing. */
  public Lifecycle lifecycle() {
    return lifecycle;
  }

  /**
   * Returns the engine if it has a capability.
   *
   * @param what text for errors, such as "cannot be verified"
   * @throws ConfigurationException if the engine lacks it
   */
  public <T> T able(Class<T> capability, String what) {
    if (!capability.isInstance(engine())) {
      throw new ConfigurationException(
          "a store of scheme "
              + config().scheme()
              + " "
              + what
              + "; copy the data to a store of scheme roram for that");
    }
    return capability.cast(engine());
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

  /** Returns the driver, which runs the turns of this ORAM. */
  Driver driver() {
    return driver;
  }

  /**
   * Requires that there is no asynchronous view, before anything is prepared for one.
   *
   * @throws IllegalStateException if there is one, whose calls may be in flight
   */
  void requireNoView() {
    if (sequencer != null) {
      throw new IllegalStateException("the ORAM has an asynchronous view; use that");
    }
  }

  /** Takes the sequencer of an asynchronous view, whose calls may be in flight from now on. */
  void begin(Sequencer calls) {
    sequencer = calls;
  }

  /**
   * Returns the asynchronous view of this ORAM. There is one such view.
   *
   * @param most most calls in flight, at least 1; further callers wait for room
   */
  public AsyncOram async(int most) {
    return async(most, null);
  }

  /**
   * Returns the asynchronous view, whose futures an executor of the caller completes in order; null
   * for threads of the ORAM.
   */
  public synchronized AsyncOram async(int most, @Nullable Executor answers) {
    AsyncOram view = new AsyncView(this, most, answers);
    asyncView = view;
    return view;
  }

  @Override
  public synchronized AsyncOram async() {
    return asyncView == null
        ? async(overlaps() ? context().options().inFlight() : MOST_CALLS)
        : asyncView;
  }

  /** Sets what to close once this ORAM has ended. */
  public void owns(Closeable store) {
    owned = store;
  }

  /** Enters with no call in flight, after the calls made before have been answered. */
  private void enterAlone() throws IOException {
    driver.enter();
    Sequencer calls = sequencer;
    if (calls == null) {
      return;
    }
    Call newest = calls.newest();
    if (newest != null) {
      driver.leave();
      newest.future().handle((nothing, failure) -> true).join();
      driver.enter();
    }
    for (boolean idle = calls.hold(); !idle; idle = calls.hold()) {
      driver.awaitChange();
      calls.release();
    }
  }

  /** Undoes {@link #enterAlone}. */
  private void leaveAlone() {
    Sequencer calls = sequencer;
    if (calls != null) {
      driver.execute(calls::released);
    }
    driver.leave();
  }

  /** Begins to use the store, as the first access does: completes what a crash left undone. */
  public void settle() throws IOException {
    enterAlone();
    try {
      lifecycle.ready();
      engine().completePending();
      lifecycle.syncJournal();
    } finally {
      leaveAlone();
    }
  }

  @Override
  public OramConfig config() {
    return context().config();
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
    complete(reading(offset, leastBlocks, target));
  }

  @Override
  public void updateBytes(long offset, int leastBlocks, ByteBuffer source) throws IOException {
    complete(writing(offset, leastBlocks, source));
  }

  /** Returns a transfer that reads, after checking it. */
  Transfer reading(long offset, int leastBlocks, ByteBuffer target) {
    limits.checkRead(offset, leastBlocks, target);
    int bytes = target.remaining();
    return Transfer.outOf(context(), lifecycle.trimmed(), offset, bytes, target, leastBlocks);
  }

  /** Returns a transfer that writes, after checking it. */
  Transfer writing(long offset, int leastBlocks, ByteBuffer source) {
    limits.checkWrite(offset, leastBlocks, source);
    int bytes = source.remaining();
    return Transfer.into(context(), lifecycle.trimmed(), offset, bytes, source, leastBlocks);
  }

  @Override
  public void access(long[] blocks, int leastBlocks, BlockProgram program) throws IOException {
    complete(scattered(blocks, leastBlocks, program));
  }

  /** Returns a transfer of scattered blocks, after checking it. */
  Transfer scattered(long[] blocks, int leastBlocks, BlockProgram program) {
    int[] checked = limits.checkScattered(blocks, leastBlocks);
    able(Scattering.class, "makes no accesses to scattered blocks")
        .checkScattered(checked.length, Math.max(checked.length, leastBlocks));
    return Transfer.of(context(), lifecycle.trimmed(), checked, leastBlocks, program);
  }

  @Override
  public boolean trim(long block, long count) throws IOException {
    lifecycle.checkTrims();
    limits.checkTrim(block, count);
    Call call = Call.trim(block, count);
    Boolean trimmed = make(() -> lifecycle.trim(block, count), () -> call);
    return trimmed == null ? call.trimmed : trimmed;
  }

  /** Work that is done while no call is in flight. */
  @FunctionalInterface
  private interface Work<T> {
    @Nullable T make() throws IOException;
  }

  /**
   * Does the work at once if no call is in flight, and returns its result. Otherwise submits a call
   * that does it after those in flight, waits for its answer, and returns null.
   */
  private <T> @Nullable T make(Work<T> work, Supplier<Call> otherwise) throws IOException {
    Call call;
    driver.enter();
    try {
      Sequencer calls = sequencer;
      if (calls == null || calls.isQuiet()) {
        return work.make();
      }
      call = otherwise.get();
      calls.take(call);
    } finally {
      driver.leave();
    }
    Futures.join(call.made());
    return null;
  }

  /** Does the work as {@link #make} does, and waits until its mark is durable. */
  private void makeDurably(Work<Journal.Mark> work, Supplier<Call> otherwise) throws IOException {
    try {
      awaitDurable(make(work, otherwise));
    } catch (IOException e) {
      lifecycle.records().checkNotTaken(e);
      throw e;
    }
  }

  /**
   * Waits until a mark is durable. Not under the lock, so that concurrent callers share one sync.
   */
  private static void awaitDurable(Journal.@Nullable Mark mark) throws IOException {
    if (mark != null) {
      mark.awaitDurable();
    }
  }

  /** Makes one access that reads bytes; the caller keeps within the limits. */
  private void readSome(long offset, int bytes, ByteBuffer target) throws IOException {
    complete(Transfer.outOf(context(), lifecycle.trimmed(), offset, bytes, target, 1));
  }

  /** Makes one access that writes bytes; the caller keeps within the limits. */
  private void writeSome(long offset, int bytes, ByteBuffer source) throws IOException {
    complete(Transfer.into(context(), lifecycle.trimmed(), offset, bytes, source, 1));
  }

  /** Makes an access. One that fails leaves the buffer's position, so that it can be repeated. */
  private void complete(Transfer transfer) throws IOException {
    makeDurably(() -> accessAlone(transfer), () -> Call.access(transfer));
    transfer.finish();
  }

  /** Makes one access under the lock; returns what must be durable before it is acknowledged. */
  private Journal.@Nullable Mark accessAlone(Transfer transfer) throws IOException {
    makeAlone(transfer);
    return lifecycle.mark(driver.isAwaited());
  }

  /** Makes one access while nothing else is in flight. */
  void makeAlone(Transfer transfer) throws IOException {
    lifecycle.ready();
    engine().completePending();
    engine().checkRoom();
    lifecycle.accessed();
    count(engine().access(transfer), transfer.blocks());
    lifecycle.afterAccess();
  }

  /** Adds to the counters of accesses and blocks. */
  void count(int made, long blocks) {
    accesses += made;
    blocksAccessed += blocks;
  }

  @Override
  public void flush() throws IOException {
    makeDurably(() -> lifecycle.flushMark(driver.isAwaited()), Call::flush);
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
    enterAlone();
    try {
      lifecycle.checkOpen();
      if (!lifecycle.isFresh()) {
        throw new IllegalStateException(
            "the store was accessed before and can no longer be bulk loaded; write to it instead");
      }
      lifecycle.ready();
      load(loadable, source, memoryBytes, progressBytes);
    } finally {
      leaveAlone();
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
    enterAlone();
    try {
      lifecycle.checkOpen();
      return able(Verifiable.class, "cannot be verified").audit(progress);
    } finally {
      leaveAlone();
    }
  }

  @Override
  public void scan(BlockSink sink) throws IOException {
    enterAlone();
    try {
      lifecycle.checkOpen();
      able(Scannable.class, "cannot be scanned, only read")
          .scan(lifecycle.trimmed().withoutTrimmed(sink));
    } finally {
      leaveAlone();
    }
  }

  /** Finds the blocks on the store, for an ORAM that was assembled without the client's state. */
  SalvageReport salvage(BlockSink sink) throws IOException {
    return able(
            Salvageable.class,
            "cannot be salvaged: what is current on its store only the client's state says")
        .salvage(sink);
  }

  /**
   * Uses an image of everything that store and client hold, while no access changes it; calls of
   * others wait until the use ends. An ORAM that has not been used is as recovery found it.
   *
   * @throws ConfigurationException if the scheme's store does not consist of logs
   */
  public void hold(StoreImage.Use use) throws IOException {
    Logged logged = able(Logged.class, "cannot be backed up, only cloned");
    if (context().store().keepsObjects()) {
      throw new ConfigurationException(
          context().store()
              + " keeps objects, which cannot be backed up yet, only cloned (roram clone): names of"
              + " objects are used once, and a restored store would use them again");
    }
    enterAlone();
    try {
      lifecycle.settleForCopy();
      use.with(new Image(logged.logs()));
    } finally {
      leaveAlone();
    }
  }

  /** This ORAM while it is held. */
  private final class Image implements StoreImage {
    private final List<StoreLog> logs;

    Image(List<StoreLog> logs) {
      this.logs = logs;
    }

    @Override
    public UUID storeId() {
      return context().storeId();
    }

    @Override
    public BlockStore store() {
      return context().store();
    }

    @Override
    public Closeable tap(Tap tap) {
      if (context().store() instanceof TappedStore store) {
        return store.tap(tap);
      }
      throw new ConfigurationException("only an ORAM that was created or opened can be tapped");
    }

    @Override
    public List<StoreLog> logs() {
      return logs;
    }

    @Override
    public UUID epochName(int epoch) {
      return lifecycle.records().epochName(epoch);
    }

    @Override
    public byte[] derive(String purpose) {
      return lifecycle.records().derive(purpose);
    }

    @Override
    public void saveTo(ClientVault copy, String... asTheyAre) throws IOException {
      lifecycle.saveCopyTo(copy, asTheyAre);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Accesses wait for those in flight, and for the changes in memory; the growth is recorded in
   * the journal like an access. The store is extended before that, and its superblock is written
   * afterwards.
   */
  @Override
  public void grow(long blocks) throws IOException {
    synchronized (growing) {
      OramConfig larger = makeRoom(blocks);
      @Nullable Overlap before = null;
      Journal.Mark recorded;
      enterAlone();
      try {
        recorded = lifecycle.grow(larger);
      } finally {
        Sequencer calls = sequencer;
        if (calls != null && engine() != calls.engine()) {
          before = calls.engineChanged();
        }
        leaveAlone();
        if (before != null) {
          before.close();
        }
      }
      awaitDurable(recorded);
      lifecycle.records().writeSuperblock();
    }
  }

  /** Returns a configuration of {@code blocks} blocks, after making the store large enough. */
  private OramConfig makeRoom(long blocks) throws IOException {
    lifecycle.checkOpen();
    if (blocks <= config().blocks()) {
      throw new ConfigurationException(
          "the store has "
              + config().blocks()
              + " blocks, and cannot be given "
              + blocks
              + "; name more, or clone it into a smaller store (roram clone --blocks)");
    }
    Growable growable = engine() instanceof Growable able ? able : notGrowable();
    OramConfig larger = config().toBuilder().blocks(blocks).build();
    long bytes = growable.grownBytes(larger);
    BlockStore store = context().store();
    if (bytes > growable.grownBytes(config()) && !store.takesMoreParts()) {
      throw new ConfigurationException(
          blocks
              + " blocks need more levels, with which all levels of "
              + store
              + " would be on other stripes; clone it into a larger one (roram clone --blocks)");
    }
    if (!store.hasRoom(bytes) && !store.extend(bytes)) {
      throw new ConfigurationException(
          store
              + " has "
              + store.capacityBytes()
              + " bytes, "
              + bytes
              + " are needed, and it cannot be made larger; clone it into a larger one"
              + " (roram clone --blocks)");
    }
    growable.prepareToGrow(larger);
    return larger;
  }

  private Growable notGrowable() {
    throw new ConfigurationException(
        "a store of scheme "
            + config().scheme()
            + " cannot grow in place; clone it into a larger one (roram clone --blocks)");
  }

  @Override
  public boolean scanPays(long bytes) {
    limits.checkBytes(bytes);
    return driver.lookNow(
        () -> engine() instanceof Scannable scannable && scannable.pays(config(), bytes));
  }

  @Override
  public OramStats stats() {
    return driver.lookNow(
        () -> new OramStats(accesses, blocksAccessed, bulkLoadBytes, engine().treeStats()));
  }

  @Override
  public ClientMemory clientMemory() {
    return driver.lookNow(() -> lifecycle.addTo(engine().heldMemory()));
  }

  @Override
  @SuppressWarnings("try") // closes what is owned, even if the end fails
  public void close() throws IOException {
    synchronized (closing) {
      try (Closeable last = this::closeOwned) {
        end();
      }
    }
  }

  private void closeOwned() throws IOException {
    if (!lifecycle.isOpen()) {
      owned.close();
    }
  }

  private void end() throws IOException {
    Sequencer calls = sequencer;
    if (calls == null) {
      closeAlone();
      return;
    }
    try {
      CompletableFuture<Void> ended = calls.closeWhenIdle();
      threads.await(ended);
      Futures.join(ended);
    } finally {
      if (!lifecycle.isOpen()) {
        calls.end();
        threads.end();
      }
    }
  }

  private void closeAlone() throws IOException {
    driver.enter();
    try {
      lifecycle.close();
    } finally {
      driver.leave();
      if (!lifecycle.isOpen()) {
        threads.end();
      }
    }
  }
}
