package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.roram.storage.remote.protocol.ExtentsDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.Hello;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The server as an operator runs it, and stores on it as a user does. */
@DisabledOnOs(OS.WINDOWS) // there, ending a process runs no shutdown hook
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class ServerCommandTest {

  private static final int DATA_BYTES = 100_000;

  @TempDir Path directory;

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  /** Writes settings with certificates, and makes these. */
  private String settings(String more) throws IOException {
    CommandRun made =
        CommandRun.of("server", "init-certs", "--dir", path("certs"), "--client", "alice");
    assertThat(made.exitCode()).as(made.messages()).isZero();
    Files.writeString(
        directory.resolve("server.toml"),
        """
        listen = "127.0.0.1:0"
        directory = "data"
        %s
        [tls]
        ca = "certs/ca.crt"
        certificate = "certs/server.crt"
        key = "certs/server.key"
        [volumes.vault]
        identities = ["alice"]
        [log]
        format = "json"
        """
            .formatted(more));
    return path("server.toml");
  }

  private CommandRun asAlice(String command, String store, String... options) {
    String[] line = {
      command,
      store,
      "--key-file",
      path("key"),
      "--state-dir",
      path("state"),
      "--ca",
      path("certs/ca.crt"),
      "--client-cert",
      path("certs/alice.crt"),
      "--client-key",
      path("certs/alice.key"),
      "--retry-seconds",
      "20"
    };
    String[] all = Arrays.copyOf(line, line.length + options.length);
    System.arraycopy(options, 0, all, line.length, options.length);
    return CommandRun.of(all);
  }

  private static void assertDone(CommandRun run) {
    assertThat(run.exitCode()).as(run.messages()).isZero();
  }

  @Tag("gate")
  @Test
  void storeOverTlsOutlivesTheServer() throws Exception {
    String config = settings("metrics = \"127.0.0.1:0\"");
    byte[] data = new byte[DATA_BYTES];
    new Random(1).nextBytes(data);
    Path in = Files.write(directory.resolve("in"), data);
    Path log = directory.resolve("log");
    try (ServerProcess server = ServerProcess.start(log, "--config", config)) {
      String store = server.uri() + "/vault";
      assertThat(store).startsWith("tls://127.0.0.1:");
      String metrics = server.line().replace("Metrics at ", "");
      assertDone(asAlice("create", store, "--blocks", "64", "--max-range", "16", "--new-key"));
      assertDone(asAlice("import", store, "--in", in.toString()));
      assertDone(asAlice("verify", store));
      assertThat(scrape(metrics)).contains("volume=\"vault\"").contains("type=\"write\"");
      assertThat(server.terminate()).isZero();
    }
    List<String> events = Files.readAllLines(log);
    assertThat(events).hasSizeGreaterThanOrEqualTo(4);
    for (String event : events) {
      JsonNode json = new ObjectMapper().readTree(event);
      assertThat(json.get("level").asText()).as(event).isEqualTo("INFO");
    }
    assertThat(Files.readString(log)).contains("server started", "server drains", "server ended");
    try (ServerProcess server = ServerProcess.start(log, "--config", config)) {
      // The state directory goes with the volume wherever its server is.
      String store = server.uri() + "/vault";
      CommandRun read = asAlice("export", store, "--out", path("out"), "--length", "" + DATA_BYTES);
      assertDone(read);
      assertThat(directory.resolve("out")).hasBinaryContent(data);
      CommandRun denied = asAlice("create", server.uri() + "/other", "--blocks", "64");
      assertThat(denied.exitCode()).isEqualTo(ExitCodes.FAILURE);
      assertThat(denied.messages()).contains("no access to this volume");
      assertThat(server.terminate()).isZero();
    }
  }

  private static String scrape(String uri) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void plainServerOnLoopbackNeedsNoCertificates() throws Exception {
    Path log = directory.resolve("log");
    try (ServerProcess server =
        ServerProcess.start(log, "--dir", path("data"), "--listen", "localhost:0")) {
      String store = server.uri() + "/vault";
      assertThat(store).startsWith("tcp://localhost:");
      String[] key = {"--key-file", path("key"), "--state-dir", path("state")};
      assertDone(
          CommandRun.of(
              "create", store, "--blocks", "64", "--new-key", key[0], key[1], key[2], key[3]));
      CommandRun info = CommandRun.of("info", store, key[0], key[1], key[2], key[3]);
      assertDone(info);
      assertThat(info.text()).contains("closed cleanly");
      CommandRun again = CommandRun.of("create", store, "--blocks", "64", key[2], key[3]);
      assertThat(again.exitCode()).isEqualTo(ExitCodes.USAGE);
      assertThat(again.messages()).contains("holds a store already");
      assertThat(server.terminate()).isZero();
    }
    assertThat(Files.readString(log)).contains("INFO", "server ended");
  }

  /** A client has begun a write, and sends no more. */
  @Test
  void endsWithOneIfRequestsWereNotFinished() throws Exception {
    Files.writeString(
        directory.resolve("server.toml"),
        """
        listen = "127.0.0.1:0"
        directory = "data"
        anonymous = true
        [volumes.vault]
        identities = ["*"]
        [timeouts]
        drain-seconds = 1
        """);
    Path log = directory.resolve("log");
    try (ServerProcess server = ServerProcess.start(log, "--config", path("server.toml"));
        Socket client =
            new Socket(InetAddress.getLoopbackAddress(), URI.create(server.uri()).getPort())) {
      beginWrite(client);
      assertThat(server.terminate()).isEqualTo(ExitCodes.FAILURE);
    }
    assertThat(Files.readString(log)).contains("1 requests were not finished", "server ended");
  }

  /** Returns once the server knows of the write: it answers the ping behind it. */
  private static void beginWrite(Socket client) throws IOException {
    ByteBuf hello = Unpooled.buffer();
    new Hello(FrameDescriptor.VERSION, FrameDescriptor.VERSION, 1 << 20, new byte[0]).encode(hello);
    ByteBuf extents = Unpooled.buffer();
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, 0, 1);
    batch.add(0, 1);
    ExtentsDescriptor.encode(batch, extents.writeZero(BlockStore.WATERMARK_BYTES));
    ByteBuf all =
        Unpooled.wrappedBuffer(
            frame(FrameType.HELLO, 1, hello),
            frame(FrameType.WRITE, 2, extents),
            frame(FrameType.PING, 3, Unpooled.EMPTY_BUFFER));
    all.readBytes(client.getOutputStream(), all.readableBytes());
    int welcomeBytes = 26;
    assertThat(client.getInputStream().readNBytes(2 * FrameDescriptor.BYTES + welcomeBytes))
        .hasSize(2 * FrameDescriptor.BYTES + welcomeBytes);
  }

  private static ByteBuf frame(FrameType type, long id, ByteBuf payload) {
    return FrameDescriptor.frame(UnpooledByteBufAllocator.DEFAULT, type, 0, id, payload);
  }

  @Test
  void checkSaysWhatIsWrongAndStartsNothing() throws IOException {
    String config = settings("");
    CommandRun right = CommandRun.of("server", "--config", config, "--check");
    assertThat(right.exitCode()).as(right.messages()).isZero();
    assertThat(right.messages()).contains("server.toml is right");
    Files.writeString(Path.of(config), Files.readString(Path.of(config)).replace("vault", "V"));
    CommandRun wrong = CommandRun.of("server", "--config", config, "--check");
    assertThat(wrong.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(wrong.messages()).contains("server.toml:8: volumes.V: volume is \"V\"");
    Files.delete(directory.resolve("certs/server.key"));
    settingsAreMissingAKey(config);
    assertThat(directory.resolve("data")).doesNotExist();
  }

  private static void settingsAreMissingAKey(String config) throws IOException {
    Files.writeString(Path.of(config), Files.readString(Path.of(config)).replace("es.V", "es.v"));
    CommandRun run = CommandRun.of("server", "--config", config, "--check");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILURE);
    assertThat(run.messages()).contains("server.key", "there is no such file");
  }

  @Test
  void refusesToServeEveryone() {
    CommandRun run = CommandRun.of("server", "--dir", path("data"), "--listen", "0.0.0.0:0");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.messages()).contains("0.0.0.0:0", "off loopback", "init-certs");
    assertThat(directory.resolve("data")).doesNotExist();
  }

  @Test
  void commandLineIsExplained() {
    assertThat(CommandRun.of("server").messages()).contains("--config FILE, or --dir and --listen");
    assertThat(CommandRun.of("server", "--check").messages()).contains("--check needs --config");
    CommandRun both = CommandRun.of("server", "--config", "x", "--dir", "y");
    assertThat(both.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(CommandRun.of("server", "--dir", "x", "--listen", "7420").messages())
        .contains("\"7420\"", "HOST:PORT");
  }

  @Test
  void certificatesAreMadeOnce() throws IOException {
    String[] command = {"server", "init-certs", "--dir", path("certs"), "--client", "alice"};
    assertDone(CommandRun.of(command));
    CommandRun again = CommandRun.of(command);
    assertThat(again.exitCode()).isEqualTo(ExitCodes.FAILURE);
    assertThat(again.messages()).contains("alice.key", "not overwritten");
    CommandRun nothing = CommandRun.of("server", "init-certs", "--dir", path("certs"));
    assertThat(nothing.exitCode()).isEqualTo(ExitCodes.USAGE);
    CommandRun more =
        CommandRun.of("server", "init-certs", "--dir", path("certs"), "--client", "bob");
    assertDone(more);
    assertThat(more.messages().lines()).hasSize(2);
  }

  @Test
  void tokenIsWrittenForItsOwnerAlone() throws IOException {
    String[] command = {
      "server", "add-token", "--tokens", path("tokens"), "--client", "alice", "--out", path("t")
    };
    assertDone(CommandRun.of(command));
    Path token = directory.resolve("t");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
        .isEqualTo("rw-------");
    assertThat(Files.readString(directory.resolve("tokens")))
        .startsWith("alice sha256:")
        .doesNotContain(Files.readString(token).strip());
    CommandRun again = CommandRun.of(command);
    assertThat(again.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(Files.readAllLines(directory.resolve("tokens"))).hasSize(1);
  }

  @Test
  void tokenAndItsLineAreThereOrNeither() {
    assertThat(addToken("tokens", "missing/t").exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(addToken("missing/tokens", "t").exitCode()).isEqualTo(ExitCodes.FAILURE);
    assertThat(directory).isEmptyDirectory();
  }

  private CommandRun addToken(String tokens, String out) {
    return CommandRun.of(
        "server", "add-token", "--tokens", path(tokens), "--client", "alice", "--out", path(out));
  }
}
