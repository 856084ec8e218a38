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

  private static final int RUNS = 5;

  @TempDir Path directory;

  @ParameterizedTest
  @Tag("gate")
  @CsvSource({BackupExperiment.ID + ", ratio, 7", GrowthExperiment.ID + ", ms, 6"})
  void everyFigureIsThere(String id, String column, int figures) throws IOException {
    Table table = run(id, figures, 0);
    // On a busy machine clients may have no turn in so short a time.
    for (int run = 1; run < RUNS && hasZero(table, column); run++) {
      table = run(id, figures, run);
    }
    for (List<String> row : table.rows()) {
      assertThat(Double.parseDouble(table.cell(row, column))).as("%s", row).isPositive();
    }
  }

  private Table run(String id, int figures, int run) throws IOException {
    Path place = directory.resolve("run" + run);
    TinyRun.of(id, ExperimentDevice.MEASURED, place);
    try (Stream<Path> left = Files.list(place)) {
      assertThat(left).noneMatch(Files::isDirectory);
    }
    Table table = Table.read(place, id, List.of());
    assertThat(table.rows()).hasSize(figures);
    return table;
  }

  private static boolean hasZero(Table table, String column) {
    return table.rows().stream().anyMatch(row -> Double.parseDouble(table.cell(row, column)) == 0);
  }
}
