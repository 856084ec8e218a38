package io.github.roram.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.github.roram.OramConfig;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.Preset;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.parameters.TreetopBudget;
import io.github.roram.parameters.TreetopLoad;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client really holds of its treetops, against the formula and against its budget. */
class TreetopLoadTest {

  private static final long SEED = Long.getLong("roram.seed", 1);

  /** What a budget may be exceeded by. */
  private static final double ALLOWED = 1 + 1.0 / 8;

  /**
   * The mean of what is held, after as many accesses as there are blocks. In a Path ORAM what is
   * held wanders, for its evictions are random; the others differ by less than 2 % here.
   */
  @ParameterizedTest
  @CsvSource({
    "path, compact, 8192, 4, 10",
    "path, compact, 8192, 11, 5",
    "path, compact, 5000, 7, 6",
    "path, proven, 8192, 7, 6",
    "path, paper, 2048, 7, 6",
    "roram, compact, 8192, 6, 4",
    "roram, compact, 8192, 9, 3",
    "roram, compact, 5000, 7, 3",
    "roram, proven, 8192, 7, 3",
    "roram, proven, 5000, 10, 3",
    "path-batched, compact, 8192, 9, 3",
  })
  void meanIsThatOfTheFormula(
      String scheme, String preset, long blocks, int levels, double errorPercent)
      throws IOException {
    OramConfig.Builder builder =
        OramConfig.builder(blocks).scheme(scheme).preset(Preset.of(preset)).maxRangeBlocks(1);
    OramConfig config = withLevels(scheme.equals("path") ? builder : paths(builder, 1), levels);
    Held held = held(config, 1, 3);
    assertThat(held.levels).isEqualTo(levels);
    assertThat(held.mean).isCloseTo(load(config).blocks(levels), withPercentage(errorPercent));
  }

  /** Chunks and windows let it swing, but add nothing in the mean; each tree holds as much. */
  @ParameterizedTest
  @ValueSource(ints = {1, 64, 256})
  void meanIsTheSameWithChunksAndWithRanges(int chunkPaths) throws IOException {
    OramConfig.Builder builder =
        OramConfig.builder(1 << 14).maxRangeBlocks(32).sizeClasses(0, 5).trees(0, 5);
    OramConfig config = withLevels(paths(builder, chunkPaths), 9);
    TreeParameters parameters = TreeParameters.of(config);
    double expected = 2 * load(config).blocks(9);
    Held held = held(config, 32, 5);
    assertThat(held.mean).isCloseTo(expected, withPercentage(5));
    assertThat(held.most)
        .isLessThan((int) (1.1 * expected) + 2 * parameters.windowBlocks() + 8 * 32);
  }

  @ParameterizedTest
  @CsvSource({"path, 1", "path, 3", "roram, 1", "roram, 3", "path-batched, 2"})
  void budgetIsExceededByNoMoreThanAnEighth(String scheme, int megabytes) throws IOException {
    OramConfig.Builder builder = OramConfig.builder(1 << 13).scheme(scheme).maxRangeBlocks(32);
    long bytes = (long) megabytes << 20;
    OramConfig config = paths(builder, 1).treetopBytes(bytes).build();
    Held held = held(config, 1, 3);
    int trees = TreeParameters.of(config).trees().length;
    assertThat(held.mean * config.blockBytes()).isLessThan(1.03 * ALLOWED * bytes);
    // One level more would not fit.
    double next = trees * load(config).blocks(held.levels + 1) * config.blockBytes();
    assertThat(next).isGreaterThan(ALLOWED * bytes);
  }

