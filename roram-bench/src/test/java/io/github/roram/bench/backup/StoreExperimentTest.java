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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The experiments run, and leave nothing but their results. */
final class StoreExperimentTest {

  @TempDir Path directory;

  @ParameterizedTest
  @Tag("gate")
  @CsvSource({BackupExperiment.ID + ", ratio, 7", GrowthExperiment.ID + ", ms, 6"})
  void everyFigureIsThere(String id, String column, int figures) throws IOException {
    TinyRun.of(id, ExperimentDevice.MEASURED, directory);
    Table table = Table.read(directory, id, List.of());
    assertThat(table.rows()).hasSize(figures);
    for (List<String> row : table.rows()) {
      assertThat(Double.parseDouble(table.cell(row, column))).as("%s", row).isPositive();
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).noneMatch(Files::isDirectory);
    }
  }
}
