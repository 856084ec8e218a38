package io.github.roram.storage.link;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Requests to a store at the end of a link, and their way there and back.
 *
 * <p>Thread safety: safe.
 */
final class LinkedRequests {

  /** Head of a message. */
  private static final int HEAD_BYTES = 28;

  private static final int EXTENT_BYTES = 12;

  /** Bytes that one message carries. */
  private static final int MESSAGE_BYTES = 1 << 20;

  private final BlockStore store;
  private final LinkTime time;
  private final LinkDirection up;
  private final LinkDirection down;
  private final ServerTime server;

  LinkedRequests(BlockStore store, Link link, LinkTime time, ServerTime server) {
    this.server = server;
    this.store = store;
    this.time = time;
    up = link.up();
    down = link.down();
  }

  /** What the other end does. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  CompletableFuture<Void> read(Carried carried) {
    ExtentBatch batch = carried.batch();
    return send(
        asking(batch), batch.bytes(), server.readNanos(batch), () -> carried.readFrom(store));
  }

  CompletableFuture<Void> write(Carried carried) {
    ExtentBatch batch = carried.batch();
    return send(asking(batch) + framed(batch.bytes()), 0, 0, () -> carried.writeTo(store));
  }

  CompletableFuture<Void> sync() {
    return send(HEAD_BYTES, 0, 0, store::sync);
  }

  private static long asking(ExtentBatch batch) {
    return HEAD_BYTES + (long) EXTENT_BYTES * batch.extents();
  }

  private static long framed(long bytes) {
    return bytes + HEAD_BYTES * ((bytes + MESSAGE_BYTES - 1) / MESSAGE_BYTES);
  }

  private CompletableFuture<Void> send(
      long askingBytes, long answerBytes, long serverNanos, Work work) {
    CompletableFuture<Void> answered = new CompletableFuture<>();
    Runnable arrived =
        () -> {
          Throwable failure = failure(work);
          long bytes = failure == null && answerBytes > 0 ? framed(answerBytes) : HEAD_BYTES;
          put(down, bytes, () -> complete(answered, failure));
        };
    Runnable served =
        serverNanos == 0 ? arrived : () -> time.at(time.nanoTime() + serverNanos, arrived);
    put(up, askingBytes, served);
    return answered;
  }

  /** Puts bytes on the line; the task runs when they arrive. */
  private synchronized void put(LinkDirection direction, long bytes, Runnable task) {
    time.at(direction.send(time.nanoTime(), bytes), task);
  }

  private static @Nullable Throwable failure(Work work) {
    try {
      work.run();
      return null;
    } catch (IOException | RuntimeException | Error e) {
      return e;
    }
  }

  private static void complete(CompletableFuture<Void> answered, @Nullable Throwable failure) {
    if (failure == null) {
      answered.complete(null);
    } else {
      answered.completeExceptionally(failure);
    }
  }
}
