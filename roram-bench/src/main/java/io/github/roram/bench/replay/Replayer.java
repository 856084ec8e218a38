package io.github.roram.bench.replay;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.trace.Trace;
import io.github.roram.bench.trace.TraceReader;
import io.github.roram.bench.trace.TraceRequest;
import io.github.roram.bench.workload.DeviceContents;
import io.github.roram.storage.device.CountingStore;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;

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
   * A replayer.
   *
   * @param oram takes the requests
   * @param store the store below {@code oram}
   * @param storeUri what results call the store
   * @param contents what the ORAM holds now; what the replay writes is put down here, so that the
   *     next replay on the same ORAM goes on with it
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
    this(new OramDevice(oram, contents, nanoClock), store, storeUri);
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

  /** What the requests go to. */
  ReplayDevice device() {
    return device;
  }

  /**
   * Replays a trace from its start.
   *
   * @throws io.github.roram.bench.trace.TraceFormatException if a line is malformed
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
    private long queryNanos;
    private final long mismatchesBefore = device.mismatches();

    Run(Trace trace, TraceReader reader, ReplayOptions options, ProgressListener progress) {
      this.trace = trace;
      this.reader = reader;
      this.options = options;
      this.progress = progress;
    }

    ReplayResult run() throws IOException {
      long done = 0;
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
        query(request);
        tally.add(splitter.blocks(request), queryNanos);
        progress.advanceTo(++done);
      }
      return tally.result(
          trace.name(),
          storeUri,
          device.config(),
          options.verify(),
          device.mismatches() - mismatchesBefore,
          device.stats().stashMaxBlocks());
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
      List<RequestSplitter.Range> ranges = splitter.ranges(request);
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
      queryNanos += device.read(range.block(), range.count(), options.verify());
    }

    private void write(RequestSplitter.Range range) throws IOException {
      queryNanos += device.write(range.block(), range.count());
    }
  }
}
