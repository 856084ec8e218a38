package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process that is asked to end leaves a store that opens, and no temporary files. */
@DisabledOnOs(OS.WINDOWS) // there, ending a process runs no shutdown hook
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class InterruptionTest {

  private static final int TERMINATED = 128 + 15;

  /** More than a pipe and the reader's buffers hold, so that some must have been taken out. */
  private static final int SENT_BYTES = 1 << 20;

  @TempDir Path directory;

  private Process start(String... arguments) throws IOException {
    return JavaProcess.of(RoramCommand.class, List.of(arguments)).start();
  }

  /** All lines but those of how far a task is, which come where it takes ten seconds. */
  private static Stream<String> withoutProgress(BufferedReader errors, String task) {
    return errors.lines().filter(line -> !line.startsWith(task + ": "));
  }

  @Test
  void interruptedWriteKeepsTheStoreWhole() throws Exception {
    String store = "file:" + directory.resolve("store");
    String key = directory.resolve("key").toString();
    assertThat(
            CommandRun.of("create", store, "--blocks", "1K", "--key-file", key, "--new-key")
                .exitCode())
        .isZero();
    byte[] data = new byte[SENT_BYTES];
    new Random(1).nextBytes(data);
    Process process = start("write", store, "--offset", "0", "--in", "-", "--key-file", key);
    try (OutputStream input = process.getOutputStream()) {
      input.write(data);
      input.flush();
      process.toHandle().destroy(); // Process.destroy closes the streams too
      assertThat(process.waitFor()).isEqualTo(TERMINATED);
    }
    assertThat(withoutProgress(process.errorReader(), "write"))
        .containsExactly("roram: interrupted; " + store + " is closed and its state is saved");
    CommandRun read =
        CommandRun.of(
            "read", store, "--offset", "0", "--length", "1M", "--out", "-", "--key-file", key);
    assertThat(read.exitCode()).describedAs(read.messages()).isZero();
    // Each block is as it was sent, or as it was before.
    for (int block = 0; block < SENT_BYTES; block += 4096) {
      byte[] actual = Arrays.copyOfRange(read.output(), block, block + 4096);
      assertThat(actual).isIn(Arrays.copyOfRange(data, block, block + 4096), new byte[4096]);
    }
  }

  /** Begins to watch for its end only when it is ending. */
  static final class WatchesTooLate {
    private WatchesTooLate() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) {
      Runnable install =
          () -> {
            FailureHandler handler = new FailureHandler(Environment.ofProcess(), () -> false);
            try {
              StopSignal.install().close();
            } catch (RuntimeException e) {
              System.out.println("exit code " + handler.handle(e));
            }
          };
      Runtime.getRuntime().addShutdownHook(new Thread(install, "late"));
    }
  }

  @Test
  void aCommandAskedToEndAsItBeginsFailsWithoutAnUnexpectedError() throws Exception {
    Process process = JavaProcess.of(WatchesTooLate.class, List.of()).start();
    assertThat(process.inputReader().lines()).containsExactly("exit code 1");
    assertThat(process.errorReader().lines()).isEmpty();
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void interruptedReplayRemovesItsStore() throws Exception {
    Path scratch = directory.resolve("scratch");
    Process process =
        start(
            "replay",
            "seq-1g",
            "--blocks",
            "2^12",
            "--fold",
            "--no-fill",
            "--store",
            "file:" + scratch);
    try (BufferedReader messages = process.errorReader(StandardCharsets.UTF_8)) {
      assertThat(messages.readLine()).isEqualTo("roram: seq-1g");
      assertThat(Files.exists(scratch)).isTrue();
      process.toHandle().destroy(); // Process.destroy closes the streams too
      assertThat(process.waitFor()).isEqualTo(TERMINATED);
      assertThat(withoutProgress(messages, "seq-1g")).isEmpty();
    }
    assertThat(scratch).doesNotExist();
  }
}
