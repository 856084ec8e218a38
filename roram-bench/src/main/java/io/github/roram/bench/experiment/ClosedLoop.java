package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.parameters.PathParameters;
import io.github.roram.pattern.OverlappedPattern;
import io.github.roram.pattern.PatternOram;
import io.github.roram.storage.link.Link;
import io.github.roram.storage.link.LinkedStore;
import io.github.roram.storage.link.ServerTime;
import io.github.roram.storage.link.VirtualTime;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.PartsInMemory;
import io.github.roram.store.StoreParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletionException;

/**
 * Clients that ask for a random block right after the answer to the request before, half of them to
 * write, over a line in virtual time: processors and ciphers take none. What is answered in the
 * first tenth is not counted.
 *
 * @param config the ORAM
 * @param clients how many there are
 * @param link the line between ORAM and server
 * @param cacheBytes memory of a server that reads all else from its {@linkplain CachingDisk disk};
 *     empty if it has everything in memory
 * @param requests how many are answered in all
 */
record ClosedLoop(
    OramConfig config, int clients, Link link, OptionalLong cacheBytes, long requests) {

  private static final long WARM_UP_PARTS = 10;
  private static final double NANOS = 1e9;

  /**
   * What came out.
   *
   * @param counted requests
   * @param seconds in which they were answered
   * @param meanMillis mean time of one
   */
  record Result(long counted, double seconds, double meanMillis) {}

  /** A run at work. */
  private final class Run {
    private final VirtualTime time = new VirtualTime();
    private final Random random;
    private long asked;
    private long answered;
    private long warmNanos;
    private long countedNanos;

    Run(long seed) {
      random = new Random(seed);
    }

    /** The store at the other end of the line. */
    BlockStore far(BlockStore store) {
      if (cacheBytes.isEmpty()) {
        return new LinkedStore(store, link, time);
      }
      CachingDisk disk = new CachingDisk(store, cacheBytes.getAsLong());
      return new LinkedStore(disk, link, time, disk);
    }

    long block() {
      return random.nextInt((int) config.blocks());
    }

    void answered(long askedNanos) {
      answered++;
      if (answered == requests / WARM_UP_PARTS) {
        warmNanos = time.nanoTime();
      } else if (answered > requests / WARM_UP_PARTS) {
        countedNanos += time.nanoTime() - askedNanos;
      }
    }

    Result result() {
      long counted = answered - requests / WARM_UP_PARTS;
      return new Result(
          counted, (time.nanoTime() - warmNanos) / NANOS, countedNanos / 1e6 / counted);
    }
  }

  /** Runs it with fresh labels. */
  Result run(long seed) throws IOException {
    Run run = new Run(seed);
    if (config.parameters() instanceof PathParameters) {
      oneByOne(run);
    } else {
      overlapping(run);
    }
    return run.result();
  }

  /** Clients wait in turn for an ORAM that makes one access after another. */
  private void oneByOne(Run run) throws IOException {
    try (PatternOram oram = PatternOram.create(config, run::far)) {
      oram.fill(bytes -> {});
      long[] asked = new long[clients];
      Arrays.fill(asked, run.time.nanoTime());
      for (int i = 0; i < requests; i++) {
        oram.access(run.block(), 1, run.random.nextBoolean());
        run.answered(asked[i % clients]);
        asked[i % clients] = run.time.nanoTime();
      }
    }
  }

  private void overlapping(Run run) throws IOException {
    try (OverlappedPattern oram = OverlappedPattern.create(config, clients, run::far)) {
      for (int client = 0; client < clients; client++) {
        ask(oram, run);
      }
      while (run.answered < requests) {
        if (!run.time.step()) {
          throw new IOException("the ORAM waits for nothing: this is a bug, please report it");
        }
      }
    } catch (CompletionException e) {
      throw new IOException("an access failed: " + e.getCause(), e);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // its end is told to the run
  private void ask(OverlappedPattern oram, Run run) {
    long now = run.time.nanoTime();
    run.asked++;
    oram.access(run.block(), 1, run.random.nextBoolean())
        .thenRun(
            () -> {
              run.answered(now);
              if (run.asked < requests) {
                ask(oram, run);
              }
            });
  }

  /**
   * The disk of a server, but for the top levels that it has in memory: those that our block server
   * would hold there with as much of it ({@code limits.cache}), told where they are as that one is.
   * A path of 17 buckets takes 6.12 ms, as TaoStore's did without a cache; 6 and 4 of them, with a
   * 64th and a 16th of the store in memory, then take 2.2 and 1.4 ms (the paper: 2.68 and 1.7).
   */
  static final class CachingDisk extends FilterBlockStore implements ServerTime {

    private static final long BUCKET_NANOS = 6_120_000 / 17;

    private final long cacheBytes;
    private PartsInMemory cached = PartsInMemory.first(List.of(), bytes -> false);

    /**
     * The disk below a store.
     *
     * @param cacheBytes of memory
     */
    CachingDisk(BlockStore store, long cacheBytes) {
      super(store);
      this.cacheBytes = cacheBytes;
    }

    @Override
    public void arrange(StoreParts parts) {
      long[] left = {cacheBytes};
      cached =
          PartsInMemory.first(
              parts.inOrder(capacityBytes()),
              bytes -> {
                boolean fits = bytes <= left[0];
                left[0] -= fits ? bytes : 0;
                return fits;
              });
      super.arrange(parts);
    }

    @Override
    public long readNanos(ExtentBatch batch) {
      Missing missing = new Missing();
      try {
        cached.split(batch, missing);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return missing.buckets * BUCKET_NANOS;
    }

    /** Counts the buckets that are not in memory. */
    private static final class Missing implements PartsInMemory.Runs {
      private long buckets;

      @Override
      public void inMemory(int firstUnit, long range, long offset, int units) {}

      @Override
      public void missing(int firstUnit, long offset, int units) {
        buckets += units;
      }
    }
  }
}
