package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.SealedScheme;
import io.github.roram.open.Orams;
import io.github.roram.parameters.PathParameters;
import io.github.roram.pattern.OverlappedPattern;
import io.github.roram.pattern.PatternOram;
import io.github.roram.storage.link.Link;
import io.github.roram.storage.link.LinkTime.VirtualTime;
import io.github.roram.storage.link.SimulatedLinkStore;
import io.github.roram.storage.link.SimulatedLinkStore.ServerTime;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.PartsInMemory;
import io.github.roram.store.StoreParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * Clients that ask for a random block as soon as their previous request was answered; half of the
 * requests write. The line runs in virtual time: processors and ciphers take none. Answers in the
 * first tenth are not counted.
 *
 * @param config the ORAM
 * @param clients number of clients
 * @param link the line between ORAM and server
 * @param cacheBytes memory of a server that reads everything else from its {@linkplain CachingDisk
 *     disk}; empty if everything is in memory
 * @param requests number of requests answered in all
 * @param range blocks of each request
 */
record ClosedLoop(
    OramConfig config, int clients, Link link, OptionalLong cacheBytes, long requests, int range) {

  /** Requests of one block. */
  ClosedLoop(OramConfig config, int clients, Link link, OptionalLong cacheBytes, long requests) {
    this(config, clients, link, cacheBytes, requests, 1);
  }

  private static final long WARM_UP_PARTS = 10;
  private static final long SLOW_PER_CENT = 99;
  private static final double NANOS = 1e9;

  /**
   * The result of a run.
   *
   * @param counted number of counted requests
   * @param seconds time in which they were answered
   * @param meanMillis mean time of a request
   * @param slowMillis time that 99 of 100 do not exceed
   * @param fetchMillis mean time that the server's disk took for a read; 0 without a disk
   */
  record Result(
      long counted, double seconds, double meanMillis, double slowMillis, double fetchMillis) {

    double perSecond() {
      return counted / seconds;
    }
  }

  /** A run at work. */
  private final class Run {
    private final VirtualTime time = new VirtualTime();
    private final Random random;
    private long asked;
    private long answered;
    private long warmNanos;
    private long countedNanos;
    private final List<Long> times = new ArrayList<>();
    private long reads;
    private long readNanos;

    Run(long seed) {
      random = new Random(seed);
    }

    /** Returns the store at the other end of the line. */
    BlockStore far(BlockStore store) {
      if (cacheBytes.isEmpty()) {
        return new SimulatedLinkStore(store, link, time);
      }
      CachingDisk disk = new CachingDisk(store, cacheBytes.getAsLong());
      return new SimulatedLinkStore(
          disk,
          link,
          time,
          batch -> {
            long nanos = disk.readNanos(batch);
            reads++;
            readNanos += nanos;
            return nanos;
          });
    }

    long block() {
      return random.nextInt((int) config.blocks() - range + 1);
    }

    void answered(long askedNanos) {
      answered++;
      if (answered == requests / WARM_UP_PARTS) {
        warmNanos = time.nanoTime();
      } else if (answered > requests / WARM_UP_PARTS) {
        countedNanos += time.nanoTime() - askedNanos;
        times.add(time.nanoTime() - askedNanos);
      }
    }

    Result result() {
      long counted = answered - requests / WARM_UP_PARTS;
      return new Result(
          counted,
          (time.nanoTime() - warmNanos) / NANOS,
          countedNanos / 1e6 / counted,
          times.stream().sorted().skip(times.size() * SLOW_PER_CENT / 100).findFirst().orElse(0L)
              / 1e6,
          reads == 0 ? 0 : readNanos / 1e6 / reads);
    }
  }

  /** Returns a job that runs it. */
  Job job(Point.Key key, int run, Function<Result, Map<String, Double>> figures) {
    double work = 2.0 * config.blocks() + 40.0 * requests * range;
    return Job.alone(
        key,
        work,
        alive -> {
          Result result = run(run);
          return Point.counted(key, result.counted(), result.counted(), result.seconds(), Map.of())
              .withFigures(figures.apply(result));
        });
  }

  /** Runs it with fresh labels. */
  Result run(long seed) throws IOException {
    Run run = new Run(seed);
    if (config.parameters() instanceof PathParameters) {
      oneByOne(run);
    } else if (config.scheme().equals(SealedScheme.ID)) {
      plain(run);
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
        oram.access(run.block(), range, run.random.nextBoolean());
        run.answered(asked[i % clients]);
        asked[i % clients] = run.time.nanoTime();
      }
    }
  }

  private void overlapping(Run run) throws IOException {
    try (OverlappedPattern oram = OverlappedPattern.create(config, clients, run::far)) {
      askAll(run, write -> oram.access(run.block(), range, write));
    }
  }

  /** All blocks behave alike, so one place stands for all. */
  private void plain(Run run) throws IOException {
    int sealedBytes = (int) (Orams.storeBytes(config) / config.blocks());
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.READ, 0, sealedBytes);
    batch.add(0, range);
    try (BlockStore far = run.far(new MemoryStore((long) range * sealedBytes));
        AsyncBlockStore store = far.async(clients)) {
      askAll(
          run,
          write ->
              write
                  ? store.write(batch, (unit, bytes) -> bytes.position(bytes.limit()))
                  : store.read(batch, (unit, bytes) -> {}));
    }
  }

  /** What a client asks for. */
  private interface Asked {
    CompletableFuture<Void> begin(boolean write);
  }

  private void askAll(Run run, Asked access) throws IOException {
    try {
      for (int client = 0; client < clients; client++) {
        ask(access, run);
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
  private void ask(Asked access, Run run) {
    long now = run.time.nanoTime();
    run.asked++;
    access
        .begin(run.random.nextBoolean())
        .thenRun(
            () -> {
              run.answered(now);
              if (run.asked < requests) {
                ask(access, run);
              }
            });
  }

  /**
   * The disk of a server, except for the top levels that it has in memory: those that our block
   * server would hold with the same amount of memory ({@code limits.cache}), told about them in the
   * same way. A path of 17 buckets takes 6.12 ms, as TaoStore's did without a cache; 6 and 4 of
   * them, with a 64th and a 16th of the store in memory, then take 2.2 and 1.4 ms (the paper: 2.68
   * and 1.7).
   */
  static final class CachingDisk extends FilterBlockStore implements ServerTime {

    private static final long BUCKET_NANOS = 6_120_000 / 17;

    private final long cacheBytes;
    private PartsInMemory cached = PartsInMemory.first(List.of(), bytes -> false);

    /**
     * Creates the disk below a store.
     *
     * @param cacheBytes bytes of memory
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
