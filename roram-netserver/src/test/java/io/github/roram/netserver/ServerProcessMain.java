package io.github.roram.netserver;

import io.github.roram.storage.file.FileOptions;
import java.io.IOException;
import java.nio.file.Path;

/** A server in a process of its own, which is there to be killed. */
final class ServerProcessMain {

  private ServerProcessMain() {}

  /** Serves the volumes of a directory on a port until killed. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    FileBacking backing = new FileBacking(Path.of(arguments[0]), FileOptions.defaults());
    int port = Integer.parseInt(arguments[1]);
    try (BlockServer server = BlockServer.start(ServerConfig.loopback(port, backing))) {
      System.out.println(server.address().getPort());
      Thread.sleep(Long.MAX_VALUE);
    }
  }
}
