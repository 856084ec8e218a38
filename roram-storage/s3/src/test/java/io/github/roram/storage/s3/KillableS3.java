package io.github.roram.storage.s3;

import io.github.roram.testkit.JavaProcess;
import io.github.roram.testkit.Ports;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;

/** A server of S3 in a process of its own, killed and started again at the same port. */
@NullUnmarked // started, killed and started again
final class KillableS3 implements AutoCloseable {

  private static final int ATTEMPTS = 2400;
  private static final int MOST_PORTS = 5;

  private final IntFunction<List<String>> command;
  private int port;
  private Process process;

  /** Starts one at another port where it cannot have the one before. */
  private KillableS3(IntFunction<List<String>> command) throws IOException, InterruptedException {
    this.command = command;
    for (int ports = 1; ; ports++) {
      port = Ports.free(1);
      try {
        start();
        return;
      } catch (IOException e) {
        boolean ended = !process.isAlive();
        close();
        if (!ended || ports == MOST_PORTS) {
          throw e;
        }
      }
    }
  }

  /** S3Proxy, on files of a directory. */
  static KillableS3 proxy(Path directory) throws IOException, InterruptedException {
    return new KillableS3(
        port ->
            JavaProcess.of(
                    InProcess.Main.class,
                    List.of(directory.toAbsolutePath().toString(), Integer.toString(port)))
                .command());
  }

  /** Where versitygw is: as VERSITYGW says, or on the path; empty if it is nowhere. */
  static Optional<Path> versityProgram() {
    String named = System.getenv("VERSITYGW");
    if (named != null) {
      return Optional.of(Path.of(named));
    }
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(directory -> Path.of(directory, "versitygw"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** versitygw, on files of a directory. */
  static KillableS3 versity(Path program, Path directory) throws IOException, InterruptedException {
    return new KillableS3(
        port ->
            List.of(
                program.toString(),
                "--access",
                S3Server.ACCESS_KEY,
                "--secret",
                S3Server.SECRET_KEY,
                "--port",
                "127.0.0.1:" + port,
                "--quiet",
                "posix",
                directory.toString()));
  }

  /** S3Mock, of its jar that has all in it. */
  static KillableS3 mock(Path jar, Path directory) throws IOException, InterruptedException {
    return new KillableS3(
        port ->
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dserver.port=" + Ports.free(1),
                "-Dcom.adobe.testing.s3mock.httpPort=" + port,
                "-Dhttp.port=" + port,
                "-Dserver.address=127.0.0.1",
                "-Djava.io.tmpdir=" + directory,
                "-jar",
                jar.toString()));
  }

  S3Server server() {
    return S3Server.at(port);
  }

  /** Returns once the server takes connections. */
  void start() throws IOException, InterruptedException {
    List<String> program = command.apply(port);
    process =
        new ProcessBuilder(program)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    for (int i = 0; i < ATTEMPTS && process.isAlive(); i++) {
      try {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        return;
      } catch (ConnectException e) {
        Thread.sleep(50);
      }
    }
    throw new IOException("no server came up by " + program);
  }

  /** As SIGKILL does. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
