package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.storage.view.Action;
import io.github.roram.storage.view.Observer;
import io.github.roram.storage.view.Sight;
import io.github.roram.storage.view.View;
import io.github.roram.storage.view.ViewReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code --record} writes what observers see of a command. */
final class RecordCommandTest {

  @TempDir Path directory;

  private String store;
  private String key;
  private Path view;

  @BeforeEach
  void createStore() {
    store = "file:" + directory.resolve("store");
    key = directory.resolve("key").toString();
    view = directory.resolve("view");
    assertThat(
            CommandRun.of(
                    "create",
                    store,
                    "--blocks",
                    "300",
                    "--block-size",
                    "1K",
                    "--max-range",
                    "16",
                    "--treetop",
                    "0",
                    "--key-file",
                    key,
                    "--new-key")
                .exitCode())
        .isEqualTo(ExitCodes.OK);
  }

  private List<Sight> recorded(String command, String... options) throws IOException {
    String[] all = new String[6 + options.length];
    all[0] = command;
    all[1] = store;
    all[2] = "--key-file";
    all[3] = key;
    all[4] = "--record";
    all[5] = view.toString();
    System.arraycopy(options, 0, all, 6, options.length);
    CommandRun run = CommandRun.of(all);
    assertThat(run.exitCode()).as(run.messages()).isEqualTo(ExitCodes.OK);
    View read = ViewReader.read(view);
    assertThat(read.config().blocks()).isEqualTo(300);
    return read.sights();
  }

  private static List<Long> declared(List<Sight> sights, Action action) {
    return sights.stream()
        .filter(sight -> sight.observer() == Observer.DECLARED && sight.action() == action)
        .map(Sight::bytes)
        .toList();
  }

  @Test
  void aReadIsSeenFromTheOpeningToTheClosing() throws IOException {
    String out = directory.resolve("out").toString();
    List<Sight> sights = recorded("read", "--offset", "500", "--length", "20K", "--out", out);
    // Up to the end of the first longest range, and the rest.
    assertThat(declared(sights, Action.ACCESS)).containsExactly(16L, 8L);
    assertThat(sights.get(0).action()).isEqualTo(Action.OPEN);
    assertThat(sights.get(sights.size() - 1).action()).isEqualTo(Action.CLOSE);
    assertThat(sights)
        .anyMatch(sight -> sight.name().equals("state") && sight.action() == Action.SAVE)
        .anyMatch(sight -> sight.name().startsWith("journal-") && sight.action() == Action.APPEND);
  }

  @Test
  void anOlderRecordingStaysUntilThereIsAnother() throws IOException {
    String out = directory.resolve("out").toString();
    List<Sight> sights = recorded("read", "--offset", "0", "--length", "1K", "--out", out);
    String missing = directory.resolve("missing").toString();
    CommandRun refused =
        CommandRun.of(
            "read",
            store,
            "--key-file",
            key,
            "--rollback-guard",
            missing,
            "--record",
            view.toString(),
            "--offset",
            "0",
            "--length",
            "1K",
            "--out",
            out,
            "--force");
    assertThat(refused.exitCode()).as(refused.messages()).isEqualTo(ExitCodes.FAILURE);
    assertThat(ViewReader.read(view).sights()).isEqualTo(sights);
    assertThat(directory).isDirectoryNotContaining("glob:**.part");
  }

  @Test
  void aWriteAndAnImportAreSeen() throws IOException {
    Path data = Files.write(directory.resolve("data"), new byte[20_000]);
    List<Sight> loaded = recorded("import", "--in", data.toString());
    assertThat(declared(loaded, Action.BULK_LOAD)).containsExactly(20_000L);
    assertThat(declared(loaded, Action.ACCESS)).isEmpty();
    List<Sight> written = recorded("write", "--offset", "0", "--in", data.toString());
    assertThat(declared(written, Action.ACCESS)).containsExactly(16L, 4L);
    String out = directory.resolve("out").toString();
    assertThat(declared(recorded("export", "--length", "1K", "--out", out), Action.ACCESS))
        .containsExactly(1L);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whatFailsToCloseIsNotCalledInterruptedAndSaved() throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("write", store, "--offset", "0", "--in", "-"));
    line.addAll(List.of("--key-file", key, "--record", "/dev/full"));
    Process process = ServerProcess.builder(line).start();
    process.getOutputStream().close();
    String messages = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isEqualTo(ExitCodes.FAILURE);
    assertThat(messages).contains("No space left").doesNotContain("interrupted", "saved");
  }
}
