package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.cipher.LabelSource;
import io.github.roram.suites.ServerView.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reading bytes and writing them is the same to the store and to the disk of the vault, wherever
 * they begin and end: the same accesses, the same requests, the same records of the journal.
 */
@Tag("server-view")
class ChannelViewTest {

  private static final int BLOCKS = 120;
  private static final int BLOCK_BYTES = 512;
  private static final int RANGE = 32;
  private static final int BYTES = BLOCKS * BLOCK_BYTES;
  private static final int RANGE_BYTES = RANGE * BLOCK_BYTES;

  /** Bytes from one position to another. */
  private record Interval(int from, int to) {}

  /** What one transfer showed. */
  private record Seen(long accesses, List<Shape> requests, List<Integer> vaultEvents) {}

  /** Each configuration with half of the modes, each mode with half of the configurations. */
  static Stream<Arguments> cases() {
    List<OramConfig> configurations =
        List.of(
            builder("roram").build(),
            builder("roram").trees(0, 2).windowBlocks(0).chunkPaths(7).build(),
            builder("roram").preset(Preset.PAPER).build(),
            builder("path-batched").build());
    Stream.Builder<Arguments> cases = Stream.builder();
    int turn = 0;
    for (OramConfig config : configurations) {
      for (Durability durability : Durability.values()) {
        if ((turn++ + configurations.indexOf(config) / 2) % 2 == 0) {
          cases.add(Arguments.of(config, durability));
        }
      }
    }
    // It has no journal.
    cases.add(Arguments.of(builder("path").build(), Durability.NONE));
    cases.add(Arguments.of(builder("path").recursivePositionMap(true).build(), Durability.NONE));
    return cases.build();
  }

  private static OramConfig.Builder builder(String scheme) {
    return OramConfig.builder(BLOCKS)
        .scheme(scheme)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(RANGE)
        .treetopBytes(0);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void writingBytesLooksLikeReadingThem(OramConfig config, Durability durability)
      throws IOException {
    OpenOptions options = OpenOptions.defaults().withDurability(durability);
    List<Interval> intervals = intervals();
    List<Seen> reads = seen(config, options, intervals, false);
    List<Seen> writes = seen(config, options, intervals, true);
    for (int i = 0; i < intervals.size(); i++) {
      assertThat(writes.get(i).accesses())
          .as("accesses of a write of %s", intervals.get(i))
          .isEqualTo(reads.get(i).accesses());
      assertThat(writes.get(i)).as("a write of %s", intervals.get(i)).isEqualTo(reads.get(i));
    }
  }

  private static List<Interval> intervals() {
    List<Interval> intervals = new ArrayList<>();
    intervals.add(new Interval(100, 300));
    intervals.add(new Interval(0, BLOCK_BYTES));
    intervals.add(new Interval(0, BLOCK_BYTES + 1));
    intervals.add(new Interval(BLOCK_BYTES - 1, BLOCK_BYTES + 1));
    intervals.add(new Interval(5, 24 * BLOCK_BYTES + 200));
    intervals.add(new Interval(7, 7));
    intervals.add(new Interval(BYTES - 1, BYTES));
    intervals.add(new Interval(BYTES - BLOCK_BYTES - 100, BYTES));
    intervals.add(new Interval(0, RANGE_BYTES));
    intervals.add(new Interval(1, RANGE_BYTES));
    intervals.add(new Interval(1, RANGE_BYTES + 1));
    intervals.add(new Interval(2 * BLOCK_BYTES + 90, 2 * BLOCK_BYTES + 90 + 3 * RANGE_BYTES));
    intervals.add(new Interval(0, BYTES));
    Random random = new Random(12);
    for (int i = 0; i < 25; i++) {
      int from = random.nextInt(BYTES);
      int most = random.nextBoolean() ? 2 * BLOCK_BYTES : BYTES;
      intervals.add(new Interval(from, from + random.nextInt(Math.min(most, BYTES - from) + 1)));
    }
    return intervals;
  }

  /** What each transfer showed, one after another. */
  private static List<Seen> seen(
      OramConfig config, OpenOptions options, List<Interval> intervals, boolean writes)
      throws IOException {
    List<Seen> all = new ArrayList<>();
    try (ServerView view = new ServerView(config, options, LabelSource.secure())) {
      for (Interval interval : intervals) {
        long before = view.oram().stats().accesses();
        SeekableByteChannel channel = view.oram().channel().position(interval.from());
        ByteBuffer bytes = ByteBuffer.allocate(interval.to() - interval.from());
        int moved = writes ? channel.write(bytes) : channel.read(bytes);
        assertThat(moved).isEqualTo(bytes.capacity());
        long accesses = view.oram().stats().accesses() - before;
        all.add(new Seen(accesses, view.shapes(), view.vaultEvents()));
        view.clear();
      }
    }
    return all;
  }
}
