package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.intake.HandshakeLimits;
import io.github.roram.netserver.ServerLimits.ReadLimits;
import io.github.roram.netserver.ServerLimits.VolumeLimits;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.remote.StoreUnreachableException;
import io.github.roram.storage.remote.protocol.ExtentsDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.Hello;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.StoreParts;
import io.github.roram.store.XorGroups;
import io.github.roram.testkit.Batches;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What no client of ours would send: it ends that connection and harms nobody else. */
@Timeout(120)
final class HostileClientTest extends ServerTest {

  private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);

  @Override
  ServerConfig config(int port) throws IOException {
    ServerTimeouts impatient =
        new ServerTimeouts(
            Duration.ofSeconds(2),
            Duration.ofMinutes(1),
            Duration.ofSeconds(2),
            Duration.ofMinutes(1),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5));
    return super.config(port).withTimeouts(impatient);
  }

  private static ByteBuf frame(FrameType type, int flags, long id, ByteBuf payload) {
    return FrameDescriptor.frame(HEAP, type, flags, id, payload);
  }

  private static ByteBuf hello() {
    ByteBuf payload = Unpooled.buffer();
    new Hello(FrameDescriptor.VERSION, FrameDescriptor.VERSION, 1 << 20, new byte[0])
        .encode(payload);
    return frame(FrameType.HELLO, 0, 1, payload);
  }

  private static ByteBuf bareHead(FrameType type, long id, int payloadBytes) {
    ByteBuf head = Unpooled.buffer();
    new FrameDescriptor(type, 0, id, payloadBytes, 0).encode(head);
    return head;
  }

  private static List<ByteBuf> hostileStreams() {
    SplittableRandom random = new SplittableRandom(1);
    List<ByteBuf> streams = new ArrayList<>();
    streams.add(Unpooled.EMPTY_BUFFER);
    streams.add(Unpooled.wrappedBuffer(Batches.noise(10_000, 2)));
    streams.add(frame(FrameType.READ, 0, 1, Unpooled.buffer()));
    streams.add(bareHead(FrameType.HELLO, 1, Integer.MAX_VALUE));
    streams.add(bareHead(FrameType.HELLO, 1, 1000));
    streams.add(Unpooled.wrappedBuffer(hello(), hello()));
    streams.add(Unpooled.wrappedBuffer(hello(), bareHead(FrameType.WRITE, 2, 1 << 30)));
    streams.add(Unpooled.wrappedBuffer(hello(), bareHead(FrameType.DATA, 2, 0)));
    streams.add(Unpooled.wrappedBuffer(hello(), bareHead(FrameType.WELCOME, 2, 0)));
    for (FrameType type : FrameType.values()) {
      for (int bytes : new int[] {0, 3, 8, 30, 200}) {
        ByteBuf noise = Unpooled.wrappedBuffer(Batches.noise(bytes, random.nextLong()));
        ByteBuf lengths = Unpooled.buffer().writeInt(1).writeInt(Integer.MAX_VALUE);
        streams.add(Unpooled.wrappedBuffer(hello(), frame(type, 0, 2, noise)));
        streams.add(Unpooled.wrappedBuffer(hello(), frame(type, 0, 2, lengths)));
      }
    }
    for (int i = 0; i < 50; i++) {
      ByteBuf flipped = hello();
      int bit = random.nextInt(8 * flipped.readableBytes());
      flipped.setByte(bit / 8, flipped.getByte(bit / 8) ^ 1 << bit % 8);
      streams.add(flipped);
    }
    return streams;
  }

  @Test
  void hostileStreamsAreEndedAndOthersNotDisturbed() throws Exception {
    byte[] content = Batches.noise(10 * UNIT_BYTES, 1);
    List<Socket> sockets = new ArrayList<>();
    try (RemoteStore neighbour = open(OPTIONS)) {
      for (ByteBuf stream : hostileStreams()) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), address().port());
        sockets.add(socket);
        send(socket, stream);
        Batches.write(neighbour, units(0, 10), content);
        assertThat(Batches.read(neighbour, units(0, 10))).isEqualTo(content);
      }
      assertThat(neighbour.counts().connections()).isEqualTo(1);
      awaitNothingBuffered();
    }
    for (Socket socket : sockets) {
      socket.close();
    }
    while (server().connections() > 0) {
      Thread.sleep(5);
    }
  }

  private static void send(Socket socket, ByteBuf stream) throws IOException {
    byte[] bytes = new byte[stream.readableBytes()];
    stream.readBytes(bytes);
    try {
      socket.getOutputStream().write(bytes);
    } catch (SocketException e) {
      // closed by the server in the middle of it
    }
  }

  @Test
  void whoDoesNotSayHelloOrDoesNotFinishIsDisconnected() throws IOException {
    List<Socket> sockets = new ArrayList<>();
    ByteBuf write = Unpooled.buffer();
    ExtentsDescriptor.encode(Batches.of(10, 0, 10), write.writeZero(BlockStore.WATERMARK_BYTES));
    for (ByteBuf stream :
        List.of(
            Unpooled.EMPTY_BUFFER,
            hello().slice(0, 20),
            Unpooled.wrappedBuffer(hello(), frame(FrameType.WRITE, 0, 2, write)),
            manyWrites(write, 64),
            manyWrites(write, 65),
            Unpooled.wrappedBuffer(hello(), bareHead(FrameType.WRITE, 2, 100)))) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), address().port());
      sockets.add(socket);
      send(socket, stream);
    }
    for (Socket socket : sockets) {
      try (socket) {
        assertThat(socket.getInputStream().readAllBytes().length).isLessThan(500);
      } catch (SocketException e) {
        // a reset is an end, too
      }
    }
  }

  /** A hello, and so many writes whose data do not follow. */
  private static ByteBuf manyWrites(ByteBuf write, int writes) {
    ByteBuf stream = hello();
    for (int id = 2; id < writes + 2; id++) {
      stream = Unpooled.wrappedBuffer(stream, frame(FrameType.WRITE, 0, id, write));
    }
    return stream;
  }

  /** Its data are read though no further request may be in flight. */
  @Test
  void aLongWriteArrivesWhereOneRequestIsAllowed() throws IOException {
    ServerLimits base = ServerLimits.defaults();
    restart(
        config ->
            config.withLimits(
                new ServerLimits(
                    base.maxConnections(),
                    base.maxPayloadBytes(),
                    base.maxRequestBytes(),
                    base.maxExtents(),
                    1,
                    base.connectionBufferBytes(),
                    base.totalBufferBytes(),
                    base.reads(),
                    base.handshakes(),
                    base.volumes())));
    byte[] content = Batches.noise(600 * UNIT_BYTES, 1);
    try (RemoteStore store = open(OPTIONS)) {
      Batches.write(store, units(0, 600), content);
      assertThat(Batches.read(store, units(0, 600))).isEqualTo(content);
      assertThat(store.counts().connections()).isEqualTo(1);
    }
  }

  /** As narrow as settings allow, for these units. */
  @Test
  void aServerThatAllowsLittleIsUsedAllTheSame() throws Exception {
    ServerLimits base = ServerLimits.defaults();
    restart(
        config ->
            config.withLimits(
                new ServerLimits(
                    1,
                    4096,
                    UNIT_BYTES,
                    1,
                    1,
                    1,
                    1 << 20,
                    new ReadLimits(1, 0),
                    new HandshakeLimits(1, 1),
                    base.volumes())));
    byte[] content = Batches.noise(60 * UNIT_BYTES, 1);
    try (RemoteStore store = open(OPTIONS.withXor(true));
        AsyncBlockStore async = store.async(8)) {
      store.arrange(new StoreParts(List.of(List.of(0L, 5000L, 10_000L))));
      Batches.write(store, units(0, 60), content);
      assertThat(Batches.read(store, units(0, 60))).isEqualTo(content);
      byte[] xor = new byte[UNIT_BYTES];
      XorGroups pair = new XorGroups(UNIT_BYTES, 0, 0).add(2);
      store.readXor(units(0, 2), pair, (group, result) -> result.get(xor));
      assertThat(xor[7]).isEqualTo((byte) (content[7] ^ content[UNIT_BYTES + 7]));
      List<CompletableFuture<Void>> all = new ArrayList<>();
      byte[] read = new byte[60 * UNIT_BYTES];
      for (int i = 0; i < 60; i++) {
        int at = i * UNIT_BYTES;
        all.add(async.write(units(at, 1), (first, units) -> units.put(content, at, UNIT_BYTES)));
        all.add(async.read(units(at, 1), (first, units) -> units.get(read, at, UNIT_BYTES)));
      }
      all.add(async.sync());
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
      assertThat(read).isEqualTo(content);
      assertThat(store.counts().connections()).isEqualTo(1);
    }
  }

  /** A server of two clients. */
  private static ServerConfig patient(ServerConfig config, HandshakeLimits handshakes) {
    return config
        .withLimits(
            new ServerLimits(
                2,
                1 << 20,
                1 << 20,
                100,
                4,
                1 << 20,
                1 << 20,
                ReadLimits.defaults(),
                handshakes,
                VolumeLimits.defaults()))
        .withTimeouts(ServerTimeouts.defaults());
  }

  /** A connection that came before any later one, though another thread may take that. */
  private Socket arrived(int connections) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), address().port());
    while (server().connections() < connections) {
      Thread.sleep(1);
    }
    return socket;
  }

  /** Those that did not say who they are do not count. */
  @Test
  void clientsBeyondTheLimitAreToldToComeLater() throws IOException {
    restart(config -> patient(config, HandshakeLimits.defaults()));
    try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), address().port());
        RemoteStore first = open(OPTIONS);
        Socket second = new Socket(InetAddress.getLoopbackAddress(), address().port())) {
      assertThat(silent.isConnected()).isTrue();
      send(second, hello());
      assertThat(second.getInputStream().read()).isPositive();
      RemoteOptions once =
          OPTIONS.withTimeouts(
              Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ZERO, Duration.ofSeconds(5));
      assertThatThrownBy(() -> RemoteVolumes.exists(address(), once))
          .isInstanceOf(StoreUnreachableException.class)
          .hasMessageContaining("as many connections as it may, 2");
      byte[] content = Batches.noise(400 * UNIT_BYTES, 1);
      Batches.write(first, units(0, 400), content); // twice what one request may be
      assertThat(Batches.read(first, units(0, 400))).isEqualTo(content);
      assertThat(first.counts().roundTrips()).isEqualTo(4);
      second.shutdownOutput();
      second.getInputStream().readAllBytes();
      assertThat(RemoteVolumes.exists(address(), OPTIONS)).isTrue();
    }
  }

  /** Each pushes out the one of its kind that came first, and no other. */
  @Test
  void whoDoesNotSayHelloIsPushedOutByTheNext() throws Exception {
    restart(config -> patient(config, new HandshakeLimits(10, 2)));
    try (RemoteStore known = open(OPTIONS);
        Socket first = arrived(2);
        Socket second = arrived(3);
        Socket third = new Socket(InetAddress.getLoopbackAddress(), address().port())) {
      assertThat(first.getInputStream().read()).isNegative();
      send(second, hello());
      assertThat(second.getInputStream().read()).isPositive();
      assertThat(third.isConnected()).isTrue();
      known.sync();
      assertThat(known.counts().connections()).isEqualTo(1);
    }
  }
}
