package io.github.roram.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.ClientBudget;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.Scheme;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the ring moves for a block, all that the client holds counted, beside what its construction
 * says: 13.4 blocks at 2^18 with 64 MB, 26.7 at 2^22 with 64 MB, 19.1 with 256 MB
 * (-Droram.ring.exponent=22); where evictions read whole buckets, 16.0, 32.7 and 23.0. Path ORAM of
 * as much client memory is counted alike.
 */
class RingCountsTest {

  private static final int EXPONENT = Integer.getInteger("roram.ring.exponent", 18);
  private static final int ACCESSES = Integer.getInteger("roram.ring.accesses", 12_000);
  private static final int SEALED_BYTES = 4148;

  /** Of budgets that count what is not held here, each is so much of the one before. */
  /** Of a client that has no journal. */
  private static final OpenOptions NOT_KEPT =
      OpenOptions.defaults().withDurability(Durability.NONE);

  /** Bytes that were read and written. */
  private static final class Counted extends FilterBlockStore {
    private long bytes;

    Counted(BlockStore below) {
      super(below);
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      bytes += batch.bytes();
      super.read(batch, sink);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      bytes += batch.bytes();
      super.write(batch, source);
    }
  }

  private static OramConfig ring(int exponent, int rate, int height, int top, String reads) {
    return OramConfig.builder(1L << exponent)
        .scheme("ring")
        .blockBytes(4096)
        .set("evictionBlocks", rate)
        .set("fanOut", 4)
        .set("height", height)
        .set("treetopLevels", top)
        .set("evictionReads", reads)
        .build();
  }

  @ParameterizedTest
  @CsvSource({"slots, 13.4, 26.7, 19.1", "buckets, 16.0, 32.7, 23.0"})
  void movesWhatTheConstructionSays(String reads, double of18, double of22, double ofLarge)
      throws IOException {
    if (EXPONENT == 22) {
      check(ring(22, 220, 14, 6, reads), 64, of22);
      check(ring(22, 104, 14, 10, reads), 256, ofLarge);
    } else {
      check(ring(18, 104, 10, 8, reads), 64, of18);
    }
  }

  private static void check(OramConfig config, int megabytes, double blocks) throws IOException {
    long bytes = megabytes * 1_000_000L;
    assertThat(held(config)).isLessThanOrEqualTo(bytes);
    double moved = movedAtRandom(config);
    assertThat(moved).isBetween(0.95 * blocks, 1.05 * blocks);
    if (config.parameters().settings().containsValue("slots")) {
      assertThat(movedAtRandom(path(config.blocks(), bytes))).isGreaterThan(2.2 * moved);
    }
    double said = Scheme.of("ring").accessCost(config, 1).orElseThrow().bytes() / SEALED_BYTES;
    assertThat(said).isBetween(0.99 * moved, 1.02 * moved);
  }

  /** Path ORAM whose client holds no more, with the largest treetop. */
  private static OramConfig path(long blocks, long bytes) {
    return OramConfig.builder(blocks)
        .scheme("path")
        .blockBytes(4096)
        .clientMemory(new ClientBudget(bytes, NOT_KEPT))
        .build();
  }

  private static long held(OramConfig config) {
    return Scheme.of(config.scheme()).clientMemory(config, NOT_KEPT).orElseThrow().bytes();
  }

  private static double movedAtRandom(OramConfig config) throws IOException {
    Random random = new Random(1);
    double moved = moved(config, access -> random.nextInt((int) config.blocks()), ACCESSES);
    System.out.printf("%s: %.2f blocks a block%n", config, moved);
    return moved;
  }

  /** Sealed blocks for a block that was accessed, once the store was filled. */
  private static double moved(OramConfig config, LongUnaryOperator load, int accesses)
      throws IOException {
    Counted[] counted = new Counted[1];
    try (PatternOram oram = PatternOram.create(config, store -> counted[0] = new Counted(store))) {
      oram.fill(bytes -> {});
      long before = counted[0].bytes;
      for (int access = 0; access < accesses; access++) {
        oram.access(load.applyAsLong(access), 1, access % 2 == 0);
      }
      TreeStats tree = oram.stats().trees().get(0);
      System.out.printf("stash at most %d blocks%n", tree.stashMaxBlocks());
      return (double) (counted[0].bytes - before) / SEALED_BYTES / accesses;
    }
  }

  /** The client never refuses an access for what it holds. */
  @ParameterizedTest
  @ValueSource(strings = {"uniform", "sequential", "hot", "one"})
  void holdsWithinItsLimit(String load) throws IOException {
    OramConfig config = ring(14, 104, 7, 1, "slots");
    Random random = new Random(2);
    int blocks = (int) config.blocks();
    LongUnaryOperator address =
        switch (load) {
          case "uniform" -> access -> random.nextInt(blocks);
          case "sequential" -> access -> access % blocks;
          case "hot" -> access -> random.nextInt(random.nextInt(10) == 0 ? blocks : blocks / 64);
          default -> access -> access < blocks ? access : 7;
        };
    assertThat(moved(config, address, 3 * ACCESSES)).isPositive();
  }

  /** Where it has many levels that are full, and no block is accessed before it left. */
  @Test
  void holdsWithinItsLimitWithALargeTreetop() throws IOException {
    assertThat(moved(ring(20, 16, 16, 10, "slots"), access -> access, 60_000)).isPositive();
  }
}
