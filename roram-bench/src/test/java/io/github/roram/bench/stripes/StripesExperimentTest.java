package io.github.roram.bench.stripes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.TinyRun;
import io.github.roram.bench.report.Series;
import io.github.roram.bench.report.Table;
import io.github.roram.bench.stripes.StripesExperiment.ModelledStripes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment is found by its registration, runs, keeps the bound, and leaves no store. */
final class StripesExperimentTest {

  @TempDir Path directory;

  private Path run(ExperimentDevice medium) throws IOException {
    return TinyRun.of("stripes", medium, directory);
  }

  @Test
  void modelledSeeksKeepTheBound() throws IOException {
    assertThat(run(ExperimentDevice.HDD)).content().contains("Parallel seeks");
    Table table = Table.read(directory, ModelledStripes.TABLE, List.of());
    assertThat(table.rows())
        .hasSize(2 * ModelledStripes.STRIPES.size() * Contenders.STRIPED.size());
    for (List<String> row : table.rows()) {
      if (row.get(0).contains("-trees-")) {
        continue; // of trees with few levels there is little to spread
      }
      assertThat(Double.parseDouble(row.get(4)))
          .as("%s", row)
          .isLessThanOrEqualTo(Double.parseDouble(row.get(5)));
    }
  }

  @Tag("gate")
  @Test
  void directoriesAndServersAreMeasured() throws IOException {
    run(ExperimentDevice.MEASURED);
    assertThat(Series.read(directory, MeasuredStripes.RATES)).hasSize(4);
    assertThat(Table.read(directory, MeasuredStripes.TABLE, List.of()).rows()).hasSize(2);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left.filter(Files::isDirectory)).isEmpty();
    }
  }
}
