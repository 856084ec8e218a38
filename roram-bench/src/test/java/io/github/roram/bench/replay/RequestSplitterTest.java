package io.github.roram.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.replay.Replayer.RequestSplitter;
import io.github.roram.bench.trace.Trace.TraceRequest;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class RequestSplitterTest {

  private static final int BLOCK_BYTES = 512;

  @Property
  void rangesCoverExactlyTheBlocksThatTheRequestTouches(
      @ForAll @IntRange(min = 1, max = 70) int deviceBlocks,
      @ForAll @IntRange(min = 1, max = 20) int maxRange,
      @ForAll @IntRange(max = 100_000) int offset,
      @ForAll @IntRange(min = 1, max = 50_000) int length) {
    TraceRequest request = new TraceRequest(0, true, offset, length);
    RequestSplitter splitter = new RequestSplitter(deviceBlocks, BLOCK_BYTES, maxRange);

    List<Long> covered = new ArrayList<>();
    for (RequestSplitter.Range range : splitter.ranges(request)) {
      assertThat(range.count()).isBetween(1, maxRange);
      for (int i = 0; i < range.count(); i++) {
        covered.add(range.block() + i);
      }
    }

    assertThat(covered).isEqualTo(touched(request, deviceBlocks));
    assertThat(splitter.blocks(request)).isEqualTo(covered.size());
    assertThat(splitter.fits(request)).isEqualTo(offset + length <= deviceBlocks * BLOCK_BYTES);
  }

  @Property
  void partialBlocksAreThoseThatTheRequestDoesNotCover(
      @ForAll @IntRange(max = 5000) int offset, @ForAll @IntRange(min = 1, max = 5000) int length) {
    RequestSplitter splitter = new RequestSplitter(100, BLOCK_BYTES, 8);
    List<RequestSplitter.Range> partial =
        splitter.partialBlocks(new TraceRequest(0, true, offset, length));

    List<RequestSplitter.Range> expected = new ArrayList<>();
    for (int block = 0; block < 100; block++) {
      int from = Math.max(offset, block * BLOCK_BYTES);
      int to = Math.min(offset + length, (block + 1) * BLOCK_BYTES);
      if (to > from && to - from < BLOCK_BYTES) {
        expected.add(new RequestSplitter.Range(block, 1));
      }
    }
    assertThat(partial).isEqualTo(expected);
  }

  /** Byte by byte, as a request is defined. */
  private static List<Long> touched(TraceRequest request, int deviceBlocks) {
    List<Long> blocks = new ArrayList<>();
    long last = -1;
    for (long at = request.offsetBytes(); at < request.endBytes(); at++) {
      if (at / BLOCK_BYTES != last) {
        last = at / BLOCK_BYTES;
        blocks.add(last % deviceBlocks);
      }
    }
    return blocks;
  }
}
