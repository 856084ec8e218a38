package io.github.roram.nbd;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.Oram;
import io.github.roram.engine.SharedFlush;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A device over an ORAM: a queue, the threads that take requests from it in order, and one that
 * flushes beside them. An ORAM makes one access at a time; several threads only pay where an access
 * is waited for after it was made, as with durability {@code sync}.
 *
 * <h2>Security</h2>
 *
 * As {@code DeviceAccesses}: what the store sees follows from the lengths of requests; trims and
 * zeroed blocks make no accesses.
 *
 * <p>Thread safety: safe.
 */
public final class OramDevice implements BlockDevice {

  private static final long CLOSE_SECONDS = 600;

  /** As many as clients usually have in flight at most: so many share a sync. */
  private static final int SYNC_THREADS = 16;

  private final Oram oram;
  private final DeviceAccesses accesses;
  private final boolean padded;
  private final ExecutorService threads;
  private final ExecutorService flusher;
  private final SharedFlush flushes;
  private volatile boolean closed;

  /**
   * A device over an ORAM, opened with {@linkplain io.github.roram.OpenOptions#trims trims} if its
   * scheme has them, which stays the caller's.
   *
   * @param sizeClass i, where every access is to be of 2^i blocks; −1 for as long as requests need
   * @param threads how many accesses are under way at a time, 1 to 64
   * @throws ConfigurationException if the ORAM has no such class
   */
  public OramDevice(Oram oram, int sizeClass, int threads) {
    this.oram = oram;
    int most = Math.min(oram.config().maxRangeBlocks(), (1 << 30) / oram.config().blockBytes());
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
    if (threads < 1 || threads > 64) {
      throw new ConfigurationException("threads is " + threads + ", must be 1 to 64");
    }
    padded = sizeClass >= 0;
    accesses = new DeviceAccesses(oram, sizeClass < 0 ? 0 : 1 << sizeClass);
    this.threads =
        Executors.newFixedThreadPool(threads, new DefaultThreadFactory("roram-device", true));
    flusher = Executors.newSingleThreadExecutor(new DefaultThreadFactory("roram-flush", true));
    flushes = new SharedFlush(() -> begin(flusher, accesses::flush));
  }

  /**
   * The number of threads that pays for a durability: with {@code sync} many, since each waits for
   * its access to be durable and those that wait share a sync; otherwise one.
   */
  public static int threadsFor(Durability durability) {
    return durability == Durability.SYNC ? SYNC_THREADS : 1;
  }

  @Override
  public long bytes() {
    return oram.config().bytes();
  }

  @Override
  public int blockBytes() {
    return oram.config().blockBytes();
  }

  /** With a size class, what one access moves: then what shows is the number of requests. */
  @Override
  public int longestBytes() {
    return padded
        ? (int) Math.min(NbdLimits.MAX_REQUEST_BYTES, accesses.accessBytes())
        : NbdLimits.MAX_REQUEST_BYTES;
  }

  /** Something that is done to the ORAM. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  private CompletableFuture<Void> queue(boolean durable, Work work) {
    CompletableFuture<Void> done = begin(threads, work);
    return durable ? done.thenCompose(nothing -> flush()) : done;
  }

  private static CompletableFuture<Void> begin(ExecutorService on, Work work) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    try {
      on.execute(
          () -> {
            try {
              work.run();
              done.complete(null);
            } catch (IOException | RuntimeException | Error e) {
              done.completeExceptionally(e);
            }
          });
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(new ClosedChannelException());
    }
    return done;
  }

  @Override
  public CompletableFuture<Void> read(long offset, ByteBuffer target) {
    return queue(false, () -> accesses.read(offset, target));
  }

  @Override
  public CompletableFuture<Void> write(long offset, ByteBuffer source, boolean durable) {
    return queue(durable, () -> accesses.write(offset, source));
  }

  @Override
  public boolean trims() {
    return accesses.trims();
  }

  @Override
  public CompletableFuture<Void> zero(long offset, long length, boolean durable) {
    return queue(durable, () -> accesses.zero(offset, length));
  }

  @Override
  public CompletableFuture<Void> trim(long offset, long length, boolean durable) {
    return queue(durable, () -> accesses.trim(offset, length));
  }

  @Override
  public CompletableFuture<Void> flush() {
    return flushes.ask();
  }

  /** The ORAM stays open. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    end(threads);
    try {
      // Flushes that were asked for before are done then, too.
      flush().join();
    } catch (CompletionException e) {
      throw new IOException("the device was closed, but not flushed: " + e.getCause(), e);
    } finally {
      end(flusher);
    }
  }

  private static void end(ExecutorService pool) throws IOException {
    pool.shutdown();
    try {
      if (!pool.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("requests were not done within " + CLOSE_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while requests were under way", e);
    }
  }

  @Override
  public String toString() {
    return "a device of " + bytes() + " bytes";
  }
}
