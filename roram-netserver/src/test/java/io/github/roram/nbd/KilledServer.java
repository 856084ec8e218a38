package io.github.roram.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A server in a process of its own, over a store in files, that is killed and started again. */
final class KilledServer implements Closeable {

  private final Path directory;
  private final boolean overlaps;
  private @Nullable Process process;

  /** On an ORAM whose accesses overlap, or not. */
  KilledServer(boolean overlaps) throws IOException {
    this.overlaps = overlaps;
    // Short: a socket's path has little room.
    directory = Files.createTempDirectory(Path.of("/tmp"), "nbd");
  }

  /** Where its store and its socket are; deleted when this is closed. */
  Path directory() {
    return directory;
  }

  String uri() {
    return "nbd+unix:///?socket=" + directory.resolve("s");
  }

  /** Starts it, on the store that is there or a new one; returns once it listens. */
  Process start() throws IOException {
    Process started =
        JavaProcess.of(
                KilledServerMain.class, List.of(directory.toString(), Boolean.toString(overlaps)))
            .redirectErrorStream(true)
            .start();
    process = started;
    BufferedReader lines = started.inputReader();
    String line = lines.readLine();
    while (line != null && !line.equals("ready")) {
      line = lines.readLine();
    }
    assertThat(line).as("what a server says").isNotNull();
    return started;
  }

  RawClient connect() throws IOException {
    return new RawClient(UnixDomainSocketAddress.of(directory.resolve("s"))).go("", false);
  }

  boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Sends SIGKILL and waits for the end. */
  void kill() throws InterruptedException {
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
