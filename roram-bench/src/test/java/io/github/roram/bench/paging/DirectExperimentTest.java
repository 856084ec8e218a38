package io.github.roram.bench.paging;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.bench.experiment.ExperimentOptions.ExperimentDevice;
import io.github.roram.bench.experiment.TinyRun;
import io.github.roram.bench.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiment is found by its registration, runs, counts and leaves no store. */
class DirectExperimentTest {

  @TempDir Path directory;

  @Tag("gate")
  @Test
  void everySchemeIsMeasured() throws IOException {
    Path report = TinyRun.of("direct-blocks", ExperimentDevice.HDD, directory);
    assertThat(report).content().contains("Single blocks on files, called directly");
    Table all = Table.read(directory, DirectExperiment.ALL, List.of());
    assertThat(all.rows())
        .extracting(row -> row.get(0))
        .containsExactlyElementsOf(
            PageContender.ofDirectCalls().stream().map(PageContender::id).toList())
        .contains(PageContender.SEALED_DISK.id(), "path", "path-batched", "roram");
    List<String> disk = all.rows().get(0);
    assertThat(disk.get(3)).as("its own ratio").isEqualTo("1.00");
    assertThat(Double.parseDouble(disk.get(5))).as("a block and its tag").isBetween(1.0, 1.01);
    assertThat(Double.parseDouble(disk.get(15))).as("reads write nothing").isZero();
    assertThat(directory).isDirectoryNotContaining(path -> Files.isDirectory(path));
  }
}
