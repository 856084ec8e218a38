package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code replay}: results for every scheme and trace, nothing left behind, errors that name lines.
 */
final class ReplayCommandTest {

  private static final String HEADER = "timestamp_us,op,offset_bytes,length_bytes\n";

  @TempDir Path directory;

  private Path trace(String lines) throws IOException {
    return Files.writeString(directory.resolve("trace.csv"), HEADER + lines);
  }

  @Test
  void allSchemesAnswerRightOnFiles() throws IOException {
    Path trace = trace("0,W,4096,8192\n1,R,0,65536\n2,R,8192,4096\n3,W,100,50\n4,R,0,4096\n");
    Path json = directory.resolve("json");
    Path scratch = directory.resolve("scratch");
    CommandRun run =
        CommandRun.of(
            "replay",
            trace.toString(),
            "--scheme",
            "path,path-batched,roram",
            "--classes",
            "0,4",
            "--blocks",
            "64",
            "--max-range",
            "16",
            "--store",
            "file:" + scratch,
            "--verify",
            "--json",
            json.toString());
    assertThat(run.exitCode()).describedAs(run.messages()).isZero();
    assertThat(run.text()).contains("path-batched", "mismatches", "hdd");
    JsonNode results = new ObjectMapper().readTree(json.toFile()).get("results");
    assertThat(results).hasSize(3);
    for (JsonNode result : results) {
      assertThat(result.get("queries").asInt()).isEqualTo(5);
      assertThat(result.get("mismatches").asInt()).isZero();
      assertThat(result.get("modelled").get("hdd").get("seconds").asDouble()).isPositive();
    }
    assertThat(scratch).doesNotExist();
  }

  /** Otherwise a table would have lines that are no rows, or very long ones. */
  @Test
  void aTracesNameTakesOneLineOfEachTable() throws IOException {
    Path trace = directory.resolve("a\nb.csv");
    Files.writeString(trace, HEADER + "0,W,0,4096\n");
    CommandRun run =
        CommandRun.of("replay", trace.toString(), "--blocks", "64", "--scheme", "path");
    assertThat(run.exitCode()).describedAs(run.messages()).isZero();
    assertThat(run.text().lines().filter(line -> line.contains("b.csv")))
        .hasSize(2)
        .allMatch(line -> line.contains("a\ufffdb.csv"));
  }

  @Test
  void withoutPayloadTheCountsAreTheSame() throws IOException {
    // Often enough that what chance does to the bytes read is far below the bound.
    String some = "0,W,4096,8192\n1,R,0,65536\n2,R,8192,4096\n3,W,100,50\n4,R,0,4096\n";
    Path trace = trace(some.repeat(10));
    JsonNode full = replayed(trace, "full");
    JsonNode counted = replayed(trace, "counted", "--no-payload");
    for (int i = 0; i < 3; i++) {
      for (String field : new String[] {"queries", "requests", "bytesWritten"}) {
        assertThat(counted.get(i).get(field)).as(field).isEqualTo(full.get(i).get(field));
      }
      // Labels are fresh in each run, and a bucket that two of them meet is read once.
      assertThat(counted.get(i).get("bytesRead").asLong())
          .isCloseTo(full.get(i).get("bytesRead").asLong(), withinPercentage(40));
      assertThat(counted.get(i).get("verified").asBoolean()).isFalse();
    }
  }

  private JsonNode replayed(Path trace, String name, String... more) throws IOException {
    Path json = directory.resolve(name);
    String[] arguments = {
      "replay",
      trace.toString(),
      "--scheme",
      "path,path-batched,roram",
      "--blocks",
      "4096",
      "--max-range",
      "16",
      "--json",
      json.toString()
    };
    String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
    System.arraycopy(more, 0, all, arguments.length, more.length);
    CommandRun run = CommandRun.of(all);
    assertThat(run.exitCode()).describedAs(run.messages()).isZero();
    return new ObjectMapper().readTree(json.toFile()).get("results");
  }

  @Test
  void withoutPayloadNothingCanBeStoredOrVerified() throws IOException {
    String trace = trace("0,R,0,4096\n").toString();
    for (String option : new String[] {"--verify", "--direct-io", "--store=file:x"}) {
      CommandRun run = CommandRun.of("replay", trace, "--no-payload", option);
      assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
      assertThat(run.messages()).contains("holds no data");
    }
  }

  @Test
  void bundledTraceIsFoldedIntoASmallDevice() {
    CommandRun run =
        CommandRun.of(
            "replay",
            "fileserver-1g",
            "--blocks",
            "2^10",
            "--limit",
            "20",
            "--warmup",
            "3",
            "--fold",
            "--verify",
            "--max-range",
            "16",
            "--no-fill");
    assertThat(run.exitCode()).describedAs(run.messages()).isZero();
    assertThat(run.text()).contains("fileserver-1g").doesNotContain("not checked");
    assertThat(run.messages()).doesNotContain("bulk load");
  }

