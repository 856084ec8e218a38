package io.github.roram.bench.device;

import io.github.roram.AsyncOram;
import io.github.roram.Oram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** The library called directly, by as many threads as requests are in flight. */
final class DirectLoad {

  private DirectLoad() {}

  static FioLoad.LoadOutcome run(Oram oram, FioLoad load, int seconds) throws IOException {
    long start = System.nanoTime();
    long end = start + seconds * 1_000_000_000L;
    ExecutorService threads = Executors.newFixedThreadPool(load.depth());
    try {
      List<Callable<long[]>> callers = new ArrayList<>();
      for (int i = 0; i < load.depth(); i++) {
        SplittableRandom random = new SplittableRandom(i);
        callers.add(() -> call(oram, load, random, end));
      }
      List<long[]> times = new ArrayList<>();
      for (Future<long[]> each : threads.invokeAll(callers)) {
        times.add(each.get());
      }
      return FioLoad.LoadOutcome.of(
          load, start, times.stream().flatMapToLong(Arrays::stream).toArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  /** Nanoseconds of each access. */
  private static long[] call(Oram oram, FioLoad load, SplittableRandom random, long end)
      throws IOException {
    long[] times = new long[1 << 10];
    int count = 0;
    ByteBuffer buffer = ByteBuffer.allocate(load.blockBytes());
    long blocks = oram.config().blocks();
    for (long now = System.nanoTime(); now < end; ) {
      long offset = random.nextLong(blocks) * oram.config().blockBytes();
      buffer.clear();
      if (load.writes()) {
        oram.updateBytes(offset, 1, buffer);
      } else {
        oram.readBytes(offset, 1, buffer);
      }
      long later = System.nanoTime();
      if (count == times.length) {
        times = Arrays.copyOf(times, 2 * count);
      }
      times[count++] = later - now;
      now = later;
    }
    return Arrays.copyOf(times, count);
  }

  /**
   * An asynchronous ORAM called directly, as the device calls it: who is answered makes the next
   * call; beyond what the ORAM has room for, calls wait in a queue. One run each.
   */
  static final class OverlappingLoad {

    private final AsyncOram oram;
    private final int inFlight;
    private final FioLoad load;
    private final SplittableRandom random = new SplittableRandom(1);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** When calls began to wait. */
    private final Queue<Long> waiting = new ArrayDeque<>();

    private long endNanos;
    private long[] times = new long[1 << 10];
    private int count;
    private int underWay;
    private @Nullable Throwable failure;

    /**
     * A load that has not begun.
     *
     * @param inFlight how many calls the ORAM has room for
     */
    OverlappingLoad(AsyncOram oram, int inFlight, FioLoad load) {
      this.oram = oram;
      this.inFlight = inFlight;
      this.load = load;
    }

    /** Makes calls for a time; those that are under way then are waited for. */
    FioLoad.LoadOutcome run(int seconds) throws IOException {
      long start = System.nanoTime();
      endNanos = start + seconds * 1_000_000_000L;
      synchronized (this) {
        for (int i = 0; i < load.depth(); i++) {
          waiting.add(start);
        }
      }
      for (int i = 0; i < Math.min(inFlight, load.depth()); i++) {
        callNext();
      }
      ended.join();
      synchronized (this) {
        if (failure != null) {
          throw new IOException(failure);
        }
        return FioLoad.LoadOutcome.of(load, start, Arrays.copyOf(times, count));
      }
    }

    private void callNext() {
      long began;
      long offset;
      synchronized (this) {
        began = waiting.remove();
        offset = random.nextLong(oram.config().blocks()) * oram.config().blockBytes();
        underWay++;
      }
      ByteBuffer buffer = ByteBuffer.allocate(load.blockBytes());
      CompletableFuture<Void> unused =
          (load.writes() ? oram.updateBytes(offset, 1, buffer) : oram.readBytes(offset, 1, buffer))
              .whenComplete((nothing, thrown) -> answered(began, thrown));
    }

    private void answered(long began, @Nullable Throwable thrown) {
      if (goesOn(began, thrown)) {
        callNext();
      }
    }

    private synchronized boolean goesOn(long began, @Nullable Throwable thrown) {
      long now = System.nanoTime();
      if (count == times.length) {
        times = Arrays.copyOf(times, 2 * count);
      }
      times[count++] = now - began;
      failure = thrown == null ? failure : thrown;
      underWay--;
      if (now < endNanos && failure == null) {
        waiting.add(now);
        return true;
      }
      if (underWay == 0) {
        ended.complete(null);
      }
      return false;
    }
  }
}
