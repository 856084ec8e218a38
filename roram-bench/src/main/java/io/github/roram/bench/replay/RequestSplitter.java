package io.github.roram.bench.replay;

import io.github.roram.bench.trace.TraceRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts the blocks that a request touches into ranges that one access can take.
 *
 * <p>The covering blocks are cut from the first on into ranges of the maximum length, whatever
 * their alignment, since an access reads any alignment at the same cost. A folded request that runs
 * over the end of the device goes on at its start.
 */
final class RequestSplitter {

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

  /** Whether the request lies on the device as it is. */
  boolean fits(TraceRequest request) {
    return request.endBytes() <= deviceBlocks * blockBytes;
  }

  /** Number of blocks that the request touches. */
  long blocks(TraceRequest request) {
    return lastBlock(request) - firstBlock(request) + 1;
  }

  /** The ranges that cover the request, in order. */
  List<Range> ranges(TraceRequest request) {
    List<Range> ranges = new ArrayList<>();
    long block = firstBlock(request) % deviceBlocks;
    for (long left = blocks(request); left > 0; ) {
      int count = (int) Math.min(maxRangeBlocks, Math.min(left, deviceBlocks - block));
      ranges.add(new Range(block, count));
      left -= count;
      block = (block + count) % deviceBlocks;
    }
    return ranges;
  }

  /**
   * The blocks of which the request covers only a part, none to two, as ranges of one. Writing a
   * part of a block means to read it first, as a block device does.
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
