package io.github.roram.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The map command, as a user has it. */
final class MapCommandTest {

  @TempDir Path directory;

  private CommandRun run(int exitCode, String command, String... arguments) {
    String[] all = new String[arguments.length + 4];
    all[0] = command;
    all[1] = "file:" + directory.resolve("store");
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    all[all.length - 2] = "--key-file";
    all[all.length - 1] = directory.resolve("key").toString();
    CommandRun run = CommandRun.of(all);
    assertThat(run.exitCode()).as(run.messages()).isEqualTo(exitCode);
    return run;
  }

  private void createStore() {
    run(ExitCodes.OK, "create", "--blocks", "200", "--block-size", "4K", "--new-key");
  }

  @Test
  void whatIsPutIsGot() {
    createStore();
    assertThat(run(ExitCodes.USAGE, "map", "get", "alice").messages()).contains("no map");
    run(ExitCodes.OK, "map", "create", "--value-bytes", "20");
    run(ExitCodes.OK, "map", "put", "alice", "42");
    assertThat(run(ExitCodes.OK, "map", "get", "alice").text().strip()).isEqualTo("42");
    run(ExitCodes.OK, "map", "remove", "alice");
    assertThat(run(ExitCodes.FAILURE, "map", "get", "alice").messages()).contains("no key alice");
    assertThat(run(ExitCodes.USAGE, "map", "put", "alice", "x".repeat(21)).messages())
        .contains("21 bytes");
    assertThat(run(ExitCodes.USAGE, "map", "put", "alice").messages()).contains("put takes");
    assertThat(run(ExitCodes.USAGE, "map", "scan", "a").messages()).contains("--sorted");
    assertThat(run(ExitCodes.USAGE, "map", "create").messages()).contains("not empty");
  }

  @Test
  void aSortedMapIsScanned() {
    createStore();
    run(ExitCodes.OK, "map", "create", "--sorted", "--value-bytes", "20");
    run(ExitCodes.OK, "map", "put", "b", "2");
    run(ExitCodes.OK, "map", "put", "a", "1");
    run(ExitCodes.OK, "map", "put", "c", "3");
    assertThat(run(ExitCodes.OK, "map", "scan", "b").text().lines())
        .containsExactly("b = 2", "c = 3");
  }

  @Test
  void aMapIsServedToClientsOfRedis() throws Exception {
    createStore();
    run(ExitCodes.OK, "map", "create");
    assertThat(run(ExitCodes.USAGE, "map", "serve").messages()).contains("--listen HOST:PORT");
    List<String> serve =
        List.of(
            "map",
            "file:" + directory.resolve("store"),
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--anyone-on-this-machine",
            "--key-file",
            directory.resolve("key").toString());
    try (ServerProcess server = ServerProcess.startCommand(directory.resolve("errors"), serve)) {
      URI uri = URI.create(server.uri());
      assertThat(uri.getScheme()).isEqualTo("redis");
      try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
        socket.getOutputStream().write("set alice 41\r\nincr alice\r\nquit\r\n".getBytes(UTF_8));
        assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
            .isEqualTo("+OK\r\n:42\r\n+OK\r\n");
      }
      assertThat(server.terminate()).isZero();
    }
    assertThat(run(ExitCodes.OK, "map", "get", "alice").text().strip()).isEqualTo("42");
  }
}