  /** The journal and the saved state are padded to it, so it must hold for every load. */
  @ParameterizedTest
  @CsvSource({
    "path, 12, 4",
    "path, 12, 7",
    "path, 12, 10",
    "roram, 12, 4",
    "roram, 12, 7",
    "roram, 12, 10",
  })
  void roomOfTheTreetopIsNotReached(String scheme, int logBlocks, int levels) throws IOException {
    OramConfig.Builder builder =
        OramConfig.builder(1L << logBlocks).scheme(scheme).maxRangeBlocks(1);
    OramConfig config = withLevels(paths(builder, 1), levels);
    int room = load(config).room(levels);
    assertThat(room).isLessThanOrEqualTo(4 * ((1 << levels) - 1));
    for (boolean random : new boolean[] {true, false}) {
      try (PatternOram oram = create(config)) {
        Held held = held(oram, 1, 3, random);
        assertThat(held.most).isLessThanOrEqualTo(room);
        assertThat(oram.stats().stashMaxBlocks()).isLessThan(32);
      }
    }
  }

  /** 64 MB, the library's default: a level or two more than the slots of the levels would allow. */
  @Test
  void levelsOfTheDefaultBudget() {
    for (int logBlocks : new int[] {18, 20, 22}) {
      OramConfig.Builder builder = OramConfig.builder(1L << logBlocks);
      assertThat(levels(builder.trees(0).build())).isEqualTo(13);
      assertThat(levels(builder.trees(0, 5).build())).isEqualTo(12);
      OramConfig.Builder path = OramConfig.builder(1L << logBlocks).scheme("path");
      assertThat(levels(path.treetopBytes(64 << 20).build())).isEqualTo(14);
      assertThat(levels(path.treetopBytes(0).build())).isZero();
    }
  }

  private static OramConfig.Builder paths(OramConfig.Builder builder, int chunkPaths) {
    return chunkPaths == 1
        ? builder.chunkPaths(1).windowBlocks(0)
        : builder.chunkPaths(chunkPaths).windowBlocks(3 * chunkPaths);
  }

  /** A configuration whose budget is just what it holds of so many levels. */
  private static OramConfig withLevels(OramConfig.Builder builder, int levels) {
    OramConfig plain = builder.build();
    double blocks = TreeParameters.of(plain).trees().length * load(plain).blocks(levels);
    return builder.treetopBytes((long) Math.ceil(blocks * plain.blockBytes())).build();
  }

  private static int height(OramConfig config) {
    return Integer.numberOfTrailingZeros(TreeParameters.of(config).leaves());
  }

  private static TreetopLoad load(OramConfig config) {
    return TreetopBudget.load(config, config.blocks(), height(config));
  }

  private static int levels(OramConfig config) {
    int trees = TreeParameters.of(config).trees().length;
    return TreetopBudget.levels(config, config.blocks(), height(config), trees);
  }

  /** With the same labels in every run: by chance a few ranges may lie badly. */
  private static PatternOram create(OramConfig config) throws IOException {
    Random labels = new Random(SEED);
    byte[] key = new byte[64];
    labels.nextBytes(key);
    LabelPrf firstLabels = new LabelPrf();
    firstLabels.readFrom(new DataInputStream(new ByteArrayInputStream(key)));
    return PatternOram.create(config, store -> store, firstLabels, labels::nextInt);
  }

  private record Held(int levels, double mean, int most) {}

  private static Held held(OramConfig config, int rangeBlocks, int times) throws IOException {
    try (PatternOram oram = create(config)) {
      return held(oram, rangeBlocks, times, true);
    }
  }

  /**
   * Writes ranges of a full store, each block some times, at random or one after another, and looks
   * at what the client holds.
   */
  private static Held held(PatternOram oram, int rangeBlocks, int times, boolean atRandom)
      throws IOException {
    Random random = new Random(7);
    int ranges = (int) oram.config().blocks() / rangeBlocks;
    int most = 0;
    long sum = 0;
    long samples = 0;
    oram.fill(bytes -> {});
    for (long access = 0; access < (long) times * ranges; access++) {
      long range = atRandom ? random.nextInt(ranges) : access % ranges;
      oram.access(range * rangeBlocks, rangeBlocks, true);
      if (access >= ranges) {
        int held = oram.stats().trees().stream().mapToInt(TreeStats::heldBlocks).sum();
        most = Math.max(most, held);
        sum += held;
        samples++;
      }
    }
    int levels = oram.stats().trees().get(0).treetopLevels();
    return new Held(levels, (double) sum / samples, most);
  }
}
