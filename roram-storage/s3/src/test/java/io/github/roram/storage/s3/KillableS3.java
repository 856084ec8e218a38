package io.github.roram.storage.s3;

import io.github.roram.testkit.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;

/** A server of S3 in a process of its own, killed and started again at the same port. */
@NullUnmarked // started, killed and started again
final class KillableS3 implements AutoCloseable {

  private static final int ATTEMPTS = 600;

  private final List<String> command;
  private final int port;
  private Process process;

  private KillableS3(int port, List<String> command) throws IOException, InterruptedException {
    this.port = port;
    this.command = command;
    start();
  }

  /** S3Proxy, on files of a directory. */
  static KillableS3 proxy(Path directory) throws IOException, InterruptedException {
    int port = freePort();
    return new KillableS3(
        port,
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
    int port = freePort();
    return new KillableS3(
        port,
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
    int port = freePort();
    return new KillableS3(
        port,
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dserver.port=" + freePort(),
            "-Dcom.adobe.testing.s3mock.httpPort=" + port,
            "-Dhttp.port=" + port,
            "-Dserver.address=127.0.0.1",
            "-Djava.io.tmpdir=" + directory,
            "-jar",
            jar.toString()));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  S3Server server() {
    return S3Server.at(port);
  }

  /** Returns once the server takes connections. */
  void start() throws IOException, InterruptedException {
    process =
        new ProcessBuilder(command)
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
    throw new IOException("no server came up by " + command);
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
