package io.github.roram.bench.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.experiment.ExperimentOptions;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.ExperimentOptions.Selection;
import io.github.roram.bench.experiment.TinyRun;
import io.github.roram.bench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment runs, and stands next to its peers. */
final class KeysExperimentTest {

  @TempDir Path directory;

  @Test
  @Tag("gate")
  void operationsAreCounted() throws IOException {
    Selection selection = new Selection(Set.of("memory-64"), Set.of(), null, Map.of());
    ExperimentOptions options =
        TinyRun.options("keys", ExperimentDevice.MEASURED, directory, selection);
    TinyRun.of(options);
    Table table = Table.read(directory, KeysExperiment.ID, List.of());
    assertThat(table.rows()).hasSize(3);
    assertThat(table.cell(table.rows().get(0), "operations a second")).isNotEqualTo("0");
    assertThat(table.cell(table.rows().get(1), "map")).isEqualTo("Obladi");
  }
}
