package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What commands say of the memory that accesses in flight take. */
final class MemoryInFlightTest {

  @TempDir Path directory;

  private CommandRun run(String line) {
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    words.addAll(List.of("--key-file", directory.resolve("key").toString()));
    return CommandRun.of(words.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "roram, blocks that arrived for reads and chunks",
    "tao, 'buckets read, and being written back'"
  })
  void aStoreIsMadeForAccessesThatOverlap(String scheme, String arrived) {
    String store = "file:" + directory.resolve("store");
    CommandRun created =
        run(
            "create "
                + store
                + " --blocks 4096 --block-size 512 --client-memory 16M --in-flight 8 --new-key"
                + " --scheme "
                + scheme);
    assertThat(created.exitCode()).as(created.messages()).isZero();
    assertThat(created.messages())
        .containsPattern("Client memory: at most .+ of 16 MiB with 8 accesses in flight, here: ")
        .contains(arrived, "An access of 1 block moves")
        .containsPattern("Client memory: at most .+ with 16 accesses in flight, .+ with one");
    assertThat(run("info " + store + " --in-flight 8").text())
        .containsPattern("now, at most .+ with 8 accesses in flight")
        .contains(arrived);
    assertThat(run("info " + store).text()).doesNotContain("in flight");
  }

  @Test
  void whatDoesNotFitIsRefused() {
    String store = "file:" + directory.resolve("store");
    String line = "create " + store + " --blocks 4096 --client-memory 8M --new-key";
    assertThat(run(line + " --in-flight 200").messages())
        .contains("for 200 accesses that overlap", "needs at least", "fewer accesses");
    assertThat(run(line + " --in-flight 257").exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aLoadSaysWhatItMayTake() {
    CommandRun load =
        CommandRun.of(
            "load",
            "file:" + directory.resolve("store"),
            "--create",
            "--blocks",
            "256",
            "--time",
            "0.1",
            "--in-flight",
            "4");
    assertThat(load.exitCode()).as(load.messages()).isZero();
    assertThat(load.messages()).contains("with 4 accesses in flight");
  }
}
