package io.github.roram.bench.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.TinyRun;
import io.github.roram.bench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment runs, and each word, long list or short, is answered after two round trips. */
final class SearchExperimentTest {

  @TempDir Path directory;

  @Test
  void searchesTakeTwoRoundTrips() throws IOException {
    TinyRun.of(SearchExperiment.ID, ExperimentDevice.HDD, directory);
    Table table = Table.read(directory, SearchExperiment.ID, List.of());
    assertThat(table.rows()).hasSize(3);
    for (List<String> row : table.rows().subList(1, 3)) {
      assertThat(table.cell(row, "answered after round trips")).isEqualTo("2.00");
    }
  }
}
