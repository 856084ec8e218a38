package io.github.roram.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the jcstress tests of this module in processes of their own: briefly in {@code .ci/run}, at
 * length in the long mode. Which interleavings are met is a matter of luck and time.
 */
final class StressTest {

  @TempDir Path directory;

  @Test
  @Tag("gate")
  void briefly() throws Exception {
    run(
        "-f",
        "1",
        "-fsm",
        "1",
        "-iters",
        "1",
        "-time",
        "100",
        "-sc",
        "false",
        "-af",
        "NONE",
        "-strideSize",
        "10",
        "-strideCount",
        "4",
        "-jvmArgs",
        "-Xmx256m");
  }

  @Test
  @Tag("soak")
  void atLength() throws Exception {
    run("-m", System.getProperty("roram.stress.mode", "quick"), "-strideSize", "64");
  }

  private void run(String... options) throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-r",
                directory.resolve("report").toString()));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    int code = process.waitFor();
    String said = Files.readString(output);
    assertThat(code).as(said).isZero();
    assertThat(said).contains("Failed tests: No matches", "Error tests: No matches");
    assertThat(said).containsPattern("All remaining tests: [1-9][0-9]* matching");
  }
}
