package io.github.roram.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.roram.AccessCost;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.Scheme;
import io.github.roram.pattern.PatternOram;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.IoCounts;
import java.io.IOException;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a configuration says that accesses cost is what counting them gives.
 *
 * <p>At length: {@code -Droram.plan.exponent=20 -Droram.plan.accesses=20000}.
 */
class AccessCostTest {

  private static final int EXPONENT = Integer.getInteger("roram.plan.exponent", 13);

  /** Two of the widest windows, so that where in one the count begins does not matter. */
  private static final int ACCESSES = Integer.getInteger("roram.plan.accesses", 1536);

  private static OramConfig.Builder builder() {
    return OramConfig.builder(1L << EXPONENT).blockBytes(512).treetopBytes(1 << 16);
  }

  static Stream<OramConfig> configs() {
    return Stream.of(
        builder().build(),
        builder().trees(0).treetopBytes(0).chunkPaths(64).build(),
        builder().trees(0).treetopBytes(1 << 19).set("treetopPart", 15).chunkPaths(8).build(),
        builder().trees(0, 4).treetopBytes(1 << 20).set("treetopPart", 11).chunkPaths(64).build(),
        builder().scheme("path-batched").treetopBytes(1 << 19).set("treetopPart", 10).build(),
        builder().trees(0, 4, 8).evictionRate(3.5).windowBlocks(40).chunkPaths(32).build(),
        builder().positionMap("recursive").chunkPaths(16).build(),
        builder().trees(0, 3).positionMap("recursive").chunkPaths(16).build(),
        builder().preset(Preset.PAPER).sizeClasses(0, 4).maxRangeBlocks(16).build(),
        builder().scheme("path-batched").positionMap("recursive").windowBlocks(0).build(),
        builder().scheme("path").build(),
        builder().scheme("tao").build(),
        builder().scheme("path").recursivePositionMap(true).build());
  }

  @Tag("gate")
  @ParameterizedTest
  @MethodSource("configs")
  void costsAreThoseThatAreCounted(OramConfig config) throws IOException {
    CountingStore[] store = new CountingStore[1];
    int longest = config.maxRangeBlocks();
    try (PatternOram oram =
        PatternOram.create(config, pattern -> store[0] = new CountingStore(pattern))) {
      oram.fill(bytes -> {});
      // The trees of a map are not filled: each of their buckets is written once before counting.
      access(oram, new int[] {1, longest}, ACCESSES / 4);
      boolean whole = config.has(Scheme.Trait.WHOLE_RANGES);
      for (int blocks : new int[] {1, Math.min(16, longest), whole ? longest : 2}) {
        int accesses = Math.max(32, ACCESSES / blocks);
        access(oram, new int[] {blocks}, accesses / 4);
        store[0].reset();
        access(oram, new int[] {blocks}, accesses);
        AccessCost cost = Scheme.of(config.scheme()).accessCost(config, blocks).orElseThrow();
        check(config, blocks, cost, store[0].total(), accesses);
      }
    }
  }

  static Stream<OramConfig> revealing() {
    return Stream.of(
        builder().sizeClasses(0, 2, 4, 8).revealOperationType(true).build(),
        builder()
            .sizeClasses(0, 2, 4)
            .maxRangeBlocks(16)
            .preset(Preset.PAPER)
            .revealOperationType(true)
            .build());
  }

  /** Where the operation type is revealed a read costs one thing and a write another. */
  @ParameterizedTest
  @MethodSource("revealing")
  void soAreThoseOfReadsAndOfWrites(OramConfig config) throws IOException {
    CountingStore[] store = new CountingStore[1];
    try (PatternOram oram =
        PatternOram.create(config, pattern -> store[0] = new CountingStore(pattern))) {
      oram.fill(bytes -> {});
      for (int blocks : new int[] {1, 16}) {
        for (boolean writes : new boolean[] {false, true}) {
          int accesses = 2 * ACCESSES / blocks;
          access(oram, new int[] {blocks}, accesses / 4, () -> writes);
          store[0].reset();
          access(oram, new int[] {blocks}, accesses, () -> writes);
          AccessCost cost =
              Scheme.of(config.scheme()).accessCost(config, blocks, writes).orElseThrow();
          check(config, blocks, cost, store[0].total(), accesses);
        }
      }
    }
  }

  private static void access(PatternOram oram, int[] sizes, int accesses) throws IOException {
    access(oram, sizes, accesses, new Random(2)::nextBoolean);
  }

  private static void access(PatternOram oram, int[] sizes, int accesses, BooleanSupplier writes)
      throws IOException {
    Random random = new Random(1);
    for (int access = 0; access < accesses; access++) {
      int blocks = sizes[random.nextInt(sizes.length)];
      long block = random.nextInt((int) oram.config().blocks() - blocks);
      oram.access(block, blocks, writes.getAsBoolean());
    }
  }

  private static void check(
      OramConfig config, int blocks, AccessCost cost, IoCounts counts, int accesses) {
    Percentage tenth = Percentage.withPercentage(10);
    String what = blocks + " blocks of " + config;
    double n = accesses;
    assertThat(counts.bytesRead() / n).as("read, %s", what).isCloseTo(cost.bytesRead(), tenth);
    assertThat(counts.bytesWritten() / n)
        .as("written, %s", what)
        .isCloseTo(cost.bytesWritten(), tenth);
    assertThat(counts.extents() / n).as("extents, %s", what).isCloseTo(cost.extents(), tenth);
    assertThat(counts.seeks() / n).as("seeks, %s", what).isCloseTo(cost.extents(), tenth);
    assertThat(counts.requests() / n)
        .as("requests, %s", what)
        .isCloseTo(cost.requests(), within(0.1 * cost.requests() + 0.05));
  }
}
