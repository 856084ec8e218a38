package io.github.roram.storage.link;

import io.github.roram.storage.link.Link.LinkDirection;
import io.github.roram.storage.link.SimulatedLinkStore.ServerTime;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.threads.Futures;
import io.github.roram.threads.IoTask;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Requests to a store at the end of a link, and their way there and back.
 *
 * <p>Thread safety: safe.
 */
final class LinkRequests {

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

  LinkRequests(BlockStore store, Link link, LinkTime time, ServerTime server) {
    this.server = server;
    this.store = store;
    this.time = time;
    up = link.up();
    down = link.down();
  }

  CompletableFuture<Void> read(UnitsOnTheLine carried) {
    ExtentBatch batch = carried.batch();
    return send(
        asking(batch), batch.bytes(), server.readNanos(batch), () -> carried.readFrom(store));
  }

  CompletableFuture<Void> write(UnitsOnTheLine carried) {
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
      long askingBytes, long answerBytes, long serverNanos, IoTask work) {
    CompletableFuture<Void> answered = new CompletableFuture<>();
    Runnable arrived =
        () -> {
          Throwable failure = Futures.failure(work);
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

  private static void complete(CompletableFuture<Void> answered, @Nullable Throwable failure) {
    if (failure == null) {
      answered.complete(null);
    } else {
      answered.completeExceptionally(failure);
    }
  }

  /** The units of a batch while they are on the line. */
  static final class UnitsOnTheLine {

    private final ExtentBatch batch;
    private final byte[][] extents;

    UnitsOnTheLine(ExtentBatch batch) {
      this.batch = batch;
      extents = new byte[batch.extents()][];
    }

    /** Those that a source provides. */
    static UnitsOnTheLine takenFrom(ExtentBatch batch, UnitSource source) throws IOException {
      UnitsOnTheLine carried = new UnitsOnTheLine(batch);
      for (int i = 0; i < batch.extents(); i++) {
        carried.extents[i] = new byte[Math.toIntExact(batch.bytes(i))];
        source.fill(batch.firstUnit(i), ByteBuffer.wrap(carried.extents[i]));
      }
      return carried;
    }

    ExtentBatch batch() {
      return batch;
    }

    /** Takes them from a store. */
    void readFrom(BlockStore store) throws IOException {
      batch.checkWithin(store.capacityBytes());
      for (int i = 0; i < extents.length; i++) {
        extents[i] = new byte[Math.toIntExact(batch.bytes(i))];
      }
      store.read(
          batch, (first, units) -> units.get(extents[extent(first)], at(first), units.remaining()));
    }

    /** Puts them into a store. */
    void writeTo(BlockStore store) throws IOException {
      store.write(
          batch, (first, units) -> units.put(extents[extent(first)], at(first), units.remaining()));
    }

    /** Hands them over, each extent in one piece. */
    void handTo(UnitSink sink) throws IOException {
      for (int i = 0; i < extents.length; i++) {
        sink.accept(batch.firstUnit(i), ByteBuffer.wrap(extents[i]));
      }
    }

    /** The extent that a unit is in. */
    private int extent(int unit) {
      int low = 0;
      int high = batch.extents() - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (batch.firstUnit(middle) <= unit) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return low;
    }

    private int at(int unit) {
      return (unit - batch.firstUnit(extent(unit))) * batch.unitBytes();
    }
  }
}
