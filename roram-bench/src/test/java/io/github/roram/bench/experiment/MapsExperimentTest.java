package io.github.roram.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.MapsExperiment.MapLookUps;
import io.github.roram.bench.experiment.MapsExperiment.MapLookUps.NaiveMaps;
import io.github.roram.bench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The naive map is what it is said to be, and the experiment runs. */
final class MapsExperimentTest {

  @TempDir Path directory;

  private static OramConfig.Builder map(OramConfig.Builder builder) {
    return builder
        .treetopBytes(0)
        .windowBlocks(0)
        .chunkPaths(8)
        .positionMap("recursive")
        .set("blocksPerMapBlock", 4)
        .set("clientLabels", 4);
  }

  /** With a single tree there is no difference. */
  @Test
  void ofOneTreeIsTheMapItself() throws IOException {
    OramConfig config = map(OramConfig.builder(512).maxRangeBlocks(8).trees(0)).build();
    try (MapLookUps one = MapLookUps.open(config, () -> {});
        NaiveMaps naive = NaiveMaps.open(config, () -> {})) {
      one.reset();
      naive.reset();
      Random random = new Random(1);
      for (int i = 0; i < 100; i++) {
        int block = random.nextInt(504);
        one.access(block, 8, false);
        naive.access(block, 8);
      }
      // Evictions of a few paths may be due a little sooner or later.
      assertThat(naive.map().requests())
          .isBetween(one.map().requests() - 6, one.map().requests() + 6);
      assertThat(naive.map().bytes() / (double) one.map().bytes()).isBetween(0.9, 1.1);
    }
  }

  /** Maps of 512, 256, 128 and 64 labels, four to a block, down to four: 4, 3, 3, and 2 levels. */
  @Test
  void everyTreeIsLookedUp() throws IOException {
    OramConfig config =
        map(OramConfig.builder(512).maxRangeBlocks(8).sizeClasses(0, 1, 2, 3)).build();
    try (NaiveMaps naive = NaiveMaps.open(config, () -> {})) {
      naive.reset();
      for (int i = 0; i < 100; i++) {
        naive.access(i, 1);
      }
      long reads = 100L * (4 + 3 + 3 + 2);
      assertThat(naive.map().requests()).isGreaterThan(reads);
      naive.reset();
      assertThat(naive.map().requests()).isZero();
    }
  }

  @Tag("gate")
  @Test
  void theNaiveMapCostsMore() throws IOException {
    assertThat(TinyRun.of("maps", ExperimentDevice.HDD, directory))
        .content()
        .contains("Look-ups in one map");
    assertThat(Table.read(directory, MapsExperiment.FITS, List.of()).rows()).isNotEmpty();
    Table counts = Table.read(directory, MapsExperiment.COUNTS, List.of());
    assertThat(requests(counts, "map-for-each-tree-4", "2^10"))
        .isGreaterThan(3 * requests(counts, "one-map-4", "2^10"));
  }

  private static double requests(Table counts, String map, String blocks) {
    return counts.rows().stream()
        .filter(row -> row.get(0).equals(map) && row.get(1).equals(blocks))
        .filter(row -> row.get(2).equals("2^4"))
        .mapToDouble(row -> Double.parseDouble(counts.cell(row, "requests")))
        .findFirst()
        .orElseThrow();
  }
}
