package io.github.roram.nbd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.intake.IntakeLimits;
import io.github.roram.nbd.RawClient.Reply;
import io.github.roram.nbd.TransmissionDescriptor.NbdError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the protocol promises, byte for byte where other clients would not see it; over accesses
 * that overlap, and over threads that make one after another.
 */
@ParameterizedClass
@ValueSource(booleans = {true, false})
final class NbdServerTest {

  private static final int SIZE = 4096 * 4096;

  @Parameter boolean overlaps;

  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start(overlaps);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void anOldClientChoosesByName() throws IOException {
    for (int flags : new int[] {1, 3}) {
      try (RawClient client = server.connect().greet(flags)) {
        client.option(HandshakeDescriptor.OPT_EXPORT_NAME, "disk".getBytes(StandardCharsets.UTF_8));
        ByteBuffer end = client.receive(flags == 1 ? 134 : 10);
        assertThat(end.getLong()).isEqualTo(SIZE);
        assertThat(end.getShort() & TransmissionDescriptor.SEND_DF).isZero();
        assertThat(client.read(0, 4)).isEqualTo(new byte[4]);
      }
    }
    try (RawClient client = server.connect().greet(3)) {
      client.option(HandshakeDescriptor.OPT_EXPORT_NAME, "none".getBytes(StandardCharsets.UTF_8));
      assertThat(client.isClosed()).isTrue();
    }
  }

  /** Who was connected before has the new blocks, too, if it asks for them. */
  @Test
  void aStoreThatHasGrownIsAsLargeToWhoConnectsThen() throws IOException {
    int grown = 9001 * 4096;
    SocketAddress socket = UnixDomainSocketAddress.of(server.socket());
    try (NbdClient before = NbdClient.connect(socket, "disk");
        RawClient old = server.connect().go("disk", false)) {
      assertThat(before.bytes()).isEqualTo(SIZE);
      assertThat(old.write(SIZE - 2, (byte) 1, (byte) 2)).isZero();
      server.oram().grow(9001);
      try (NbdClient after = NbdClient.connect(socket, "disk");
          RawClient client = server.connect().go("disk", false)) {
        assertThat(after.bytes()).isEqualTo(grown);
        assertThat(client.read(SIZE - 2, 4)).isEqualTo(new byte[] {1, 2, 0, 0});
        assertThat(client.write(SIZE - 1, (byte) 3, (byte) 4)).isZero();
        assertThat(client.write(grown - 1, (byte) 5)).isZero();
        assertThat(client.write(grown - 1, (byte) 5, (byte) 6)).isNotZero();
      }
      assertThat(old.read(SIZE - 2, 4)).isEqualTo(new byte[] {1, 3, 4, 0});
      assertThat(old.read(grown - 2, 2)).isEqualTo(new byte[] {0, 5});
    }
  }

