package io.github.roram.bench.replay;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.replay.Target.ReplayDevice;
import io.github.roram.bench.trace.Trace;
import io.github.roram.bench.trace.Trace.TraceReader;
import io.github.roram.bench.trace.Trace.TraceRequest;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Replays traces on one ORAM, one request (a query) after another, as fast as it answers.
 *
 * <p>A request is widened to the blocks that it touches and cut into ranges of at most L blocks. A
 * write that covers only a part of its first or last block reads that block first. Time is measured
 * around the calls of the ORAM alone: reading the trace, making up contents and checking answers do
 * not count. Not thread safe.
 */
public final class Replayer {

  private final ReplayDevice device;
  private final CountingStore store;
  private final String storeUri;
  private final RequestSplitter splitter;

  /**
   * Creates a replayer.
   *
   * @param oram receives the requests
   * @param store the store below {@code oram}
   * @param storeUri name of the store in results
   * @param contents content of the ORAM; replayed writes are recorded there, so that the next
   *     replay on the same ORAM continues from them
   */
  public Replayer(Oram oram, CountingStore store, String storeUri, DeviceContents contents) {
    this(oram, store, storeUri, contents, System::nanoTime);
  }

  Replayer(
      Oram oram,
      CountingStore store,
      String storeUri,
      DeviceContents contents,
      LongSupplier nanoClock) {
    this(new ReplayedOram(oram, contents, nanoClock), store, storeUri);
  }

  /** A replayer on a device whose store is {@code store}. */
  public Replayer(ReplayDevice device, CountingStore store, String storeUri) {
    this.device = device;
    this.store = store;
    this.storeUri = storeUri;
    OramConfig config = device.config();
    this.splitter =
        new RequestSplitter(config.blocks(), config.blockBytes(), config.maxRangeBlocks());
  }

  /** Returns what the requests go to. */
  ReplayDevice device() {
    return device;
  }

  /**
   * Replays a trace from its start.
   *
   * @throws io.github.roram.bench.trace.TraceFormat.TraceFormatException if a line is malformed
   * @throws RequestOutOfRangeException if a request does not lie on the device and is not folded
   */
  public ReplayResult replay(Trace trace, ReplayOptions options, ProgressListener progress)
      throws IOException {
    if (options.verify() && !device.canVerify()) {
      throw new IllegalArgumentException(
          "answers cannot be verified, the ORAM holds no data; replay with payload");
    }
    try (TraceReader reader = trace.reader()) {
      String task = device.config().scheme() + ": " + trace;
      progress.begin(task, "queries", expectedQueries(options));
      try {
        return new Run(trace, reader, options, progress).run();
      } finally {
        progress.end();
      }
    }
  }

  private static long expectedQueries(ReplayOptions options) {
    boolean limited = options.maxQueries() != ReplayOptions.ALL;
    return limited ? options.warmupQueries() + options.maxQueries() : -1;
  }

  /** One replay. */
  private final class Run {
    private final Trace trace;
    private final TraceReader reader;
    private final ReplayOptions options;
    private final ProgressListener progress;
    private final @Nullable Arrivals arrivals;
    private long queryNanos;
    private long done;
    private final long mismatchesBefore = device.mismatches();

    Run(Trace trace, TraceReader reader, ReplayOptions options, ProgressListener progress) {
      this.trace = trace;
      this.reader = reader;
      this.options = options;
      this.progress = progress;
      arrivals = options.arrivals() ? new Arrivals(trace.name()) : null;
    }

    ReplayResult run() throws IOException {
      for (TraceRequest request; done < options.warmupQueries(); progress.advanceTo(++done)) {
        request = reader.next();
        if (request == null) {
          break;
        }
        query(request);
      }
      ReplayTally tally = new ReplayTally(store);
      while (tally.queries() < options.maxQueries()) {
        TraceRequest request = reader.next();
        if (request == null) {
          break;
        }
        IoCounts before = arrivals == null ? IoCounts.ZERO : store.total();
        query(request);
        tally.add(splitter.blocks(request), queryNanos);
        if (arrivals != null) {
          arrivals.add(request.timestampMicros(), queryNanos, store.total().minus(before));
        }
        progress.advanceTo(++done);
      }
      return tally.result(
          trace.name(),
          storeUri,
          device.config(),
          options.verify(),
          device.mismatches() - mismatchesBefore,
          device.stats().stashMaxBlocks(),
          arrivals);
    }

    private void query(TraceRequest request) throws IOException {
      if (!options.fold() && !splitter.fits(request)) {
        throw new RequestOutOfRangeException(
            trace.name(),
            reader.line(),
            request,
            device.config().bytes(),
            device.config().blockBytes());
      }
      queryNanos = 0;
      Iterable<RequestSplitter.Range> ranges = splitter.ranges(request);
      if (request.write()) {
        for (RequestSplitter.Range partial : splitter.partialBlocks(request)) {
          read(partial);
        }
        for (RequestSplitter.Range range : ranges) {
          write(range);
        }
      } else {
        for (RequestSplitter.Range range : ranges) {
          read(range);
        }
      }
    }

