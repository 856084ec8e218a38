package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code roram nbd} as people run it; the protocol has its tests in roram-nbd. */
final class NbdCommandTest {

  @TempDir Path directory;
  private static final String LOCAL = "--anyone-on-this-machine";

  private Path sockets;

  @BeforeEach
  void makeSocketDirectory() throws IOException {
    sockets = Files.createTempDirectory("nbd");
  }

  @AfterEach
  void deleteSocketDirectory() throws IOException {
    Files.deleteIfExists(sockets.resolve("s"));
    Files.deleteIfExists(sockets);
  }

  private Path errors() {
    return directory.resolve("errors");
  }

  private static ByteBuffer exchange(SocketChannel client, ByteBuffer out, int bytes)
      throws IOException {
    while (out.hasRemaining()) {
      client.write(out);
    }
    ByteBuffer in = ByteBuffer.allocate(bytes);
    while (in.hasRemaining() && client.read(in) >= 0) {}
    return in.flip();
  }

  private static ByteBuffer request(int command, int length) {
    return ByteBuffer.allocate(28 + (command == 1 ? length : 0))
        .putInt(0x25609513)
        .putShort((short) 0)
        .putShort((short) command)
        .putLong(7)
        .putLong(1000)
        .putInt(length);
  }

  /** A write that was answered is there after SIGTERM, without a flush. */
  @Test
  void servesUntilItIsAskedToEnd() throws Exception {
    TestStore store = TestStore.create(directory);
    Path socket = sockets.resolve("s");
    try (ServerProcess server =
        ServerProcess.startCommand(
            errors(),
            List.of(
                "nbd",
                store.uri(),
                "--key-file",
                store.keyFile().toString(),
                "--socket",
                socket.toString()))) {
      assertThat(server.uri()).isEqualTo("nbd+unix:///?socket=" + socket);
      try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        client.connect(UnixDomainSocketAddress.of(socket));
        exchange(client, ByteBuffer.allocate(0), 18);
        ByteBuffer chosen = ByteBuffer.allocate(20).putInt(3);
        chosen.put("IHAVEOPT".getBytes(StandardCharsets.US_ASCII)).putInt(1).putInt(0);
        assertThat(exchange(client, chosen.flip(), 10).getLong()).isEqualTo(300 * 1024);
        ByteBuffer write = request(1, 3).put(new byte[] {1, 2, 3}).flip();
        assertThat(exchange(client, write, 16).getInt(4)).isZero();
        assertThat(server.terminate()).as(Files.readString(errors())).isZero();
      }
      assertThat(socket).doesNotExist();
    }
    assertThat(store.read(999, 5)).containsExactly(0, 1, 2, 3, 0);
  }

  @Test
  void severalStoresFromASettingsFile() throws Exception {
    TestStore store = TestStore.create(directory);
    Files.createDirectories(directory.resolve("b"));
    TestStore other = TestStore.create(directory.resolve("b"));
    Path settings =
        Files.writeString(
            directory.resolve("nbd.toml"),
            """
            socket = "%s"
            [exports.zebra]
            store = "%s"
            key-file = "key"
            [exports.ant]
            store = "%s"
            key-file = "b/key"
            class = 2
            read-only = true
            durability = "sync"
            [exports.ant.parameters]
            stashLimitBlocks = 5000
            """
                .formatted(sockets.resolve("s"), store.uri(), other.uri()));
    try (ServerProcess server =
        ServerProcess.startCommand(errors(), List.of("nbd", "--config", settings.toString()))) {
      if (Files.isExecutable(Path.of("/usr/bin/nbdinfo"))) {
        String list = run("nbdinfo", "--list", server.uri());
        assertThat(list).contains("export=\"zebra\"", "export=\"ant\"");
        assertThat(run("nbdinfo", server.uri().replace("///", "///ant")))
            .contains("is_read_only: true", "block_size_maximum: 4096");
      }
      assertThat(server.terminate()).isZero();
    }
  }

  private static String run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }

  @Test
  void overTlsWithACertificate() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/nbdinfo"))
            && Files.isExecutable(Path.of("/usr/bin/openssl")),
        "SKIPPED: there is no nbdinfo or openssl; apt-get install libnbd-bin openssl");
    TestStore store = TestStore.create(directory);
    Path certs = directory.resolve("certs");
    assertThat(
            CommandRun.of("server", "init-certs", "--dir", certs.toString(), "--client", "me")
                .exitCode())
        .isZero();
    Path mine = Files.createDirectory(directory.resolve("mine"));
    Files.copy(certs.resolve("ca.crt"), mine.resolve("ca-cert.pem"));
    Files.copy(certs.resolve("me.crt"), mine.resolve("client-cert.pem"));
    // GnuTLS wants the public key in it, too.
    run(
        "openssl",
        "ec",
        "-in",
        certs.resolve("me.key").toString(),
        "-out",
        mine.resolve("client-key.pem").toString());
    try (ServerProcess server =
        ServerProcess.startCommand(
            errors(),
            List.of(
                "nbd",
                store.uri(),
                "--key-file",
                store.keyFile().toString(),
                "--listen",
                "127.0.0.1:0",
                "--tls",
                certs.toString()))) {
      String uri = server.uri().replace("127.0.0.1", "localhost");
      assertThat(run("nbdinfo", uri + "/?tls-certificates=" + mine))
          .contains("with TLS", "export-size: 307200");
      Process clear =
          new ProcessBuilder("nbdinfo", uri.replace("nbds:", "nbd:"))
              .redirectErrorStream(true)
              .start();
      String said = new String(clear.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(clear.waitFor()).as(said).isNotZero();
      assertThat(server.terminate()).isZero();
    }
  }

  /** A scheme without a journal has no flush: it is served without one, and a warning says so. */
  @Test
  void pathIsServedWithoutBeingAskedForItsDurability() throws Exception {
    TestStore store = TestStore.create(directory, "--scheme", "path");
    List<String> command =
        List.of(
            "nbd",
            store.uri(),
            "--key-file",
            store.keyFile().toString(),
            "--socket",
            sockets.resolve("s").toString());
    try (ServerProcess server = ServerProcess.startCommand(errors(), command)) {
      assertThat(server.terminate()).isZero();
    }
    assertThat(errors()).content().contains("scheme path is served with durability none");
    CommandRun flush = store.run("nbd", "--listen", "127.0.0.1:0", LOCAL, "--durability", "flush");
    assertThat(flush.exitCode()).isNotZero();
    assertThat(flush.messages()).contains("scheme path has only NONE");
  }

  @Test
  void wrongArgumentsAreRefused() throws IOException {
    TestStore store = TestStore.create(directory);
    CommandRun neither = store.run("nbd");
    assertThat(neither.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(neither.messages()).contains("--socket", "--listen");
    String socket = sockets.resolve("s").toString();
    CommandRun negative = store.run("nbd", "--socket", socket, "--class=-1");
    assertThat(negative.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(negative.messages()).contains("--class is -1");
    CommandRun clear = store.run("nbd", "--listen", "0.0.0.0:0");
    assertThat(clear.exitCode()).isNotZero();
    assertThat(clear.messages()).contains("in the clear");
    CommandRun local = store.run("nbd", "--listen", "127.0.0.1:0");
    assertThat(local.exitCode()).isNotZero();
    assertThat(local.messages()).contains("to every user of this machine", LOCAL);
    assertThat(store.run("nbd", "--socket", sockets.resolve("s").toString(), LOCAL).exitCode())
        .isEqualTo(ExitCodes.USAGE);
    CommandRun tooLong = store.run("nbd", "--listen", "127.0.0.1:0", LOCAL, "--class", "5");
    assertThat(tooLong.messages()).contains("size class is 5", "0 to 4");
    Path settings =
        Files.writeString(
            directory.resolve("nbd.toml"), "socket = \"s\"\n[exports.x]\nstor = \"file:x\"\n");
    CommandRun unknown = CommandRun.of("nbd", "--config", settings.toString());
    assertThat(unknown.messages()).contains("nbd.toml:3: exports.x.stor is unknown here", "store");
    CommandRun both =
        store.run("nbd", "--config", settings.toString(), "-q", "--read-only", "--class", "1");
    assertThat(both.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(both.messages())
        .contains("leave out STORE, ", "--key-file", "--read-only", "--class");
    assertThat(both.messages()).doesNotContain("--quiet");
  }

  @Test
  void whatIsChosenAtEachOpeningIsTheSchemes() throws IOException {
    TestStore store = TestStore.create(directory);
    assertThat(store.run("nbd", "--listen", "127.0.0.1:0", LOCAL, "--form", "eager").messages())
        .contains("'form' cannot be chosen when a store of scheme", "stashLimitBlocks");
    String export =
        "listen = \"127.0.0.1:0\"\nanyone-on-this-machine = true\n[exports.x]\nkey-file = \"key\"\nstore = \"%s\"\n"
            .formatted(store.uri());
    Path settings = directory.resolve("nbd.toml");
    Files.writeString(settings, export + "[exports.x.parameters]\nform = \"eager\"\n");
    assertThat(CommandRun.of("nbd", "--config", settings.toString()).messages())
        .contains("'form' cannot be chosen when a store of scheme");
    Files.writeString(settings, export + "adversary = \"nobody\"\n");
    assertThat(CommandRun.of("nbd", "--config", settings.toString()).messages())
        .contains("nbd.toml:6: exports.x.adversary is \"nobody\", must be one of full, snapshots");
  }

  /** What is missing is said before anything is done. */
  @Test
  void mountChecksFirst() {
    TestStore store = TestStore.create(directory);
    CommandRun run =
        CommandRun.of(
            "mount",
            store.uri(),
            directory.resolve("none").toString(),
            "--fs",
            "nofs",
            "--make",
            "--key-file",
            store.keyFile().toString());
    assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(run.messages()).contains("mkfs.nofs", "apt-get install");
  }
}
