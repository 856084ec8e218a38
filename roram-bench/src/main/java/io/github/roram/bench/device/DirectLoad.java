package io.github.roram.bench.device;

import io.github.roram.Oram;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The library called directly, by as many threads as requests are in flight. */
final class DirectLoad {

  private DirectLoad() {}

  static FioLoad.Outcome run(Oram oram, FioLoad load, int seconds) throws IOException {
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
      long[] all = times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
      double took = (System.nanoTime() - start) / 1e9;
      double p99 = all.length == 0 ? 0 : all[(int) (all.length * 0.99)] / 1e9;
      return new FioLoad.Outcome(all.length, took, p99, (long) all.length * load.blockBytes());
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
}
