package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code roram audit} finds what shows, and nothing where nothing does. */
final class AuditCommandTest {

  @TempDir Path directory;

  @Test
  void accessesThatOverlap() {
    CommandRun run =
        CommandRun.of(
            "audit", "--in-flight", "4", "--pairs", "in-flight,crash", "--accesses", "400");
    // A pair that was asked for and not run is no success.
    assertThat(run.exitCode()).as(run.text() + run.messages()).isEqualTo(ExitCodes.UNDECIDED);
    assertThat(run.text())
        .contains("4 accesses in flight")
        .contains("crash is not for accesses that overlap");
    assertThat(run.text()).containsPattern("in-flight +store +alike");
    CommandRun refused = CommandRun.of("audit", "--in-flight", "4", "--through", "nbd");
    assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  /** Reads and writes are told apart where that was chosen, and nothing else. */
  @Test
  void theOperationTypeRevealed() {
    CommandRun run =
        CommandRun.of(
            "audit",
            "--store",
            "mem",
            "--reveal-operation-type",
            "--pairs",
            "reads-writes,hot-cold",
            "--accesses",
            "80");
    assertThat(run.exitCode()).as(run.text() + run.messages()).isEqualTo(ExitCodes.DATA);
    assertThat(run.text()).contains("TOLD APART: reads-writes").doesNotContain("APART: hot-cold");
  }

  @Test
  void aRecordedViewOfOnesOwnRun() throws IOException {
    String store = "file:" + directory.resolve("store");
    String key = directory.resolve("key").toString();
    String view = directory.resolve("view").toString();
    ok("create", store, "--blocks", "2^12", "--key-file", key, "--new-key");
    assertAlike(recordedRead(store, key, view));
    Path data = directory.resolve("data");
    Files.write(data, new byte[5_000_000]);
    // An older store: how often it evicted is not in the view.
    ok("import", store, "--in", data.toString(), "--key-file", key);
    assertAlike(recordedRead(store, key, view));
  }

  @Test
  void aScanThatWasRecordedIsExplained() {
    TestStore store = TestStore.create(directory, "--treetop", "0");
    assertThat(store.write(new byte[100_000], 5000).exitCode()).isZero();
    String view = directory.resolve("view").toString();
    String out = directory.resolve("out").toString();
    CommandRun export = store.run("export", "--out", out, "--record", view);
    assertThat(export.exitCode()).as(export.messages()).isZero();
    assertThat(ok("audit", "--view", view, "-q", "--debug").text())
        .containsPattern("view +store +alike")
        .contains("Nothing was told apart");
  }

  private String recordedRead(String store, String key, String view) throws IOException {
    Path out = directory.resolve("out");
    Files.deleteIfExists(Path.of(view));
    Files.deleteIfExists(out);
    ok(
        "read",
        store,
        "--offset",
        "100",
        "--length",
        "300K",
        "--out",
        out.toString(),
        "--key-file",
        key,
        "--record",
        view);
    return view;
  }

  private static void assertAlike(String view) {
    assertThat(ok("audit", "--view", view, "--quiet").text())
        .contains("view", "store", "vault     alike");
  }

  private static CommandRun ok(String... arguments) {
    CommandRun run = CommandRun.of(arguments);
    assertThat(run.exitCode()).as(run.text() + run.messages()).isEqualTo(ExitCodes.OK);
    return run;
  }

  /** What was given is what is audited, on a small store too, and the report says it. */
  @Test
  void theConfigurationThatWasAskedForIsAudited() {
    CommandRun run =
        CommandRun.of(
            "audit",
            "--store",
            "mem",
            "--position-map",
            "recursive",
            "--set",
            "blocksPerMapBlock=8",
            "--set",
            "clientLabels=16",
            "--classes",
            "0,3",
            "--trees",
            "0",
            "--pairs",
            "reads-writes",
            "--accesses",
            "400");
    assertThat(run.exitCode()).as(run.text() + run.messages()).isEqualTo(ExitCodes.OK);
    assertThat(run.text())
        .contains("positionMap=recursive blocksPerMapBlock=8 clientLabels=16", "sizeClasses=0,3")
        .contains("trees=0", "position map in trees on the store, store mem:, durability SYNC");
  }

  /** What cannot be audited as it was asked for is refused, and nothing is run. */
  @Test
  void whatDoesNotApplyIsRefused() {
    List<List<String>> refused =
        List.of(
            List.of("--scheme", "tao", "--in-flight", "4", "--durability", "sync"),
            List.of("--scheme", "detwo", "--in-flight", "4"),
            List.of("--in-flight", "4", "--store", "tls"),
            List.of("--in-flight", "4", "--state-dir", "/tmp"),
            List.of("--scheme", "path", "--trees", "0"),
            List.of("--scheme", "path", "--durability", "sync"),
            List.of("--position-map", "file"),
            List.of("--store", "mem", "--state-dir", "/tmp"),
            List.of("--through", "nbd", "--provoke"),
            List.of("--through", "proxy", "--provoke"),
            List.of("--through", "proxy", "--in-flight", "4"),
            List.of("--time", "--in-flight", "4"),
            List.of("--time", "--pairs", "crash"),
            List.of("--through", "paging", "--provoke"),
            List.of("--view", "any.view", "--scheme", "tao"),
            List.of("--view", "any.view", "--accesses", "800"));
    for (List<String> options : refused) {
      List<String> arguments = new ArrayList<>(List.of("audit"));
      arguments.addAll(options);
      CommandRun run = CommandRun.of(arguments.toArray(new String[0]));
      assertThat(run.exitCode()).as(options + run.messages()).isEqualTo(ExitCodes.USAGE);
      assertThat(run.text()).as("%s", options).isEmpty();
    }
  }

  @Test
  void mistakesAreNamed() {
    CommandRun unknown = CommandRun.of("audit", "--pairs", "nonsense");
    assertThat(unknown.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(unknown.messages()).contains("nonsense", "reads-writes");
    CommandRun few = CommandRun.of("audit", "--accesses", "3");
    assertThat(few.exitCode()).isNotEqualTo(ExitCodes.OK);
    assertThat(few.messages()).contains("accesses is 3");
    CommandRun nothing = CommandRun.of("audit", "--view", directory.resolve("none").toString());
    assertThat(nothing.exitCode()).isNotEqualTo(ExitCodes.OK);
    assertThat(nothing.messages()).contains("none");
  }

  @ParameterizedTest
  @CsvSource({
    "--store mem: --direct-io, not of mem:",
    "--ca c, --ca is for a store that has a URI",
    "--store tls --take-over, --take-over is for a store that has a URI"
  })
  void anOptionOfAnotherKindOfStoresIsRefused(String options, String message) {
    CommandRun run = CommandRun.of(("audit " + options).split(" ", -1));
    assertThat(run.messages()).contains(message);
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
  }
}
