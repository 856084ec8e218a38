package io.github.roram.nbd;

import io.github.roram.AsyncOram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls of an ORAM whose accesses overlap: passed on at once by whoever makes them, while fewer are
 * under way than the ORAM has room for; so nobody waits, and no thread stands in between. Further
 * ones wait in a queue, and are passed on in their order when others end. Trims take no room.
 */
final class OverlappingCalls implements DeviceCalls {

  private static final long CLOSE_SECONDS = 600;

  private final AsyncOram oram;
  private final int most;

  /** Those that are not passed on. */
  private final Queue<Call<?>> waiting = new ArrayDeque<>();

  /** Those that were passed on, and what of them takes room. */
  private int underWay;

  private int takingRoom;
  private boolean draining;

  /**
   * None under way.
   *
   * @param most how many calls the ORAM has room for; nobody else makes any
   */
  OverlappingCalls(AsyncOram oram, int most) {
    this.oram = oram;
    this.most = most;
  }

  /** A call, and what becomes of it. */
  private record Call<T>(
      boolean takesRoom, Supplier<CompletableFuture<T>> make, CompletableFuture<T> end) {

    /** Passes it on. */
    private CompletableFuture<T> begin() {
      try {
        return make.get();
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    private void end(T result, @Nullable Throwable failure) {
      if (failure == null) {
        end.complete(result);
      } else {
        end.completeExceptionally(
            failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure);
      }
    }
  }

  @Override
  public CompletableFuture<Void> read(long offset, int leastBlocks, ByteBuffer target) {
    return call(true, () -> oram.readBytes(offset, leastBlocks, target));
  }

  @Override
  public CompletableFuture<Void> update(long offset, int leastBlocks, ByteBuffer source) {
    return call(true, () -> oram.updateBytes(offset, leastBlocks, source));
  }

  @Override
  public CompletableFuture<Boolean> trim(long block, long count) {
    return call(false, () -> oram.trim(block, count));
  }

  private <T> CompletableFuture<T> call(boolean takesRoom, Supplier<CompletableFuture<T>> make) {
    synchronized (this) {
      if (draining) {
        return CompletableFuture.failedFuture(new ClosedChannelException());
      }
    }
    return add(new Call<>(takesRoom, make, new CompletableFuture<>()));
  }

  @Override
  public CompletableFuture<Void> flush() {
    return add(new Call<>(true, oram::flush, new CompletableFuture<>()));
  }

  private <T> CompletableFuture<T> add(Call<T> call) {
    synchronized (this) {
      waiting.add(call);
    }
    passOn();
    return call.end();
  }

  /** Passes on what there is room for. */
  private void passOn() {
    for (Call<?> next = next(); next != null; next = next()) {
      begin(next);
    }
  }

  private synchronized @Nullable Call<?> next() {
    Call<?> next = waiting.peek();
    if (next == null || (next.takesRoom() && takingRoom == most)) {
      return null;
    }
    underWay++;
    takingRoom += next.takesRoom() ? 1 : 0;
    return waiting.remove();
  }

  /** What ends at once makes room for who passes on; what ends later passes on itself. */
  @SuppressWarnings("FutureReturnValueIgnored") // its end is told to this
  private <T> void begin(Call<T> call) {
    CompletableFuture<T> made = call.begin();
    boolean later = !made.isDone();
    made.whenComplete(
        (result, failure) -> {
          // First, so that who is told finds room.
          ended(call);
          call.end(result, failure);
          if (later) {
            passOn();
          }
        });
  }

  private synchronized void ended(Call<?> call) {
    underWay--;
    takingRoom -= call.takesRoom() ? 1 : 0;
    notifyAll();
  }

  @Override
  public synchronized void drain() throws IOException {
    draining = true;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
    try {
      while (underWay > 0 || !waiting.isEmpty()) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          throw new IOException("requests were not done within " + CLOSE_SECONDS + " s");
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while requests were under way", e);
    }
  }

  /** The ORAM stays open. */
  @Override
  public void close() throws IOException {
    drain();
  }
}