  @Test
  void options() throws IOException {
    try (RawClient client = server.connect().greet(3)) {
      client.option(HandshakeDescriptor.OPT_LIST);
      assertThat(client.reply().data()).isEqualTo(HandshakeDescriptor.server("disk"));
      assertThat(client.reply().data()).isEqualTo(HandshakeDescriptor.server("other"));
      assertThat(client.reply().kind()).isEqualTo(HandshakeDescriptor.REP_ACK);
      client.option(HandshakeDescriptor.OPT_LIST, (byte) 1);
      assertThat(client.reply().kind()).isEqualTo(HandshakeDescriptor.REP_ERR_INVALID);
      client.option(HandshakeDescriptor.OPT_STARTTLS);
      assertThat(client.reply().kind()).isEqualTo(HandshakeDescriptor.REP_ERR_UNSUP);
      for (int unknown : new int[] {4, 9, 10, 11, 12345}) {
        client.option(unknown, (byte) 1);
        assertThat(client.reply().kind()).isEqualTo(HandshakeDescriptor.REP_ERR_UNSUP);
      }
      client.option(HandshakeDescriptor.OPT_INFO, RawClient.info("none"));
      assertThat(client.reply().kind()).isEqualTo(HandshakeDescriptor.REP_ERR_UNKNOWN);
      byte[] malformed = RawClient.info("disk", 1);
      malformed[3] = 99;
      client.option(HandshakeDescriptor.OPT_GO, malformed);
      assertThat(client.reply().kind()).isEqualTo(HandshakeDescriptor.REP_ERR_INVALID);
      client.option(HandshakeDescriptor.OPT_INFO, RawClient.info("", 1, 2, 3, 77));
      Set<Integer> kinds = new HashSet<>();
      Reply reply = client.reply();
      for (; reply.kind() == HandshakeDescriptor.REP_INFO; reply = client.reply()) {
        kinds.add((int) ByteBuffer.wrap(reply.data()).getShort());
      }
      assertThat(kinds).containsExactlyInAnyOrder(0, 1, 2, 3);
      assertThat(reply.kind()).isEqualTo(HandshakeDescriptor.REP_ACK);
      client.option(HandshakeDescriptor.OPT_ABORT);
      assertThat(client.reply().kind()).isEqualTo(HandshakeDescriptor.REP_ACK);
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void structuredReads() throws IOException {
    try (RawClient client = server.connect().go("disk", true)) {
      assertThat(client.write(100, (byte) 7, (byte) 8)).isZero();
      client.send(RawClient.request(TransmissionDescriptor.DF, 0, 5, 99, 4));
      assertThat(client.receive(32)).isEqualTo(expected(5, 99, 0, 7, 8, 0));
      client.send(RawClient.request(0, 0, 6, 0, 0));
      assertThat(client.receive(20)).isEqualTo(TransmissionDescriptor.none(6));
      client.send(RawClient.request(0, 0, 7, SIZE, 1));
      assertThat(client.receive(26)).isEqualTo(TransmissionDescriptor.error(7, NbdError.EINVAL));
    }
  }

  private static ByteBuffer expected(long cookie, long offset, int... data) {
    ByteBuffer all = ByteBuffer.allocate(28 + data.length);
    all.put(TransmissionDescriptor.data(cookie, offset, data.length));
    for (int each : data) {
      all.put((byte) each);
    }
    return all.flip();
  }

  /** Else the server would wait for it when it ends. */
  @Test
  void aRequestThatCannotBeginIsAnswered() throws IOException {
    BlockDevice device =
        (BlockDevice)
            Proxy.newProxyInstance(
                BlockDevice.class.getClassLoader(),
                new Class<?>[] {BlockDevice.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("zero")) {
                    throw new OutOfMemoryError("of a test");
                  }
                  return method.invoke(server.device(), arguments);
                });
    Path path = server.socket().resolveSibling("t");
    NbdConfig config =
        new NbdConfig(
            UnixDomainSocketAddress.of(path),
            List.of(new Export("disk", "", false, device)),
            NbdConfig.defaultLimits(),
            null,
            false);
    try (NbdServer other = NbdServer.start(config);
        RawClient client = new RawClient(other.address()).go("disk", false)) {
      assertThat(client.call(0, TransmissionDescriptor.WRITE_ZEROES, 0, 4096))
          .isEqualTo(NbdError.EIO.code());
      assertThat(client.write(0, (byte) 1)).isZero();
    }
  }

  @Test
  void wrongRequestsAreAnsweredAndTheNextOnesDone() throws IOException {
    try (RawClient client = server.connect().go("disk", false)) {
      assertThat(client.write(SIZE - 1, (byte) 1, (byte) 2)).isEqualTo(28);
      assertThat(client.write(-1, (byte) 1)).isEqualTo(28);
      assertThat(client.call(0, TransmissionDescriptor.READ, SIZE - 1, 2)).isEqualTo(22);
      assertThat(client.call(0, TransmissionDescriptor.TRIM, 1, 0xffffffffL)).isEqualTo(28);
      assertThat(client.call(0, 5, 0, 1)).as("CACHE").isEqualTo(22);
      assertThat(client.call(0, 7, 0, 1)).as("BLOCK_STATUS").isEqualTo(22);
      assertThat(client.call(0, 999, 0, 1)).isEqualTo(22);
      assertThat(client.call(0x80, TransmissionDescriptor.READ, 0, 1)).isEqualTo(22);
      assertThat(client.call(0, TransmissionDescriptor.FLUSH, 0, 1)).isEqualTo(22);
      byte[] much = new byte[IntakeLimits.MOST_REQUEST_BYTES + 1];
      assertThat(client.write(0, much)).as("its bytes are passed over").isEqualTo(22);
      assertThat(client.call(0, TransmissionDescriptor.READ, 0, much.length)).isEqualTo(22);
      assertThat(client.write(SIZE - 1, (byte) 5)).isZero();
      assertThat(client.read(SIZE - 2, 2)).isEqualTo(new byte[] {0, 5});
      assertThat(client.write(3)).as("nothing").isZero();
    }
    assertThat(server.server().heldBytes()).isZero();
  }

  @Test
  void aReadOnlyExport() throws IOException {
    try (RawClient client = server.connect().go("other", false)) {
      assertThat(client.write(0, (byte) 1)).isEqualTo(1);
      assertThat(client.call(0, TransmissionDescriptor.TRIM, 0, 4096)).isEqualTo(1);
      assertThat(client.call(0, TransmissionDescriptor.WRITE_ZEROES, 0, 4096)).isEqualTo(1);
      assertThat(client.read(0, 1)).isEqualTo(new byte[1]);
      assertThat(client.call(0, TransmissionDescriptor.FLUSH, 0, 0)).isZero();
    }
  }

  /** Any requests at any place, against an array; zeroed parts of blocks, too. */
  @Test
  void bytesAreAsInAnArray() throws IOException {
    byte[] model = new byte[SIZE];
    Random random = new Random(3);
    try (RawClient client = server.connect().go("", false)) {
      for (int i = 0; i < 200; i++) {
        int length = 1 + random.nextInt(random.nextInt(10) == 0 ? 900_000 : 20_000);
        int offset = random.nextInt(random.nextBoolean() ? 200_000 : SIZE - length);
        switch (random.nextInt(5)) {
          case 0, 1 -> {
            byte[] data = new byte[length];
            random.nextBytes(data);
            System.arraycopy(data, 0, model, offset, length);
            int fua = random.nextInt(2);
            assertThat(client.call(fua, TransmissionDescriptor.WRITE, offset, length, data))
                .isZero();
          }
          case 2 -> {
            Arrays.fill(model, offset, offset + length, (byte) 0);
            int flags = random.nextInt(2) * TransmissionDescriptor.NO_HOLE;
            assertThat(
                    client.call(
                        flags | TransmissionDescriptor.FAST_ZERO,
                        TransmissionDescriptor.WRITE_ZEROES,
                        offset,
                        length))
                .isZero();
          }
          case 3 -> {
            int block = offset / 4096 * 4096;
            assertThat(client.call(0, TransmissionDescriptor.TRIM, block, 4096)).isZero();
            byte[] found = client.read(block, 4096);
            boolean trimmed = Arrays.equals(found, new byte[4096]);
            assertThat(
                    trimmed || Arrays.equals(found, Arrays.copyOfRange(model, block, block + 4096)))
                .isTrue();
            System.arraycopy(found, 0, model, block, 4096);
          }
          default ->
              assertThat(client.read(offset, length))
                  .isEqualTo(Arrays.copyOfRange(model, offset, offset + length));
        }
      }
      for (int i = 0; i < 70; i++) {
        assertThat(client.call(0, TransmissionDescriptor.WRITE_ZEROES, i * 8192L, 4096)).isZero();
        Arrays.fill(model, i * 8192, i * 8192 + 4096, (byte) 0);
      }
      assertThat(client.read(0, 1 << 20)).isEqualTo(Arrays.copyOf(model, 1 << 20));
    }
  }

  /** Zeros are written then, which is not fast, and nothing is trimmed. */
  @Test
  void aSchemeWithoutTrimsWritesZeros() throws IOException {
    byte[] data = new byte[100_000];
    new Random(4).nextBytes(data);
    try (TestServer detwo = TestServer.withoutTrims();
        RawClient client = detwo.connect().go("", false)) {
      assertThat(client.call(0, TransmissionDescriptor.WRITE, 100, data.length, data)).isZero();
      int einval = NbdError.EINVAL.code();
      assertThat(client.call(0, TransmissionDescriptor.TRIM, 4096, 4096)).isEqualTo(einval);
      int zeroes = TransmissionDescriptor.WRITE_ZEROES;
      assertThat(client.call(TransmissionDescriptor.FAST_ZERO, zeroes, 4096, 4096))
          .isEqualTo(einval);
      assertThat(client.read(100, data.length)).isEqualTo(data);
      assertThat(client.call(0, zeroes, 5000, 80_000)).isZero();
      Arrays.fill(data, 4900, 84_900, (byte) 0);
      assertThat(client.read(100, data.length)).isEqualTo(data);
    }
  }

  /** More than may be under way or held at a time: all are answered, each once. */
  @Test
  void manyInFlight() throws Exception {
    int count = 500;
    try (RawClient client = server.connect().go("disk", false)) {
      Thread sender =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < count; i++) {
                    client.send(
                        RawClient.request(0, TransmissionDescriptor.READ, i, 4096L * i, 512));
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      sender.start();
      List<Long> answered = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ByteBuffer reply = client.receive(16 + 512);
        assertThat(reply.getInt(4)).isZero();
        answered.add(reply.getLong(8));
      }
      sender.join();
      assertThat(new HashSet<>(answered)).hasSize(count);
    }
  }

