package io.github.roram.nbd;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.open.Orams;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A device over an ORAM. Where accesses of the ORAM overlap, requests are passed on as they come,
 * and wait where it has no room; otherwise threads take them from a queue.
 *
 * <h2>Security</h2>
 *
 * As {@code DeviceAccesses}: what the store sees follows from the lengths of requests; trims and
 * zeroed blocks make no accesses.
 *
 * <p>Thread safety: safe.
 */
public final class OramDevice implements BlockDevice {

  /** As many as clients usually have in flight at most: so many share a sync. */
  private static final int SYNC_THREADS = 16;

  private final OramConfig config;
  private final DeviceCalls calls;
  private final DeviceAccesses accesses;
  private final boolean padded;
  private final Closeable below;
  private volatile boolean closed;

  private OramDevice(OramConfig config, int sizeClass, DeviceCalls calls, Closeable below) {
    this.config = config;
    this.calls = calls;
    this.below = below;
    padded = sizeClass >= 0;
    accesses = new DeviceAccesses(calls, config, sizeClass < 0 ? 0 : 1 << sizeClass);
  }

  /**
   * A device over an ORAM, opened with {@linkplain io.github.roram.OpenOptions#trims trims} if its
   * scheme has them, which makes one access after another and stays the caller's.
   *
   * @param sizeClass i, where every access is to be of 2^i blocks; −1 for as long as requests need
   * @param threads how many accesses are under way at a time, 1 to 64
   * @throws ConfigurationException if the ORAM has no such class
   */
  public OramDevice(Oram oram, int sizeClass, int threads) {
    this(oram.config(), sizeClass, threaded(oram, sizeClass, threads), () -> {});
  }

  /**
   * A device over an ORAM, opened with {@linkplain io.github.roram.OpenOptions#trims trims} if its
   * scheme has them, whose accesses overlap and which stays the caller's.
   *
   * @param sizeClass as above
   * @param inFlight how many calls it has room for; nobody else makes any
   * @throws ConfigurationException if the ORAM has no such class
   */
  public OramDevice(AsyncOram oram, int sizeClass, int inFlight) {
    this(oram.config(), sizeClass, overlapping(oram, sizeClass, inFlight), () -> {});
  }

  private static DeviceCalls overlapping(AsyncOram oram, int sizeClass, int inFlight) {
    checkClass(oram.config(), sizeClass);
    if (inFlight < 1) {
      throw new ConfigurationException("inFlight is " + inFlight + ", must be at least 1");
    }
    return new OverlappingCalls(oram, inFlight);
  }

  private static DeviceCalls threaded(Oram oram, int sizeClass, int threads) {
    checkClass(oram.config(), sizeClass);
    if (threads < 1 || threads > 64) {
      throw new ConfigurationException("threads is " + threads + ", must be 1 to 64");
    }
    return new ThreadedCalls(oram, threads);
  }

  /**
   * A device over an ORAM, opened with {@linkplain io.github.roram.OpenOptions#trims trims} if its
   * scheme has them, which is closed with it and used by nobody else. Accesses overlap if it was
   * opened for that and its scheme can.
   *
   * @param sizeClass i, where every access is to be of 2^i blocks; −1 for as long as requests need
   * @param durability that it was opened with: see {@link #threadsFor}
   * @param inFlight how many accesses of it may be under way, as it was opened with
   * @throws ConfigurationException if the ORAM has no such class; it stays open
   */
  public static OramDevice over(Oram oram, int sizeClass, Durability durability, int inFlight) {
    OramConfig config = oram.config();
    checkClass(config, sizeClass);
    if (Orams.overlaps(oram)) {
      // What depends on its futures is handed on to the event loop of a connection.
      AsyncOram overlapping = Orams.async(oram, Runnable::run);
      DeviceCalls calls = new OverlappingCalls(overlapping, inFlight);
      return new OramDevice(config, sizeClass, calls, overlapping);
    }
    DeviceCalls calls = new ThreadedCalls(oram, threadsFor(durability));
    return new OramDevice(config, sizeClass, calls, oram);
  }

  private static void checkClass(OramConfig config, int sizeClass) {
    int most = Math.min(config.maxRangeBlocks(), (1 << 30) / config.blockBytes());
    if (sizeClass < -1 || sizeClass > 30 || (sizeClass >= 0 && 1 << sizeClass > most)) {
      throw new ConfigurationException(
          "size class is "
              + sizeClass
              + ", accesses of 2^"
              + sizeClass
              + " blocks; must be 0 to "
              + (Integer.SIZE - 1 - Integer.numberOfLeadingZeros(most))
              + ", the store's longest range");
    }
  }

  /**
   * The number of threads that pays for a durability, where accesses do not overlap: with {@code
   * sync} many, since each waits for its access to be durable and those that wait share a sync;
   * otherwise one.
   */
  public static int threadsFor(Durability durability) {
    return durability == Durability.SYNC ? SYNC_THREADS : 1;
  }

  @Override
  public long bytes() {
    return config.bytes();
  }

  @Override
  public int blockBytes() {
    return config.blockBytes();
  }

  /** With a size class, what one access moves: then what shows is the number of requests. */
  @Override
  public int longestBytes() {
    return padded
        ? (int) Math.min(NbdLimits.MAX_REQUEST_BYTES, accesses.accessBytes())
        : NbdLimits.MAX_REQUEST_BYTES;
  }

  private CompletableFuture<Void> withFlush(CompletableFuture<Void> done, boolean durable) {
    return durable ? done.thenCompose(nothing -> flush()) : done;
  }

  @Override
  public CompletableFuture<Void> read(long offset, ByteBuffer target) {
    return accesses.read(offset, target);
  }

  @Override
  public CompletableFuture<Void> write(long offset, ByteBuffer source, boolean durable) {
    return withFlush(accesses.write(offset, source), durable);
  }

  @Override
  public boolean trims() {
    return accesses.trims();
  }

  @Override
  public CompletableFuture<Void> zero(long offset, long length, boolean durable) {
    return withFlush(accesses.zero(offset, length), durable);
  }

  @Override
  public CompletableFuture<Void> trim(long offset, long length, boolean durable) {
    return withFlush(accesses.trim(offset, length), durable);
  }

  @Override
  public CompletableFuture<Void> flush() {
    return accesses.flush();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      below.close(); // which may have failed
      return;
    }
    closed = true;
    try (below;
        calls) {
      calls.drain();
      // Flushes that were asked for before are done then, too.
      flush().join();
    } catch (CompletionException e) {
      throw new IOException("the device was closed, but not flushed: " + e.getCause(), e);
    }
  }

  @Override
  public String toString() {
    return "a device of " + bytes() + " bytes";
  }
}
