package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code demo} at the smallest scale. */
final class DemoCommandTest {

  @TempDir Path directory;

  @Tag("gate")
  @ParameterizedTest
  @CsvSource({"files,3", "tcp,1", "tls,1"})
  void comparesTheSchemesAndCleansUp(String medium, String queries) throws IOException {
    Path stores = Files.createDirectory(directory.resolve("stores"));
    Path json = directory.resolve("json");
    Path report = directory.resolve("report.html");
    CommandRun run =
        CommandRun.of(
            "demo",
            "--store",
            medium,
            "--dir",
            stores.toString(),
            "--blocks",
            "2^10",
            "--queries",
            queries,
            "--json",
            json.toString(),
            "--report",
            report.toString());
    assertThat(run.exitCode()).describedAs(run.messages()).isZero();
    assertThat(run.text()).contains("fileserver-1g", "videoserver-1g", "seq-1g", "path-batched");
    JsonNode results = new ObjectMapper().readTree(json.toFile()).get("results");
    assertThat(results).hasSize(12);
    results.forEach(result -> assertThat(result.get("mismatches").asInt()).isZero());
    assertThat(report).content().contains("<html", "</html>");
    assertThat(stores).isEmptyDirectory();
  }

  @Test
  void countsAreChecked() {
    CommandRun run = CommandRun.of("demo", "--queries", "0");
    assertThat(run.messages()).contains("--queries is 0");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(CommandRun.of("demo", "--store", "tls", "--direct-io").exitCode())
        .isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void aDeviceShorterThanItsRangesIsRefused() {
    CommandRun run = CommandRun.of("demo", "--blocks", "3");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.messages()).contains("--blocks is 3, must be at least 256");
  }
}
