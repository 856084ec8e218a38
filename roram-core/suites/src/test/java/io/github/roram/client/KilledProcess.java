package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process that is killed at some moment of its work. */
final class KilledProcess {

  private KilledProcess() {}

  /**
   * Starts a program, kills it at most 0.1 s after it has said so many lines, and returns all that
   * it said.
   *
   * @param directory for what it says of errors
   */
  static List<String> said(
      Class<?> main, List<String> arguments, int lines, Path directory, Random random)
      throws Exception {
    Path errors = directory.resolve("errors");
    Process process = JavaProcess.of(main, arguments).redirectError(errors.toFile()).start();
    List<String> said = new ArrayList<>();
    try (BufferedReader output = process.inputReader()) {
      for (int i = 0; i < lines; i++) {
        String line = output.readLine();
        said.add(Objects.requireNonNull(line, () -> "it ended by itself: " + content(errors)));
      }
      LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(100)));
      // Not Process.destroyForcibly, which throws away what the pipe still holds.
      process.toHandle().destroyForcibly();
      output.lines().forEach(said::add);
    }
    assertThat(process.waitFor()).isEqualTo(128 + 9);
    return said;
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
