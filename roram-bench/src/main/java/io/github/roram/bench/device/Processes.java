package io.github.roram.bench.device;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Programs of other projects. */
final class Processes {

  private Processes() {}

  /** Runs a program that must succeed. */
  static void run(List<String> command) throws IOException {
    try {
      Process process = start(command);
      byte[] said = process.getInputStream().readAllBytes();
      if (process.waitFor() != 0) {
        throw new IOException(command + " failed: " + new String(said, StandardCharsets.UTF_8));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + command.get(0) + " ran", e);
    }
  }

  /** Starts a program; who starts it ends it. */
  static Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
