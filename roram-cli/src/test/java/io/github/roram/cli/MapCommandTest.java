package io.github.roram.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    createStore("roram");
  }

  private void createStore(String scheme) {
    run(ExitCodes.OK, "create", "--blocks", "200", "--scheme", scheme, "--new-key");
  }

  @Test
  void whatIsPutIsGot() {
    createStore();
    assertThat(run(ExitCodes.USAGE, "map", "get", "alice").messages()).contains("no map");
    run(ExitCodes.OK, "map", "create", "--value-bytes", "20");
    run(ExitCodes.OK, "map", "put", "alice", "42");
    assertThat(run(ExitCodes.OK, "map", "get", "alice").text().strip()).isEqualTo("42");
    // As Java reads what is not in ASCII in the locale C: all such keys would be one.
    assertThat(run(ExitCodes.USAGE, "map", "put", "k\uFFFD\uFFFDse", "x").messages())
        .contains("LC_ALL=C.UTF-8");
    run(ExitCodes.OK, "map", "remove", "alice");
    assertThat(run(ExitCodes.FAILURE, "map", "get", "alice").messages()).contains("no key alice");
    assertThat(run(ExitCodes.USAGE, "map", "put", "alice", "x".repeat(21)).messages())
        .contains("21 bytes");
    assertThat(run(ExitCodes.USAGE, "map", "put", "alice").messages()).contains("put takes");
    assertThat(run(ExitCodes.USAGE, "map", "scan", "a").messages()).contains("--sorted");
    assertThat(run(ExitCodes.USAGE, "map", "create").messages()).contains("not empty");
  }

  /** Maps of before say how many blocks they use once they are opened; a clone need not wait. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCloneOfAnotherSizeHasTheMap(boolean isOld) throws IOException {
    createStore();
    run(ExitCodes.OK, "map", "create", "--value-bytes", "20");
    for (String key : List.of("a", "b", "c", "d", "e")) {
      run(ExitCodes.OK, "map", "put", key, key + key);
    }
    if (isOld) {
      Path zeros = Files.write(directory.resolve("zeros"), new byte[8]);
      run(ExitCodes.OK, "write", "--offset", "56", "--in", zeros.toString());
    }
    String larger = "file:" + directory.resolve("larger");
    String scratch = directory.toString();
    run(ExitCodes.OK, "clone", "--to", larger, "--blocks", "500", "--scratch", scratch);
    String keyFile = directory.resolve("key").toString();
    for (String key : List.of("a", "b", "c", "d", "e")) {
      CommandRun got = CommandRun.of("map", larger, "get", key, "--key-file", keyFile);
      assertThat(got.text().strip()).as(got.messages()).isEqualTo(key + key);
    }
    String smaller = "file:" + directory.resolve("smaller");
    CommandRun refused =
        run(ExitCodes.USAGE, "clone", "--to", smaller, "--blocks", "100", "--scratch", scratch);
    assertThat(refused.messages()).contains("map that uses 200 blocks");
    assertThat(directory.resolve("smaller")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "serve, put k v --rate 50",
    "serve, get k --tokens nope",
    "serve, create --backup /x",
    "create, get k --sorted",
    "create, put k v --value-bytes 9",
    "create, serve --key-bytes 9",
    "scan, create --leaves 4",
    "scan, serve --leaves 4",
  })
  void anOptionOfAnotherActionIsRefused(String of, String line) {
    String message = run(ExitCodes.USAGE, "map", line.split(" ")).messages();
    String option = line.substring(line.indexOf("--")).split(" ")[0];
    assertThat(message).contains(option + " is for " + of + ": leave it out");
  }

  @Test
  void eachThatOpensTheMapChoosesItsDurability() {
    createStore();
    run(ExitCodes.OK, "map", "create", "--durability", "flush", "--in-flight", "1");
    run(ExitCodes.OK, "map", "put", "a", "1", "--durability", "flush");
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

  @ParameterizedTest
  @CsvSource({"20, , 0, 2, 1", "200, --sorted, 1, 4, 2"})
  void aClassThatIsTooSmallForTheMapIsRefused(
      String valueBytes, String kind, String given, String blocks, String least)
      throws IOException {
    createStore();
    String[] create = {"create", "--value-bytes", valueBytes, kind};
    run(ExitCodes.OK, "map", Arrays.copyOf(create, kind == null ? 3 : 4));
    assertThat(serveAtARate(given).messages())
        .contains("--class is " + given, "some of " + blocks + "; give --class " + least + " or");
  }

  @ParameterizedTest
  @ValueSource(strings = {"path-batched", "ring", "tao"})
  void aRateIsRefusedWhereAMapsAccessesLookLikeNoOthers(String scheme) throws IOException {
    createStore(scheme);
    run(ExitCodes.OK, "map", "create");
    assertThat(serveAtARate("3").messages())
        .contains("in scheme " + scheme, "make the map in a store of scheme roram");
  }

  /** Refused. It could not listen: without a refusal it would not end otherwise. */
  private CommandRun serveAtARate(String sizeClass) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String[] serve = {
        "serve", "--anyone-on-this-machine", "--rate", "9", "--class", sizeClass, "--listen", ""
      };
      serve[serve.length - 1] = "127.0.0.1:" + taken.getLocalPort();
      return run(ExitCodes.USAGE, "map", serve);
    }
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
