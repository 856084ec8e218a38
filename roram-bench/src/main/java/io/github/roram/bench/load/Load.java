package io.github.roram.bench.load;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.bench.load.LoadResult.LoadTimes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.RandomGenerator;
import org.apache.commons.math3.random.Well19937c;
import org.jspecify.annotations.Nullable;

/**
 * Clients in a closed loop: each asks for the next access right after the answer to the one before
 * (as TaoStore's were measured: Sahin et al., IEEE S&amp;P 2016, section 7). Every answer is
 * checked: see {@link LoadCheck}. What was in the blocks before is lost, unless all requests are
 * reads.
 */
public final class Load {

  private static final long WARM_UP_PARTS = 10;

  private final LoadOptions options;
  private final OramConfig config;
  private final LoadCheck check;
  private final BooleanSupplier stopping;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private Load(LoadOptions options, OramConfig config, BooleanSupplier stopping) {
    this.options = options;
    this.config = config;
    this.stopping = stopping;
    check = new LoadCheck(new Random().nextLong(), config.blockBytes());
  }

  /**
   * Runs a load and waits for its end.
   *
   * @param clients what each client asks; several may be the same
   * @param stopping whether to end early; asked between requests
   * @throws ConfigurationException if the ORAM is smaller than a request
   * @throws IOException if a request failed: all clients end then
   * @throws OramException if it failed since the data is damaged, or the stash is full
   */
  public static LoadResult run(
      LoadOptions options, List<? extends AsyncOram> clients, BooleanSupplier stopping)
      throws IOException {
    OramConfig config = clients.get(0).config();
    if (options.rangeBlocks() > Math.min(config.maxRangeBlocks(), config.blocks())) {
      throw new ConfigurationException(
          "range is "
              + options.rangeBlocks()
              + " blocks, must be at most "
              + Math.min(config.maxRangeBlocks(), config.blocks())
              + ", the longest of the store");
    }
    return new Load(options, config, stopping).run(clients);
  }

  private LoadResult run(List<? extends AsyncOram> clients) throws IOException {
    long start = System.nanoTime();
    long end = start + options.time().toNanos();
    long warm = start + options.time().toNanos() / WARM_UP_PARTS;
    List<LoadTimes> times = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < options.clients(); i++) {
      LoadTimes own = new LoadTimes(warm, end);
      times.add(own);
      AsyncOram oram = clients.get(i % clients.size());
      long seed = options.seed() * options.clients() + i;
      Thread thread = new Thread(() -> client(oram, seed, own, end), "roram-load-" + i);
      threads.add(thread);
      thread.start();
    }
    awaitAll(threads);
    throwFailure();
    LoadTimes all = new LoadTimes(warm, end);
    times.forEach(all::add);
    return all.result(options.clients(), check.mismatches());
  }

  private void awaitAll(List<Thread> threads) throws InterruptedIOException {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        failure.compareAndSet(null, e);
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while clients were at work");
      }
    }
  }

  private void throwFailure() throws IOException {
    Throwable found = failure.get();
    if (found instanceof IOException io) {
      throw io;
    }
    if (found instanceof OramException damaged) {
      throw damaged;
    }
    if (found != null) {
      throw new IOException("a request failed: " + found, found);
    }
  }

  private void client(AsyncOram oram, long seed, LoadTimes times, long end) {
    try {
      Random random = new Random(seed);
      AddressSource addresses =
          AddressSource.of(options.addresses(), config.blocks(), options.rangeBlocks(), seed);
      byte[] data = new byte[options.rangeBlocks() * config.blockBytes()];
      while (System.nanoTime() - end < 0 && failure.get() == null && !stopping.getAsBoolean()) {
        request(oram, addresses.next(), random.nextInt(100) < options.readPercent(), data, times);
      }
    } catch (CompletionException e) {
      failure.compareAndSet(null, e.getCause());
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Makes a request. The call is measured, not the creation and checking of its data. */
  private void request(AsyncOram oram, long block, boolean reads, byte[] data, LoadTimes times) {
    int count = options.rangeBlocks();
    LoadCheck.Operation operation =
        reads ? check.startRead(block, count) : check.startWrite(block, count, data);
    ByteBuffer buffer = ByteBuffer.wrap(data);
    long start = System.nanoTime();
    (reads ? oram.read(block, count, buffer) : oram.write(block, buffer)).join();
    times.add(start, System.nanoTime());
    if (reads) {
      check.endRead(operation, data);
    } else {
      check.endWrite(operation);
    }
  }

  /** Where the requests of one client begin. Not safe for use by several threads. */
  interface AddressSource {

    /** First block of the next request. */
    long next();

    /**
     * Addresses of a client.
     *
     * @param blocks of the ORAM
     * @param rangeBlocks of each request, which ends within the ORAM
     */
    static AddressSource of(
        LoadOptions.Addresses addresses, long blocks, int rangeBlocks, long seed) {
      long starts = blocks - rangeBlocks + 1;
      RandomGenerator random = new Well19937c(seed);
      if (addresses == LoadOptions.Addresses.UNIFORM) {
        return () -> (long) (random.nextDouble() * starts);
      }
      ZipfDistribution ranks = new ZipfDistribution(random, (int) starts, 1);
      // A prime that is larger than any store: popular blocks lie apart, each rank elsewhere.
      return () -> (ranks.sample() * 2_654_435_761L) % starts;
    }
  }

  /**
   * What clients do.
   *
   * @param clients how many there are, each with one request under way
   * @param time how long; what completes in its first tenth is not counted
   * @param readPercent share of requests that are reads, 0 to 100; the others write whole blocks
   * @param addresses where requests go
   * @param rangeBlocks blocks of each request
   * @param seed of addresses and of which requests read
   */
  public record LoadOptions(
      int clients,
      Duration time,
      int readPercent,
      Addresses addresses,
      int rangeBlocks,
      long seed) {

    private static final int MAX_CLIENTS = 10_000;
    private static final int PERCENT = 100;

    /** Which blocks requests begin at. */
    public enum Addresses {
      /** Each as often as any other. */
      UNIFORM,
      /** The n-th most popular with a probability in proportion to 1/n. */
      ZIPF
    }

    /**
     * Checks that there is something to do.
     *
     * @throws ConfigurationException naming a value that cannot be
     */
    public LoadOptions {
      require("clients", clients, 1, MAX_CLIENTS);
      require("mix", readPercent, 0, PERCENT);
      require("range", rangeBlocks, 1, OramConfig.MAX_RANGE_BLOCKS);
      if (time.isNegative() || time.isZero()) {
        throw new ConfigurationException("time is " + time + ", must be above 0");
      }
    }

    private static void require(String name, long value, long from, long to) {
      if (value < from || value > to) {
        throw new ConfigurationException(name + " is " + value + ", must be " + from + " to " + to);
      }
    }
  }
}
