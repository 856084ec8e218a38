package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands with scheme detwo, which they know by its id only. */
final class DetWoCommandsTest {

  @TempDir Path directory;

  private CommandRun run(byte[] input, String command, String uri, String... options) {
    List<String> line = new ArrayList<>(List.of(command, uri));
    line.addAll(List.of("--key-file", directory.resolve("key").toString()));
    line.addAll(List.of(options));
    return CommandRun.withInput(input, line.toArray(String[]::new));
  }

  private CommandRun done(byte[] input, String command, String... options) {
    CommandRun run = run(input, command, "file:" + directory.resolve("store"), options);
    assertThat(run.exitCode()).as(run.messages()).isZero();
    return run;
  }

  @Test
  void aStoreIsCreatedUsedCheckedAndRekeyed() throws IOException {
    byte[] none = new byte[0];
    byte[] data = new byte[300 * 4096];
    new Random(1).nextBytes(data);
    done(
        none,
        "create",
        "--blocks",
        "300",
        "--new-key",
        "--scheme",
        "detwo",
        "--set",
        "overhead=2.5",
        "--set",
        "cipher=chacha",
        "--set",
        "form=eager-parallel");
    assertThat(done(none, "info").text())
        .contains("holdingBlocks  120", "cipher         chacha", "form           eager-parallel")
        .contains("hides          which blocks are written", "stores that show them are refused");
    Path file = directory.resolve("data");
    Files.write(file, data);
    done(none, "import", "--in", file.toString());
    byte[] patch = {1, 2, 3, 4, 5};
    done(patch, "write", "--in", "-", "--offset", "5000");
    System.arraycopy(patch, 0, data, 5000, patch.length);
    done(none, "verify");
    done(none, "rekey");
    assertThat(done(none, "read", "--out", "-", "--offset", "4096", "--length", "8192").output())
        .isEqualTo(Arrays.copyOfRange(data, 4096, 3 * 4096));
    Path exported = directory.resolve("exported");
    done(none, "export", "--out", exported.toString());
    assertThat(Files.readAllBytes(exported)).isEqualTo(data);
  }

  @Test
  void theFormIsChosenByEachCommand() throws IOException {
    byte[] none = new byte[0];
    byte[] data = new byte[40 * 4096];
    new Random(2).nextBytes(data);
    done(none, "create", "--blocks", "50", "--new-key", "--scheme", "detwo", "--form", "eager");
    done(
        Arrays.copyOf(data, 20 * 4096),
        "write",
        "--in",
        "-",
        "--offset",
        "0",
        "--form",
        "parallel");
    Path file = directory.resolve("data");
    Files.write(file, data);
    done(none, "import", "--in", file.toString(), "--set", "form=eager-parallel");
    done(none, "verify", "--form", "plain");
    done(none, "rekey", "--form", "plain");
    assertThat(
            done(
                    none,
                    "read",
                    "--out",
                    "-",
                    "--offset",
                    "0",
                    "--length",
                    "163840",
                    "--form",
                    "eager")
                .output())
        .isEqualTo(data);
    assertThat(done(none, "info").text()).contains("form           eager\n");

    String uri = "file:" + directory.resolve("store");
    assertThat(run(none, "verify", uri, "--form", "quick").messages())
        .contains("form is 'quick', must be one of plain, eager, parallel, eager-parallel");
    assertThat(run(none, "verify", uri, "--set", "overhead=5").messages())
        .contains("'overhead' cannot be chosen when a store of scheme detwo is opened", "form");
  }

  @Test
  void otherSchemesHaveNoForm() {
    byte[] none = new byte[0];
    done(none, "create", "--blocks", "50", "--new-key", "--scheme", "path-batched");
    String uri = "file:" + directory.resolve("store");
    assertThat(run(none, "verify", uri, "--form", "plain").messages())
        .contains("'form' cannot be chosen when a store of scheme path-batched is opened");
    done(none, "verify", "--set", "stashLimitBlocks=2000");
  }

  /** What a third party's store shows is not known. */
  @Test
  void aStoreThatMayShowReadsIsRefusedUnlessDeclared() {
    String uri = "plain:" + directory.resolve("disk");
    String[] create = {"--blocks", "100", "--new-key", "--scheme", "detwo"};
    CommandRun refused = run(new byte[0], "create", uri, create);
    assertThat(refused.exitCode()).isNotZero();
    assertThat(refused.messages()).contains("hides writes alone", "--adversary snapshots");

    String[] declared = Arrays.copyOf(create, create.length + 2);
    declared[create.length] = "--adversary";
    declared[create.length + 1] = "snapshots";
    CommandRun created = run(new byte[0], "create", uri, declared);
    assertThat(created.exitCode()).as(created.messages()).isZero();
    CommandRun info = run(new byte[0], "info", uri);
    assertThat(info.text()).contains("adversary      snapshots", "nobody sees those");
    CommandRun written = run(new byte[100], "write", uri, "--in", "-", "--offset", "0");
    assertThat(written.exitCode()).as(written.messages()).isZero();
  }

  @Test
  void otherSchemesTakeNoDeclaration() {
    CommandRun refused =
        run(
            new byte[0],
            "create",
            "file:" + directory.resolve("other"),
            "--blocks",
            "100",
            "--new-key",
            "--adversary",
            "snapshots");
    assertThat(refused.messages()).contains("parameter 'adversary' belongs to scheme detwo");
  }

  @Test
  void anAuditKnowsBothAdversaries() {
    String[] pairs = {"--scheme", "detwo", "--store", "mem", "--accesses", "160", "--pairs"};
    CommandRun snapshots =
        CommandRun.of(line(pairs, "same-distinct,reads-writes", "--adversary", "snapshots"));
    assertThat(snapshots.exitCode())
        .as(snapshots.text() + snapshots.messages())
        .isEqualTo(ExitCodes.UNDECIDED);
    assertThat(snapshots.text()).contains("shows how much is written");
    assertThat(CommandRun.of(line(pairs, "same-distinct")).exitCode()).isEqualTo(ExitCodes.DATA);
  }

  private static String[] line(String[] options, String... more) {
    List<String> line = new ArrayList<>(List.of("audit"));
    line.addAll(List.of(options));
    line.addAll(List.of(more));
    return line.toArray(String[]::new);
  }

  @Test
  void aTraceIsReplayed() {
    CommandRun replay =
        CommandRun.of(
            "replay",
            "seq-1g",
            "--scheme",
            "detwo",
            "--blocks",
            "2^12",
            "--fold",
            "--limit",
            "100",
            "--verify");
    assertThat(replay.exitCode()).as(replay.text() + replay.messages()).isZero();
    CommandRun refused =
        CommandRun.of(
            "replay", "seq-1g", "--scheme", "detwo", "--blocks", "2^12", "--fold", "--no-payload");
    assertThat(refused.messages()).contains("detwo has no form without payload");
  }
}
