package io.github.roram.bench.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.TinyRun;
import io.github.roram.bench.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment runs, and leaves nothing but its results. */
final class GrowthExperimentTest {

  @TempDir Path directory;

  @Test
  @Tag("gate")
  void everyFigureIsThere() throws IOException {
    TinyRun.of(GrowthExperiment.ID, ExperimentDevice.MEASURED, directory);
    Table table = Table.read(directory, GrowthExperiment.ID, List.of());
    assertThat(table.rows()).hasSize(6);
    for (List<String> row : table.rows()) {
      assertThat(Double.parseDouble(table.cell(row, "ms"))).as("%s", row).isPositive();
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).noneMatch(path -> path.getFileName().toString().matches("growth\\d+"));
    }
  }
}