  @Test
  void aShortTraceMakesADeviceAsLargeAsItNeeds() throws IOException {
    Path trace = trace("0,R,0,4096\n1,W,36864,8192\n");
    Path json = directory.resolve("needed.json");
    for (String[] options : new String[][] {{}, {"--limit", "1"}}) {
      List<String> line = new ArrayList<>(List.of("replay", trace.toString(), "--json"));
      line.add(json.toString());
      line.addAll(List.of(options));
      CommandRun run = CommandRun.of(line.toArray(String[]::new));
      assertThat(run.exitCode()).as(run.messages()).isZero();
      // Eleven blocks; whatever part of the trace is replayed.
      assertThat(Files.readString(json)).contains("\"blocks\" : 16,");
    }
  }

  @Test
  void requestBeyondTheDeviceIsAnError() throws IOException {
    Path trace = trace("0,R,1048576,4096\n");
    CommandRun run = CommandRun.of("replay", trace.toString(), "--blocks", "16");
    assertThat(run.messages()).contains(trace + ", line 2", "--fold");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILURE);
  }

  /** Traces are looked at first: filling a store can take minutes. */
  @Test
  void whatIsNoTraceIsRefusedBeforeAStoreIsMade() throws IOException {
    Path noise = Files.writeString(directory.resolve("noise"), "what is this\n");
    Path store = directory.resolve("never");
    CommandRun run =
        CommandRun.of("replay", noise.toString(), "--blocks", "2^10", "--store", "file:" + store);
    assertThat(run.exitCode()).isNotEqualTo(ExitCodes.OK);
    assertThat(run.messages()).contains("noise").doesNotContain("bulk load", "loading");
    assertThat(store).doesNotExist();
  }

  /** Nothing would be counted, or no time passes: what a replay would say only at its end. */
  @Test
  void whatCannotBeCountedIsRefusedBeforeAStoreIsMade() throws IOException {
    String trace = trace("0,R,0,4096\n5,R,0,4096\n9,R,0,4096\n").toString();
    CommandRun warm = CommandRun.of("replay", trace, "--warmup", "3");
    assertThat(warm.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(warm.messages()).contains("--warmup is 3").doesNotContain("bulk load");
    CommandRun one = CommandRun.of("replay", trace, "--open-loop", "--limit", "1");
    assertThat(one.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(one.messages()).contains("raise --limit").doesNotContain("bulk load");
  }

  @Test
  void malformedLineIsNamed() throws IOException {
    Path trace = trace("0,R,0,4096\n1,R,zero,4096\n");
    CommandRun run = CommandRun.of("replay", trace.toString(), "--blocks", "16");
    assertThat(run.messages()).contains(trace + ", line 3").doesNotContain("unexpected");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILURE);
  }

  @Test
  void unknownTraceListsTheBundledOnes() {
    CommandRun run = CommandRun.of("replay", "nothing.csv");
    assertThat(run.messages()).contains("nothing.csv", "videoserver-1g").hasLineCount(1);
    assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILURE);
  }

  @Test
  void existingStoreIsLeftAlone() throws IOException {
    String store = "file:" + directory.resolve("store");
    Path key = directory.resolve("key");
    assertThat(
            CommandRun.of(
                    "create", store, "--blocks", "10", "--key-file", key.toString(), "--new-key")
                .exitCode())
        .isZero();
    CommandRun run =
        CommandRun.of(
            "replay", trace("0,R,0,4096\n").toString(), "--blocks", "16", "--store", store);
    assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILURE);
    assertThat(CommandRun.of("info", store, "--key-file", key.toString()).exitCode()).isZero();
  }

  @Test
  void countsAreChecked() {
    CommandRun run = CommandRun.of("replay", "seq-1g", "--limit", "0");
    assertThat(run.messages()).contains("--limit is 0");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void itTakesWhatMakesAStoreAndWhatOpensOne() {
    assertThat(CommandRun.of("replay", "--help").text()).contains("--read-depth", "--segment-size");
  }

  @Test
  void aDirectoryInPlaceOfAFileIsNamed() {
    String folder = directory.toString();
    for (String[] wrong :
        new String[][] {{"replay", folder}, {"plan", folder}, {"audit", "--view", folder}}) {
      CommandRun run = CommandRun.of(wrong);
      assertThat(run.messages()).contains(folder + " is a directory");
      assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    }
  }

  @Test
  void anOptionOfAnotherKindOfStoresIsRefused() {
    CommandRun run = CommandRun.of("replay", "seq-1g", "--state-dir", "s");
    assertThat(run.messages()).contains("not of mem:");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void aResultDoesNotReplaceATrace() throws IOException {
    Path first = Files.writeString(directory.resolve("first.csv"), "x");
    Path second = Files.writeString(directory.resolve("second.csv"), "x");
    CommandRun run =
        CommandRun.of("replay", first.toString(), second.toString(), "--json", first.toString());
    assertThat(run.exitCode()).as(run.messages()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.messages()).contains("is the file of the argument");
    assertThat(first).hasContent("x");
  }
}
