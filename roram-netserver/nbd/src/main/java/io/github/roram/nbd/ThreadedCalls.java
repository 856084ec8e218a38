package io.github.roram.nbd;

import io.github.roram.Oram;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Calls of an ORAM that makes one access after another: a queue, the threads that take calls from
 * it in order, and one that flushes beside them. Several threads only pay where an access is waited
 * for after it was made, as with durability {@code sync}.
 */
final class ThreadedCalls implements DeviceCalls {

  private static final long CLOSE_SECONDS = 600;

  private final Oram oram;
  private final ExecutorService threads;
  private final ExecutorService flusher =
      Executors.newSingleThreadExecutor(new DefaultThreadFactory("roram-flush", true));

  /** By so many threads. */
  ThreadedCalls(Oram oram, int threads) {
    this.oram = oram;
    this.threads =
        Executors.newFixedThreadPool(threads, new DefaultThreadFactory("roram-device", true));
  }

  /** Something that is done to the ORAM. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
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
  public CompletableFuture<Void> read(long offset, int leastBlocks, ByteBuffer target) {
    return begin(threads, () -> oram.readBytes(offset, leastBlocks, target));
  }

  @Override
  public CompletableFuture<Void> update(long offset, int leastBlocks, ByteBuffer source) {
    return begin(threads, () -> oram.updateBytes(offset, leastBlocks, source));
  }

  @Override
  public CompletableFuture<Boolean> trim(long block, long count) {
    boolean[] room = new boolean[1];
    return begin(threads, () -> room[0] = oram.trim(block, count)).thenApply(nothing -> room[0]);
  }

  @Override
  public CompletableFuture<Void> flush() {
    return begin(flusher, oram::flush);
  }

  @Override
  public void drain() throws IOException {
    end(threads);
  }

  @Override
  public void close() throws IOException {
    end(flusher);
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
}