  /** What was asked for before is answered, then the server closes. */
  @Test
  void aClientThatDisconnects() throws IOException {
    try (RawClient client = server.connect().go("disk", false)) {
      client.send(RawClient.request(0, TransmissionDescriptor.READ, 1, 0, 8));
      client.send(RawClient.request(0, TransmissionDescriptor.DISC, 2, 0, 0));
      assertThat(client.simple(1)).isZero();
      client.receive(8);
      assertThat(client.isClosed()).isTrue();
    }
  }

  @Test
  void theSocketIsItsOwnersAlone() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(server.socket())))
        .isEqualTo("rw-------");
    assertThat(server.socket().resolveSibling(".").toFile().list()).containsExactly("s");
  }

  private static NbdServer serve(SocketAddress address, BlockDevice device) throws IOException {
    Export export = new Export("", "", false, device);
    return NbdServer.start(
        new NbdConfig(address, List.of(export), NbdConfig.defaultLimits(), null, false));
  }

  @Test
  void aSocketOfAServerThatDiedIsTakenOver() throws Exception {
    SocketAddress address = UnixDomainSocketAddress.of(server.socket());
    OramDevice device = server.device();
    assertThatThrownBy(() -> serve(address, device))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("another server listens");
    server.server().close();
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(address);
    }
    assertThat(server.socket()).exists();
    serve(address, device).close();
    assertThat(server.socket()).doesNotExist();
    Files.writeString(server.socket(), "precious");
    assertThatThrownBy(() -> serve(address, device))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("is no socket");
    assertThat(server.socket()).hasContent("precious");
    Files.delete(server.socket());
    Process pipe = new ProcessBuilder("mkfifo", server.socket().toString()).start();
    assertThat(pipe.waitFor()).isZero();
    assertThatThrownBy(() -> serve(address, device))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("is no socket");
    assertThat(server.socket()).exists();
  }

  @Test
  void nobodyElseIsServedInTheClear() {
    OramDevice device = server.device();
    assertThatThrownBy(() -> serve(new InetSocketAddress("0.0.0.0", 0), device))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("in the clear");
    assertThatThrownBy(
            () -> serve(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), device))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("to every user of this machine");
  }

  /** Whoever can move the socket away can put his own there. */
  @Test
  void aSocketIsNotMadeWhereEveryoneMayReplaceIt() throws IOException {
    Path open = Files.createDirectory(server.socket().resolveSibling("open"));
    SocketAddress address = UnixDomainSocketAddress.of(open.resolve("s"));
    try {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
      assertThatThrownBy(() -> serve(address, server.device()))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("everyone may put another in its place");
      assertThat(open).isEmptyDirectory();
    } finally {
      Files.delete(open);
    }
  }
}
