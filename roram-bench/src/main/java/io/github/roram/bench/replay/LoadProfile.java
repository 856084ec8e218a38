package io.github.roram.bench.replay;

import io.github.roram.bench.replay.Replayer.RequestSplitter;
import io.github.roram.bench.trace.Trace;
import io.github.roram.bench.trace.Trace.TraceReader;
import io.github.roram.bench.trace.Trace.TraceRequest;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The numbers of accesses by size that a replay of a trace makes: everything on which an oblivious
 * store's costs depend, wherever the accesses go.
 *
 * @param requests requests of the trace
 * @param mostBlocks blocks of the longest request
 * @param blocks blocks of all requests
 * @param writtenBlocks blocks that are written
 * @param accesses number of accesses by their size in blocks, after requests are cut
 */
public record LoadProfile(
    long requests, long mostBlocks, long blocks, long writtenBlocks, Map<Integer, Long> accesses) {

  /** Copies the map. */
  public LoadProfile {
    accesses = Map.copyOf(accesses);
  }

  /**
   * Returns the profile of a trace.
   *
   * @param deviceBlocks blocks of the device; requests beyond it are folded
   * @param maxRangeBlocks longest access, in blocks
   * @param mostRequests requests that are read
   */
  public static LoadProfile of(
      Trace trace, long deviceBlocks, int blockBytes, int maxRangeBlocks, long mostRequests)
      throws IOException {
    RequestSplitter splitter = new RequestSplitter(deviceBlocks, blockBytes, maxRangeBlocks);
    Map<Integer, Long> accesses = new TreeMap<>();
    long requests = 0;
    long longest = 0;
    long blocks = 0;
    long written = 0;
    try (TraceReader reader = trace.reader()) {
      for (TraceRequest request = reader.next();
          request != null && requests < mostRequests;
          request = reader.next()) {
        requests++;
        long touched = splitter.blocks(request);
        longest = Math.max(longest, touched);
        blocks += touched;
        written += request.write() ? touched : 0;
        splitter.ranges(request).forEach(range -> accesses.merge(range.count(), 1L, Long::sum));
        if (request.write()) {
          splitter
              .partialBlocks(request)
              .forEach(block -> accesses.merge(block.count(), 1L, Long::sum));
        }
      }
    }
    return new LoadProfile(requests, longest, blocks, written, accesses);
  }
}
