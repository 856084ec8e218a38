package io.github.roram.netserver;

import io.github.roram.testkit.JavaProcess;
import io.github.roram.testkit.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;

/** A server in a process of its own, killed and started again at the same port. */
@NullUnmarked // started, killed and started again
final class KillableServer {

  private final Path directory;
  private final int port = Ports.free(1);
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
        JavaProcess.of(
                ServerProcessMain.class, List.of(directory.toString(), Integer.toString(port)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (process.inputReader().readLine() == null) {
      throw new IOException("no server came up at port " + port);
    }
  }

  /** As SIGKILL does. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }
}
