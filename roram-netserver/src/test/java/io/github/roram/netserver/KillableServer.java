package io.github.roram.netserver;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.NullUnmarked;

/** A server in a process of its own, killed and started again at the same port. */
@NullUnmarked // started, killed and started again
final class KillableServer {

  private final Path directory;
  private int port;
  private Process process;

  /** A server of the volumes of a directory. */
  KillableServer(Path directory) throws IOException {
    this.directory = directory;
    start();
  }

  int port() {
    return port;
  }

  void start() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                ServerProcessMain.class.getName(),
                directory.toString(),
                Integer.toString(port))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader said = process.inputReader();
    port = Integer.parseInt(said.readLine());
  }

  /** As SIGKILL does. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }
}