    private void read(RequestSplitter.Range range) throws IOException {
      progress.advanceTo(done); // which stops a long request, too
      queryNanos += device.read(range.block(), range.count(), options.verify());
    }

    private void write(RequestSplitter.Range range) throws IOException {
      progress.advanceTo(done);
      queryNanos += device.write(range.block(), range.count());
    }
  }

  /** Adds up what queries took and what the store was asked for since the tally was started. */
  static final class ReplayTally {

    private static final int SIGNIFICANT_DIGITS = 3;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Histogram queryNanos = new Histogram(SIGNIFICANT_DIGITS);
    private final CountingStore store;
    private final IoCounts totalBefore;
    private final Map<IoPhase, IoCounts> phasesBefore;
    private long queries;
    private long blocks;
    private long totalNanos;

    ReplayTally(CountingStore store) {
      this.store = store;
      this.totalBefore = store.total();
      this.phasesBefore = Target.phases(store);
    }

    long queries() {
      return queries;
    }

    void add(long queryBlocks, long nanos) {
      queries++;
      blocks += queryBlocks;
      totalNanos += nanos;
      queryNanos.recordValue(nanos);
    }

    ReplayResult result(
        String trace,
        String storeUri,
        OramConfig config,
        boolean verified,
        long mismatches,
        int stashMax,
        @Nullable Arrivals arrivals) {
      Map<IoPhase, IoCounts> byPhase = Target.phases(store);
      byPhase.replaceAll(
          (phase, counts) -> counts.minus(phasesBefore.getOrDefault(phase, IoCounts.ZERO)));
      return new ReplayResult(
          trace,
          storeUri,
          config,
          queries,
          blocks,
          verified,
          mismatches,
          totalNanos / NANOS_PER_SECOND,
          queryNanos.getValueAtPercentile(50) / NANOS_PER_MILLI,
          queryNanos.getValueAtPercentile(99) / NANOS_PER_MILLI,
          store.total().minus(totalBefore),
          byPhase,
          stashMax,
          arrivals);
    }
  }

  /** A trace asks for bytes that the device does not have. */
  public static final class RequestOutOfRangeException extends IOException {
    private static final long serialVersionUID = 1L;

    RequestOutOfRangeException(
        String trace, long line, TraceRequest request, long capacityBytes, int blockBytes) {
      super(
          trace
              + ", line "
              + line
              + ": "
              + request.lengthBytes()
              + " bytes at offset "
              + request.offsetBytes()
              + " exceed the device of "
              + capacityBytes
              + " bytes; take addresses modulo its size (--fold), or make it larger (--blocks "
              + ((request.endBytes() - 1) / blockBytes + 1)
              + " or more)");
    }
  }

  /** A {@link ReplayDevice} that knows what every block must hold. */
  static final class ReplayedOram implements ReplayDevice {

    private final Oram oram;
    private final DeviceContents contents;
    private final LongSupplier nanoClock;
    private final byte[] bytes;
    private long mismatches;

    /**
     * Creates a device.
     *
     * @param contents content of the ORAM; writes are recorded there
     */
    ReplayedOram(Oram oram, DeviceContents contents, LongSupplier nanoClock) {
      int blockBytes = oram.config().blockBytes();
      long blocks = oram.config().blocks();
      if (contents.blocks() != blocks || contents.blockBytes() != blockBytes) {
        throw new IllegalArgumentException(
            "the contents are of "
                + contents.blocks()
                + " blocks of "
                + contents.blockBytes()
                + " bytes, the ORAM has "
                + blocks
                + " of "
                + blockBytes);
      }
      this.oram = oram;
      this.contents = contents;
      this.nanoClock = nanoClock;
      this.bytes = new byte[oram.config().maxRangeBlocks() * blockBytes];
    }

    @Override
    public OramConfig config() {
      return oram.config();
    }

    @Override
    public OramStats stats() {
      return oram.stats();
    }

    @Override
    public long read(long block, int count, boolean verify) throws IOException {
      ByteBuffer destination = ByteBuffer.wrap(bytes, 0, count * contents.blockBytes());
      long start = nanoClock.getAsLong();
      oram.read(block, count, destination);
      long nanos = nanoClock.getAsLong() - start;
      if (verify) {
        mismatches += contents.mismatches(block, count, bytes);
      }
      return nanos;
    }

    @Override
    public long write(long block, int count) throws IOException {
      contents.nextWrite(block, count, bytes);
      ByteBuffer source = ByteBuffer.wrap(bytes, 0, count * contents.blockBytes());
      long start = nanoClock.getAsLong();
      oram.write(block, source);
      return nanoClock.getAsLong() - start;
    }

    @Override
    public long mismatches() {
      return mismatches;
    }

    @Override
    public boolean canVerify() {
      return true;
    }
  }

