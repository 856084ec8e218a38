package io.github.roram;

import static io.github.roram.SmallConfigurations.BLOCK_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import io.github.roram.parameters.TreeParameters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The requests of {@link Oram#scan}: they tell nothing, and move less than accesses to all. */
class ScanRequestsTest {

  /** Each scheme and preset, shares of writes, and a tree for each of some classes. */
  static Stream<OramConfig> configurations() {
    Stream.Builder<OramConfig> more = Stream.builder();
    for (double writeShare : new double[] {0.1, 0.9}) {
      OramConfig.Builder b =
          SmallConfigurations.builder("roram").writeShare(writeShare).treetopBytes(0);
      more.add(b.chunkPaths(9).windowBlocks(30).build());
    }
    more.add(SmallConfigurations.builder("roram").sizeClasses(0, 2, 4).treetopBytes(0).build());
    return Stream.concat(SmallConfigurations.ofEachPreset(), more.build());
  }

  private static List<String> requestsOfScan(KnownOram known) throws IOException {
    known.store.requests.clear();
    known.checkScan();
    return List.copyOf(known.store.requests);
  }

  static Stream<OramConfig> treeConfigurations() {
    // With a share of 0.1 it shows that more was written.
    return configurations()
        // Their current buckets are those of the random paths that were shown.
        .filter(config -> !List.of("path", "tao").contains(config.scheme()))
        .filter(config -> TreeParameters.of(config).writeShare() > 0.5);
  }

  /** Other addresses, other data, other operations, other labels: the same requests. */
  @ParameterizedTest
  @MethodSource("treeConfigurations")
  void theStoreSeesAFunctionOfTheClasses(OramConfig config) throws IOException {
    try (KnownOram one = new KnownOram(config, 1);
        KnownOram other = new KnownOram(config, 2)) {
      for (int round = 0; round < 2; round++) {
        one.use(40, new Random(round));
        other.use(40, new Random(round));
        List<String> requests = requestsOfScan(one);
        assertThat(requestsOfScan(other)).isEqualTo(requests);
        assertThat(requests).allMatch(request -> request.startsWith("read"));
        assertReadOnce(requests);
      }
    }
  }

  /** Nothing is read twice. */
  private static void assertReadOnce(List<String> requests) {
    BitSet read = new BitSet();
    for (String request : requests) {
      for (String extent : request.split(" ")) {
        if (extent.indexOf('+') > 0) {
          int offset = Integer.parseInt(extent.substring(0, extent.indexOf('+')));
          int bytes = Integer.parseInt(extent.substring(extent.indexOf('+') + 1));
          assertThat(read.get(offset, offset + bytes).isEmpty()).isTrue();
          read.set(offset, offset + bytes);
        }
      }
    }
  }

  /** In Path ORAM, once all buckets were written: its paths are what it showed before. */
  @Test
  void thePassOverAPathOramIsThatOfItsSize() throws IOException {
    OramConfig config = SmallConfigurations.builder("path").recursivePositionMap(true).build();
    List<List<String>> views = new ArrayList<>();
    for (int seed = 0; seed < 2; seed++) {
      try (KnownOram known = new KnownOram(config, seed)) {
        known.random.nextBytes(known.model);
        known.load(known.model.length);
        known.use(50);
        views.add(requestsOfScan(known));
      }
    }
    assertThat(views.get(1)).isEqualTo(views.get(0));
    assertReadOnce(views.get(0));
  }

  /**
   * Small levels are one request each: on a long line, a request a bucket takes many times as long.
   */
  @Test
  void aRingIsLoadedAndReadByTheLevel() throws IOException {
    OramConfig config =
        OramConfig.builder(700)
            .scheme("ring")
            .blockBytes(SmallConfigurations.BLOCK_BYTES)
            .set("evictionBlocks", 4)
            .set("fanOut", 2)
            .set("height", 7)
            .set("treetopLevels", 3)
            .build();
    try (KnownOram known = new KnownOram(config)) {
      known.random.nextBytes(known.model);
      known.store.requests.clear();
      known.load(known.model.length);
      assertThat(known.store.requests.stream().filter("write"::equals)).hasSize(5);
      List<String> scan = requestsOfScan(known);
      assertThat(scan).hasSize(5);
      assertReadOnce(scan);
      assertThat(Scheme.of("ring").scanCost(config).orElseThrow().requests()).isEqualTo(5);
      known.use(200);
      known.checkScan();
      assertThat(known.verify().findings()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void paysForAllButNotForAPart(OramConfig config) throws IOException {
    try (KnownOram known = new KnownOram(config)) {
      known.load(known.model.length);
      assertThat(known.oram.scanPays(0)).isFalse();
      assertThat(known.oram.scanPays(1)).isFalse();
      assertThat(known.oram.scanPays(config.bytes())).isTrue();
      long from = 0;
      long to = config.bytes();
      while (to - from > 1) {
        long middle = (from + to) / 2;
        if (known.oram.scanPays(middle)) {
          to = middle;
        } else {
          from = middle;
        }
      }
      // About where the accesses move as much as a scan does, once more was written.
      long scanned = bytes(requestsOfScan(known));
      long moved = accessed(known, (int) (to / BLOCK_BYTES));
      assertThat((double) moved / scanned).isBetween(0.4, 2.5);
      assertThatThrownBy(() -> known.oram.scanPays(config.bytes() + 1))
          .hasMessageContaining("must be 0 to the store's " + config.bytes());
    }
  }

  /** What is said of a scan without a store is what one of a full store reads. */
  @ParameterizedTest
  @MethodSource("configurations")
  void whatAScanCostsIsToldBefore(OramConfig config) throws IOException {
    Scheme scheme = Scheme.of(config.scheme());
    AccessCost told = scheme.scanCost(config).orElseThrow();
    long from = scheme.scanPaysFrom(config, AccessCost::bytes).orElseThrow();
    try (KnownOram known = new KnownOram(config)) {
      known.load(known.model.length);
      List<String> requests = requestsOfScan(known);
      assertThat(told.bytesRead()).isCloseTo(bytes(requests), withPercentage(5));
      assertThat(told.requests()).isGreaterThanOrEqualTo(requests.size());
      assertThat(told.bytesWritten()).isZero();
    }
    // On either side of the bound, by what accesses cost.
    assertThat(from).isBetween(2L, config.blocks() + 1);
    assertThat(accesses(scheme, config, from)).isGreaterThanOrEqualTo(0.99 * told.bytes());
    assertThat(accesses(scheme, config, from - 1)).isLessThan(told.bytes());
  }

  /** Bytes of as few accesses as so many blocks take. */
  private static double accesses(Scheme scheme, OramConfig config, long blocks) {
    int range = (int) Math.min(blocks, config.maxRangeBlocks());
    return access(scheme, config, range) * blocks / range;
  }

  private static double access(Scheme scheme, OramConfig config, int blocks) {
    return scheme.accessCost(config, blocks, false).orElseThrow().bytes();
  }

  private static long bytes(List<String> requests) {
    long bytes = 0;
    for (String request : requests) {
      for (String extent : request.split(" ")) {
        bytes += extent.indexOf('+') > 0 ? Long.parseLong(extent.split("\\+")[1]) : 0;
      }
    }
    return bytes;
  }

  /** How many bytes accesses to so many blocks move, on the average. */
  private static long accessed(KnownOram known, int blocks) throws IOException {
    int most = known.config.maxRangeBlocks();
    int rounds = 5;
    long bytes = 0;
    for (int round = 0; round < rounds; round++) {
      known.store.requests.clear();
      for (int block = 0; block < blocks; block += most) {
        known.oram.read(block, Math.min(most, blocks - block));
      }
      bytes += bytes(known.store.requests);
      for (int i = 1; i < known.store.requests.size(); i++) {
        if (known.store.requests.get(i).equals("write")) {
          // As much as was read just before: the same paths.
          bytes += bytes(List.of(known.store.requests.get(i - 1)));
        }
      }
    }
    return bytes / rounds;
  }
}
