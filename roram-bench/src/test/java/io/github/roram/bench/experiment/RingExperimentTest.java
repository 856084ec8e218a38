package io.github.roram.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment runs, and no client holds more than it was given. */
final class RingExperimentTest {

  @TempDir Path directory;

  @Test
  @Tag("gate")
  void theRingIsComparedAtEqualMemory() throws IOException {
    assertThat(TinyRun.of("ring", ExperimentDevice.SSD, directory))
        .content()
        .contains("The ring of large buckets");
    Table counts = Table.read(directory, RingExperiment.ID, List.of());
    assertThat(counts.rows()).hasSize(8);
    for (List<String> row : counts.rows()) {
      assertThat(number(counts, row, "held MB"))
          .isLessThanOrEqualTo(number(counts, row, "memory MB"));
    }
    Table line = Table.read(directory, RingExperiment.LINE, List.of());
    assertThat(line.rows()).hasSize(18);
    for (List<String> row : line.rows()) {
      assertThat(number(line, row, "99 % ms")).isGreaterThanOrEqualTo(12);
    }
  }

  private static double number(Table table, List<String> row, String column) {
    return Double.parseDouble(table.cell(row, column).replace(",", ""));
  }
}