  /**
   * How a trace is replayed.
   *
   * @param maxQueries most requests to replay after the warm-up; {@link #ALL} for all
   * @param warmupQueries number of requests to replay first without counting them
   * @param verify whether to check every byte of every answer
   * @param fold whether to take addresses modulo the device's size, if the trace comes from a
   *     larger one
   * @param arrivals whether to record when each request came and how long it took, for an open loop
   */
  public record ReplayOptions(
      long maxQueries, long warmupQueries, boolean verify, boolean fold, boolean arrivals) {

    /** No limit. */
    public static final long ALL = Long.MAX_VALUE;

    /** The whole trace, counted from the first request on, verified, not folded. */
    public static final ReplayOptions DEFAULTS = new ReplayOptions(ALL, 0, true, false);

    /** Checks that the counts can be. */
    public ReplayOptions {
      if (maxQueries < 1 || warmupQueries < 0) {
        throw new IllegalArgumentException(
            "maxQueries is "
                + maxQueries
                + " and warmupQueries "
                + warmupQueries
                + "; replay at least 1 query after 0 or more to warm up");
      }
    }

    /** Creates options without arrivals. */
    public ReplayOptions(long maxQueries, long warmupQueries, boolean verify, boolean fold) {
      this(maxQueries, warmupQueries, verify, fold, false);
    }

    /** Returns the same with another limit. */
    public ReplayOptions withMaxQueries(long queries) {
      return new ReplayOptions(queries, warmupQueries, verify, fold, arrivals);
    }

    /** Returns the same with another warm-up. */
    public ReplayOptions withWarmupQueries(long queries) {
      return new ReplayOptions(maxQueries, queries, verify, fold, arrivals);
    }

    /** Returns the same, verifying or not. */
    public ReplayOptions withVerify(boolean newVerify) {
      return new ReplayOptions(maxQueries, warmupQueries, newVerify, fold, arrivals);
    }

    /** Returns the same, folding or not. */
    public ReplayOptions withFold(boolean newFold) {
      return new ReplayOptions(maxQueries, warmupQueries, verify, newFold, arrivals);
    }

    /** Returns the same, keeping arrivals or not. */
    public ReplayOptions withArrivals(boolean newArrivals) {
      return new ReplayOptions(maxQueries, warmupQueries, verify, fold, newArrivals);
    }
  }

  /**
   * Cuts the blocks that a request touches into ranges that one access can take.
   *
   * <p>The covering blocks are cut from the first on into ranges of the maximum length, whatever
   * their alignment, since an access reads any alignment at the same cost. A folded request that
   * runs over the end of the device goes on at its start.
   */
  static final class RequestSplitter {

    /**
     * A run of blocks.
     *
     * @param block the first
     * @param count how many, at least 1
     */
    record Range(long block, int count) {}

    private final long deviceBlocks;
    private final int blockBytes;
    private final int maxRangeBlocks;

    RequestSplitter(long deviceBlocks, int blockBytes, int maxRangeBlocks) {
      this.deviceBlocks = deviceBlocks;
      this.blockBytes = blockBytes;
      this.maxRangeBlocks = maxRangeBlocks;
    }

    /** Returns whether the request lies on the device as it is. */
    boolean fits(TraceRequest request) {
      return request.endBytes() <= deviceBlocks * blockBytes;
    }

    /** Returns the number of blocks that the request touches. */
    long blocks(TraceRequest request) {
      return lastBlock(request) - firstBlock(request) + 1;
    }

    /**
     * Returns the ranges that cover the request, in order; a long request has too many for a list.
     */
    Iterable<Range> ranges(TraceRequest request) {
      return () ->
          new Iterator<>() {
            private long block = firstBlock(request) % deviceBlocks;
            private long left = blocks(request);

            @Override
            public boolean hasNext() {
              return left > 0;
            }

            @Override
            public Range next() {
              if (left == 0) {
                throw new NoSuchElementException();
              }
              int count = (int) Math.min(maxRangeBlocks, Math.min(left, deviceBlocks - block));
              Range range = new Range(block, count);
              left -= count;
              block = (block + count) % deviceBlocks;
              return range;
            }
          };
    }

    /**
     * Returns the blocks that the request covers only in part, none to two, as ranges of one. To
     * write part of a block, it must be read first, as a block device does.
     */
    List<Range> partialBlocks(TraceRequest request) {
      long first = firstBlock(request);
      long last = lastBlock(request);
      boolean firstPartial = request.offsetBytes() % blockBytes != 0;
      boolean lastPartial = request.endBytes() % blockBytes != 0;
      List<Range> partial = new ArrayList<>(2);
      if (firstPartial || (first == last && lastPartial)) {
        partial.add(new Range(first % deviceBlocks, 1));
      }
      if (lastPartial && first != last) {
        partial.add(new Range(last % deviceBlocks, 1));
      }
      return partial;
    }

    private long firstBlock(TraceRequest request) {
      return request.offsetBytes() / blockBytes;
    }

    private long lastBlock(TraceRequest request) {
      return (request.endBytes() - 1) / blockBytes;
    }
  }
}
