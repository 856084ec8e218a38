package io.github.roram.bench.replay;

import io.github.roram.Oram;
import io.github.roram.bench.ProgressListener;
import io.github.roram.bench.trace.Trace;
import io.github.roram.bench.trace.TraceReader;
import io.github.roram.bench.trace.TraceRequest;
import io.github.roram.bench.workload.DeviceContents;
import io.github.roram.storage.device.CountingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
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

  private final Oram oram;
  private final CountingStore store;
  private final String storeUri;
  private final DeviceContents contents;
  private final LongSupplier nanoClock;
  private final RequestSplitter splitter;
  private final byte[] bytes;

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
    this.store = store;
    this.storeUri = storeUri;
    this.contents = contents;
    this.nanoClock = nanoClock;
    int maxRangeBlocks = oram.config().maxRangeBlocks();
    this.splitter = new RequestSplitter(blocks, blockBytes, maxRangeBlocks);
    this.bytes = new byte[maxRangeBlocks * blockBytes];
  }

  /**
   * Replays a trace from its start.
   *
   * @throws io.github.roram.bench.trace.TraceFormatException if a line is malformed
   * @throws RequestOutOfRangeException if a request does not lie on the device and is not folded
   */
  public ReplayResult replay(Trace trace, ReplayOptions options, ProgressListener progress)
      throws IOException {
    try (TraceReader reader = trace.reader()) {
      String task = oram.config().scheme().id() + ": " + trace;
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
    private long mismatches;

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
          oram.config(),
          options.verify(),
          mismatches,
          oram.stats().stashMaxBlocks());
    }

    private void query(TraceRequest request) throws IOException {
      if (!options.fold() && !splitter.fits(request)) {
        throw new RequestOutOfRangeException(
            trace.name(),
            reader.line(),
            request,
            oram.config().bytes(),
            oram.config().blockBytes());
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
      ByteBuffer destination = ByteBuffer.wrap(bytes, 0, range.count() * contents.blockBytes());
      long start = nanoClock.getAsLong();
      oram.read(range.block(), range.count(), destination);
      queryNanos += nanoClock.getAsLong() - start;
      if (options.verify()) {
        mismatches += contents.mismatches(range.block(), range.count(), bytes);
      }
    }

    private void write(RequestSplitter.Range range) throws IOException {
      contents.nextWrite(range.block(), range.count(), bytes);
      ByteBuffer source = ByteBuffer.wrap(bytes, 0, range.count() * contents.blockBytes());
      long start = nanoClock.getAsLong();
      oram.write(range.block(), source);
      queryNanos += nanoClock.getAsLong() - start;
    }
  }
}
