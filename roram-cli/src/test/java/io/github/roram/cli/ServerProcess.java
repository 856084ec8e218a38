package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code roram server} in a process of its own, as an operator runs it. */
final class ServerProcess implements AutoCloseable {

  private static final String LISTENING = "Listening at ";

  private final Process process;
  private final BufferedReader output;
  private final String uri;

  private ServerProcess(Process process, BufferedReader output, String uri) {
    this.process = process;
    this.output = output;
    this.uri = uri;
  }

  /** Starts one and waits until it listens. */
  static ServerProcess start(Path errors, String... options) throws IOException {
    return startCommand(errors, Stream.concat(Stream.of("server"), Stream.of(options)).toList());
  }

  /** Starts another command that listens, and waits until it does. */
  static ServerProcess startCommand(Path errors, List<String> arguments) throws IOException {
    Process process = builder(arguments).redirectError(errors.toFile()).start();
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    String line = output.readLine();
    if (line == null || !line.startsWith(LISTENING)) {
      process.destroyForcibly();
      throw new IOException("server did not start: " + line + "; see " + errors);
    }
    return new ServerProcess(process, output, line.substring(LISTENING.length()));
  }

  /** A command in a process of its own, which is not started. */
  static ProcessBuilder builder(List<String> arguments) {
    return JavaProcess.of(RoramCommand.class, arguments);
  }

  /** What comes before a volume's name and a slash. */
  String uri() {
    return uri;
  }

  /** The next line that it prints. */
  String line() throws IOException {
    return String.valueOf(output.readLine());
  }

  /** Sends SIGTERM and returns the exit code. */
  int terminate() throws InterruptedException {
    process.toHandle().destroy();
    return awaitEnd();
  }

  /** Waits for its end, and returns the exit code. */
  int awaitEnd() throws InterruptedException {
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
