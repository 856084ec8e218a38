package io.github.roram.suites;

import io.github.roram.AsyncOram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Measures accesses a second of callers that each make one after another, one after another in the
 * ORAM as well or overlapping there; prints a line for each. Half of them are writes.
 */
final class OverlapRate {

  private static final int BLOCKS = 1 << 14;
  private static final double NANOS_PER_SECOND = 1e9;

  private OverlapRate() {}

  /** One access. */
  private interface Access {
    void make(boolean write, int block, ByteBuffer buffer) throws IOException;
  }

  /**
   * Runs the measurement.
   *
   * @param arguments URI of a store that does not exist, durability, blocks of an access, seconds
   *     of each measurement, rounds, and numbers of callers
   */
  public static void main(String[] arguments) throws Exception {
    String uri = arguments[0];
    Durability durability = Durability.valueOf(arguments[1]);
    int range = Integer.parseInt(arguments[2]);
    int seconds = Integer.parseInt(arguments[3]);
    int rounds = Integer.parseInt(arguments[4]);
    for (int round = 0; round < rounds; round++) {
      for (int i = 5; i < arguments.length; i++) {
        int callers = Integer.parseInt(arguments[i]);
        for (boolean overlaps : new boolean[] {false, true}) {
          double perSecond = measure(uri, durability, range, seconds, callers, overlaps);
          System.out.printf(
              "%s, ranges of %d, %d callers, %s: %.1f accesses/s%n",
              durability, range, callers, overlaps ? "overlapping" : "one by one", perSecond);
        }
      }
    }
  }

  private static double measure(
      String uri, Durability durability, int range, int seconds, int callers, boolean overlaps)
      throws Exception {
    OramConfig config = OramConfig.builder(BLOCKS).build();
    OpenOptions options = OpenOptions.defaults().withDurability(durability).withInFlight(callers);
    try (MasterKey key = MasterKey.generate();
        OpenedStore opened =
            Stores.create(uri, Orams.storeBytes(config), StoreOptions.defaults())) {
      if (overlaps) {
        try (AsyncOram oram =
            Orams.create(opened.store(), opened.vault(), config, key, options).async()) {
          return rate(
              seconds,
              callers,
              range,
              config.blockBytes(),
              (write, block, buffer) -> {
                (write ? oram.write(block, buffer) : oram.read(block, range, buffer)).join();
              });
        }
      }
      try (Oram oram = Orams.create(opened.store(), opened.vault(), config, key, options)) {
        return rate(
            seconds,
            callers,
            range,
            config.blockBytes(),
            (write, block, buffer) -> {
              if (write) {
                oram.write(block, buffer);
              } else {
                oram.read(block, range, buffer);
              }
            });
      }
    } finally {
      if (Stores.exists(uri)) {
        Stores.delete(uri);
      }
    }
  }

  /** Accesses a second, after a third of the time to warm up. */
  private static double rate(int seconds, int callers, int range, int blockBytes, Access access)
      throws InterruptedException, ExecutionException {
    AtomicLong done = new AtomicLong();
    AtomicLongArray stop = new AtomicLongArray(1);
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    List<Future<?>> ends = new ArrayList<>();
    for (int caller = 0; caller < callers; caller++) {
      Random random = new Random(caller);
      ends.add(
          threads.submit(
              () -> {
                for (int i = 0; stop.get(0) == 0; i++) {
                  ByteBuffer buffer = ByteBuffer.allocate(range * blockBytes);
                  try {
                    access.make(i % 2 == 0, random.nextInt(BLOCKS - range + 1), buffer);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                  done.incrementAndGet();
                }
              }));
    }
    TimeUnit.MILLISECONDS.sleep(seconds * 333L);
    long before = done.get();
    long start = System.nanoTime();
    TimeUnit.SECONDS.sleep(seconds);
    double perSecond = (done.get() - before) * NANOS_PER_SECOND / (System.nanoTime() - start);
    stop.set(0, 1);
    for (Future<?> end : ends) {
      end.get();
    }
    threads.shutdown();
    return perSecond;
  }
}
