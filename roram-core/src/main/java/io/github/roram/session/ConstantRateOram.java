package io.github.roram.session;

import io.github.roram.AsyncOram;
import io.github.roram.BlockProgram;
import io.github.roram.ConfigurationException;
import io.github.roram.ConstantRate;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.Scheme;
import io.github.roram.engine.AccessLimits;
import io.github.roram.threads.DaemonThreads;
import io.github.roram.threads.Futures;
import io.github.roram.threads.OwnedThreads;
import io.github.roram.threads.Uninterrupted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes accesses at fixed times: see {@link io.github.roram.open.Orams#atConstantRate}.
 *
 * <h2>Security</h2>
 *
 * Whether an access is made at a given time depends on that time, on the number of accesses in
 * flight and on whether the thread was on time, never on requests. All accesses are of one size
 * class, and each is followed by a flush, whether one was requested or not: syncs, too, depend on
 * the times alone. An access that nobody requested is made like any other, to random blocks: it
 * takes as long as an access to blocks that nobody requested lately.
 *
 * <p>Thread safety: safe.
 */
public final class ConstantRateOram implements ConstantRate {

  private static final Logger LOG = LoggerFactory.getLogger(ConstantRateOram.class);

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MAX_PER_SECOND = 1e6;

  /** Most bytes of an access: no buffer can have 2^31. */
  private static final long MOST_BYTES = 1 << 30;

  private final AsyncOram oram;
  private final AccessLimits limits;
  private final double periodNanos;
  private final int classBlocks;
  private final int most;
  private final RandomGenerator random;
  private final long startNanos;

  /** Guards the fields below; notified when a request leaves {@link #waiting}. */
  private final Object lock = new Object();

  private final CallPermits permits;
  private final Deque<Request> waiting = new ArrayDeque<>();

  /** Flushes that were requested while no access waited; they follow the next access. */
  private List<CompletableFuture<Void>> flushes = new ArrayList<>();

  private long nextTime;
  private int underWay;
  private long asked;
  private long dummies;
  private long missed;
  private boolean closing;
  private boolean stopped;
  private volatile boolean ended;

  /** Calls {@link #tick}; null in tests, which call it themselves. */
  private @Nullable Thread timer;

  /** An access, and the requested flushes that follow it directly. */
  private record Request(
      Supplier<CompletableFuture<Void>> access,
      boolean tookRoom,
      CompletableFuture<Void> done,
      List<CompletableFuture<Void>> flushes) {

    Request(Supplier<CompletableFuture<Void>> access, boolean tookRoom) {
      this(access, tookRoom, new CompletableFuture<>(), new ArrayList<>());
    }
  }

  /** Creates an ORAM that acts only when {@link #tick} is called. */
  ConstantRateOram(
      AsyncOram oram,
      double perSecond,
      int sizeClass,
      int most,
      long startNanos,
      RandomGenerator random) {
    requireHiddenReads(oram.config());
    int longest = oram.config().maxRangeBlocks();
    if (sizeClass < 0 || sizeClass > 30 || 1 << sizeClass > longest) {
      throw new ConfigurationException(
          "size class is "
              + sizeClass
              + ", must be 0 to "
              + (Integer.SIZE - 1 - Integer.numberOfLeadingZeros(longest))
              + ": the store's longest range is of "
              + longest
              + " blocks");
    }
    long bytes = (long) oram.config().blockBytes() << sizeClass;
    if (bytes > MOST_BYTES) {
      throw new ConfigurationException(
          "size class is "
              + sizeClass
              + ", whose accesses are of "
              + bytes
              + " bytes, must be of at most "
              + MOST_BYTES
              + "; choose a smaller one");
    }
    if (!(perSecond > 0 && perSecond <= MAX_PER_SECOND)) {
      throw new ConfigurationException(
          "rate is " + perSecond + " accesses a second, must be above 0 and at most 1000000");
    }
    if (most < 1) {
      throw new IllegalArgumentException("most is " + most + " accesses, must be at least 1");
    }
    this.oram = oram;
    this.most = most;
    this.startNanos = startNanos;
    this.random = random;
    permits = new CallPermits(2 * most);
    limits = new AccessLimits(oram::config);
    periodNanos = NANOS_PER_SECOND / perSecond;
    classBlocks = 1 << sizeClass;
  }

  /** Requires that reads look like writes: accesses that nobody requested are reads. */
  private static void requireHiddenReads(OramConfig config) {
    if (config.has(Scheme.Trait.HIDES_WRITES_ALONE)) {
      throw new ConfigurationException(
          "scheme "
              + config.scheme()
              + " hides writes alone, so a constant rate would not hide when there are any; use"
              + " another scheme");
    }
  }

  /** Starts an ORAM whose thread keeps to the times of {@link System#nanoTime}. */
  public static ConstantRate start(AsyncOram oram, double perSecond, int sizeClass, int most) {
    ConstantRateOram timed =
        new ConstantRateOram(
            oram, perSecond, sizeClass, most, System.nanoTime(), new SecureRandom());
    Thread thread = DaemonThreads.of("roram-rate", timed::keepTime);
    timed.timer = thread;
    thread.start();
    return timed;
  }

  private void keepTime() {
    while (!ended) {
      long next = tick(System.nanoTime());
      LockSupport.parkNanos(Math.max(1, next - System.nanoTime()));
    }
  }

  /**
   * Makes the access of the present time, unless it was made already.
   *
   * @return the time of the next call, in the same nanoseconds
   */
  long tick(long nowNanos) {
    if (isDue(nowNanos)) {
      make();
    }
    return startNanos + (long) Math.ceil(count(() -> nextTime) * periodNanos);
  }

  private void make() {
    Request made = taken();
    if (made == null) {
      return;
    }
    CompletableFuture<Void> access = Futures.begun(made.access);
    CompletableFuture<Void> flush = Futures.begun(oram::flush);
    CompletableFuture<Void> answered =
        access.whenComplete(
            (nothing, failure) -> {
              permits.giveRoom(made.tookRoom);
              permits.complete(made.done, failure);
            });
    CompletableFuture<Void> flushed =
        flush.whenComplete((nothing, failure) -> endFlush(made.flushes, failure));
    CompletableFuture<Void> unused =
        CompletableFuture.allOf(answered, flushed).whenComplete((nothing, failure) -> ended());
  }

  /**
   * Returns the request to make. Returns null if there is no memory for a dummy, even if an access
   * was requested; this time is missed then.
   */
  private @Nullable Request taken() {
    try {
      return take();
    } catch (OutOfMemoryError e) {
      LOG.warn("a time is missed, as there is no memory for an access: {}", e.toString());
      synchronized (lock) {
        missed++;
        underWay--;
      }
      return null;
    }
  }

  /** Returns whether an access is to be made now; counts the times that were missed. */
  private boolean isDue(long nowNanos) {
    synchronized (lock) {
      long time = (long) Math.floor((nowNanos - startNanos) / periodNanos);
      if (time < nextTime) {
        return false;
      }
      missed += time - nextTime;
      nextTime = time + 1;
      if (stopped || underWay == most) {
        missed++;
        return false;
      }
      underWay++;
      return true;
    }
  }

  /**
   * Returns the oldest requested access. A dummy access is prepared in any case, so that both take
   * the same time.
   */
  private Request take() {
    Request dummy = dummy();
    synchronized (lock) {
      boolean idle = waiting.isEmpty();
      Request next = idle ? dummy : waiting.remove();
      asked += idle ? 0 : 1;
      dummies += idle ? 1 : 0;
      next.flushes.addAll(flushes);
      flushes = new ArrayList<>();
      lock.notifyAll();
      return next;
    }
  }

  /** Returns a read of random blocks, as many as every access has. */
  private Request dummy() {
    OramConfig of = config();
    int count = (int) Math.min(classBlocks, of.blocks());
    long first = random.nextLong(of.blocks() - count + 1L);
    ByteBuffer target = ByteBuffer.allocate(count * of.blockBytes());
    Request dummy =
        new Request(() -> oram.readBytes(first * of.blockBytes(), classBlocks, target), false);
    CompletableFuture<Void> unused =
        dummy.done.whenComplete(
            (nothing, failure) -> warn("an access that nobody asked for failed", failure));
    return dummy;
  }

  private void endFlush(List<CompletableFuture<Void>> askedFor, @Nullable Throwable failure) {
    if (askedFor.isEmpty()) {
      warn("a flush that nobody asked for failed", failure);
    }
    askedFor.forEach(each -> permits.complete(each, failure));
  }

  private static void warn(String what, @Nullable Throwable failure) {
    if (failure != null) {
      LOG.warn("{}: {}", what, failure.toString());
    }
  }

  private void ended() {
    synchronized (lock) {
      underWay--;
    }
  }

  @Override
  public OramConfig config() {
    return oram.config();
  }

  @Override
  public CompletableFuture<Void> readBytes(long offset, int leastBlocks, ByteBuffer target) {
    limits.checkRead(offset, leastBlocks, target);
    checkClass(offset, leastBlocks, target);
    ByteBuffer view = target.duplicate();
    return add(() -> oram.readBytes(offset, classBlocks, view));
  }

  @Override
  public CompletableFuture<Void> updateBytes(long offset, int leastBlocks, ByteBuffer source) {
    limits.checkWrite(offset, leastBlocks, source);
    checkClass(offset, leastBlocks, source);
    ByteBuffer view = source.duplicate();
    return add(() -> oram.updateBytes(offset, classBlocks, view));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Not for schemes without size classes: there, an access shows that its blocks are scattered,
   * and so that somebody requested it.
   */
  @Override
  public CompletableFuture<Void> access(long[] blocks, int leastBlocks, BlockProgram program) {
    int[] checked = limits.checkScattered(blocks, leastBlocks);
    if (!config().has(Scheme.Trait.WHOLE_RANGES)) {
      throw new ConfigurationException(
          "scheme "
              + config().scheme()
              + " shows which accesses are to scattered blocks, so a constant rate would not hide"
              + " when there are any; use scheme roram");
    }
    checkBlocks(Math.max(checked.length, leastBlocks));
    long[] named = blocks.clone();
    return add(() -> oram.access(named, classBlocks, program));
  }

  private void checkClass(long offset, int leastBlocks, ByteBuffer buffer) {
    int blockBytes = config().blockBytes();
    long blocks = (offset + buffer.remaining() - 1) / blockBytes - offset / blockBytes + 1;
    checkBlocks(Math.max(blocks, leastBlocks));
  }

  private void checkBlocks(long blocks) {
    if (blocks > classBlocks) {
      throw new IllegalArgumentException(
          "the access is of " + blocks + " blocks, all here are of " + classBlocks + "; split it");
    }
  }

  private CompletableFuture<Void> add(Supplier<CompletableFuture<Void>> call) {
    Request request = new Request(call, permits.takeRoom());
    synchronized (lock) {
      if (closing) {
        permits.giveRoom(request.tookRoom);
        return CompletableFuture.failedFuture(new ClosedChannelException());
      }
      waiting.add(request);
    }
    return request.done;
  }

  /** Flushes at the time of the last requested access, or else of the next access. */
  @Override
  public CompletableFuture<Void> flush() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    synchronized (lock) {
      if (closing) {
        return CompletableFuture.failedFuture(new ClosedChannelException());
      }
      (waiting.isEmpty() ? flushes : waiting.getLast().flushes).add(done);
    }
    return done;
  }

  @Override
  public int mostUnderWay() {
    return permits.room();
  }

  @Override
  public OramStats stats() {
    return oram.stats();
  }

  @Override
  public long asked() {
    return count(() -> asked);
  }

  @Override
  public long dummies() {
    return count(() -> dummies);
  }

  @Override
  public long missed() {
    return count(() -> missed);
  }

  /** Returns the number of requested accesses that wait for their time. */
  int waiting() {
    return (int) count(waiting::size);
  }

  private long count(LongSupplier counter) {
    synchronized (lock) {
      return counter.getAsLong();
    }
  }

  /**
   * Makes the requested accesses at their times, and ends. If the ORAM cannot be closed, this
   * object has ended nevertheless, and can only be closed again. Must not be called by a stage of a
   * future.
   */
  @Override
  public void close() throws IOException {
    permits.requireElsewhere();
    synchronized (lock) {
      closing = true;
      while (!(waiting.isEmpty() && flushes.isEmpty()) && timer != null) {
        Uninterrupted.await(lock::wait);
      }
      stopped = true;
    }
    ended = true;
    if (timer != null) {
      LockSupport.unpark(timer);
      OwnedThreads.join(timer);
    }
    oram.close();
  }

  @Override
  public String toString() {
    return oram + ", an access of " + classBlocks + " blocks every " + periodNanos / 1e6 + " ms";
  }
}
