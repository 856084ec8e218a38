package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code roram plan}: proposes, measures, and what it proposes can be created. */
class PlanCommandTest {

  @TempDir Path directory;

  @Test
  void whatItProposesCanBeCreated() throws IOException {
    Path json = directory.resolve("plan.json");
    CommandRun plan =
        CommandRun.of(
            "plan",
            "fileserver-1g",
            "--blocks",
            "2^10",
            "--device",
            "hdd",
            "--client-memory",
            "24M",
            "--limit",
            "500",
            "--classes-at-most",
            "4",
            "--json",
            json.toString());
    assertThat(plan.exitCode()).as(plan.messages()).isZero();
    List<String> lines =
        plan.text().lines().filter(line -> line.startsWith("roram create")).toList();
    assertThat(lines).as("one for blocks of 4096 bytes, one for smaller ones").hasSize(2);
    assertThat(plan.text()).contains("are cheaper for these requests: ");
    for (String create : lines) {
      Path parent = Files.createTempDirectory(directory, "created");
      List<String> words = new ArrayList<>(Arrays.asList(create.split(" ")));
      words.remove(0);
      words.replaceAll(
          word ->
              switch (word) {
                case "STORE" -> "file:" + parent.resolve("store");
                case "KEY" -> parent.resolve("key").toString();
                default -> word;
              });
      CommandRun created = CommandRun.of(words.toArray(String[]::new));
      assertThat(created.exitCode()).as(created.messages()).isZero();
    }
    assertThat(Files.readString(json))
        .contains("\"create\" : \"" + lines.get(0))
        .containsPattern("\"scanPaysFromBlocks\" : [1-9]");
    assertThat(plan.text()).containsPattern("Longest range \\d+ blocks: (reading \\d+|no read)");
  }

  @Test
  void aStoreIsMeasuredAndDeleted() throws IOException {
    Path device = directory.resolve("device.json");
    Path place = directory.resolve("measured");
    CommandRun measured =
        CommandRun.of(
            "plan",
            "--measure",
            "file:" + place,
            "--measure-bytes",
            "32M",
            "--out",
            device.toString());
    assertThat(measured.exitCode()).as(measured.messages()).isZero();
    assertThat(measured.text()).contains("ms a round trip").contains("% on average");
    assertThat(place).doesNotExist();
    // Blocks of one size and two classes: fewer candidates, the device is what is asked about.
    String line = "plan seq-1g --blocks 2^8 --block-size 4096 --classes-at-most 2 --limit 50";
    CommandRun plan = CommandRun.of((line + " --device " + device).split(" ", -1));
    assertThat(plan.exitCode()).as(plan.messages()).isZero();
    assertThat(plan.text()).contains("measured:");
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThat(CommandRun.of("plan").messages()).contains("TRACE").contains("--measure");
    assertThat(CommandRun.of("plan", "seq-1g", "--device", "tape").messages()).contains("'tape'");
    assertThat(CommandRun.of("plan", "nowhere.csv").exitCode()).isNotZero();
  }

  @Test
  void whatWouldBeIgnoredIsRefused() {
    assertRefused("--out", "plan", "seq-1g", "--out", "never.json");
    assertRefused("--json", "plan", "--measure", "mem:", "--json", "never.json");
    assertRefused("--prices", "plan", "seq-1g", "--prices", "0.40,5.00");
    assertRefused("--limit is 0", "plan", "seq-1g", "--limit", "0");
    assertRefused("--rows is -1", "plan", "seq-1g", "--rows", "-1");
  }

  private static void assertRefused(String what, String... arguments) {
    CommandRun run = CommandRun.of(arguments);
    assertThat(run.exitCode()).as(run.messages()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.messages()).contains(what);
  }
}
