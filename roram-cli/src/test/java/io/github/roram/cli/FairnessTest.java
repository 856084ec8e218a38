package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.roram.AsyncOram;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.intake.HandshakeLimits;
import io.github.roram.intake.IntakeLimits;
import io.github.roram.nbd.Export;
import io.github.roram.nbd.NbdConfig;
import io.github.roram.nbd.NbdServer;
import io.github.roram.nbd.OramDevice;
import io.github.roram.netserver.BlockServer;
import io.github.roram.netserver.ServerConfig;
import io.github.roram.netserver.ServerLimits;
import io.github.roram.netserver.ServerTimeouts;
import io.github.roram.netserver.VolumeBacking.MemoryBacking;
import io.github.roram.open.Orams;
import io.github.roram.proxy.ProxyConfig;
import io.github.roram.proxy.ProxyServer;
import io.github.roram.proxy.protocol.RequestDescriptor;
import io.github.roram.proxy.protocol.RequestDescriptor.RequestType;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.Hello;
import io.github.roram.store.ClientVault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However many connections one address makes, another one is served: by each kind of server. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class FairnessTest {

  private static final int PLACES = 8;
  private static final int CROWD = 60;
  private static final HandshakeLimits FEW = new HandshakeLimits(PLACES, PLACES / 2);
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final OramConfig CONFIG =
      OramConfig.builder(64).blockBytes(512).maxRangeBlocks(8).build();

  private final Deque<Closeable> open = new ArrayDeque<>();

  @AfterEach
  void closeAll() throws IOException {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  private <T extends Closeable> T opened(T resource) {
    open.push(resource);
    return resource;
  }

  /** A server with few places, and how to become its client. */
  enum Kind {
    BLOCKS(0, 16) {
      @Override
      ByteBuffer hello() {
        ByteBuf payload = Unpooled.buffer();
        int version = FrameDescriptor.VERSION;
        new Hello(version, version, 1 << 20, new byte[0]).encode(payload);
        ByteBuf frame =
            FrameDescriptor.frame(ByteBufAllocator.DEFAULT, FrameType.HELLO, 0, 1, payload);
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes).release();
        return ByteBuffer.wrap(bytes);
      }

      @Override
      boolean isWelcome(byte[] answer) {
        return answer[5] == 2;
      }
    },
    PROXY(0, 20) {
      @Override
      ByteBuffer hello() {
        return new RequestDescriptor(RequestType.HELLO, 1, 0, 1, 0).encode();
      }

      @Override
      boolean isWelcome(byte[] answer) {
        return answer[4] == 0 && answer[5] == 0;
      }
    },
    NBD(18, 10) {
      @Override
      ByteBuffer hello() {
        ByteBuffer chosen = ByteBuffer.allocate(20).putInt(3);
        return chosen.putLong(0x49484156454f5054L).putInt(1).putInt(0).flip();
      }

      @Override
      boolean isWelcome(byte[] answer) {
        return ByteBuffer.wrap(answer).getLong() == CONFIG.bytes();
      }
    };

    private final int greetingBytes;
    private final int answerBytes;

    Kind(int greetingBytes, int answerBytes) {
      this.greetingBytes = greetingBytes;
      this.answerBytes = answerBytes;
    }

    abstract ByteBuffer hello();

    abstract boolean isWelcome(byte[] answer);
  }

  private Oram oram() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      MemoryStore store = opened(new MemoryStore(Orams.storeBytes(CONFIG)));
      return opened(Orams.create(store, ClientVault.inMemory(), CONFIG, key));
    }
  }

  private InetSocketAddress start(Kind kind) throws IOException {
    return switch (kind) {
      case BLOCKS -> {
        ServerLimits base = ServerLimits.defaults();
        ServerLimits limits =
            new ServerLimits(
                PLACES,
                base.maxPayloadBytes(),
                base.maxRequestBytes(),
                base.maxExtents(),
                base.maxRequests(),
                base.connectionBufferBytes(),
                base.totalBufferBytes(),
                base.reads(),
                FEW,
                base.volumes());
        ServerTimeouts timeouts =
            new ServerTimeouts(LONG, LONG, LONG, LONG, LONG, Duration.ofSeconds(5));
        ServerConfig config =
            ServerConfig.loopback(0, new MemoryBacking()).withLimits(limits).withTimeouts(timeouts);
        yield opened(BlockServer.start(config)).address();
      }
      case PROXY -> {
        IntakeLimits limits =
            new IntakeLimits(
                PLACES, 4, 4096, 1 << 20, FEW, LONG, LONG, LONG, Duration.ofSeconds(5));
        AsyncOram oram = opened(Orams.queued(oram(), 16));
        yield opened(ProxyServer.start(ProxyConfig.anyoneOnThisMachine(0).withLimits(limits), oram))
            .address();
      }
      case NBD -> {
        OramDevice device = opened(OramDevice.over(oram(), -1));
        long most = IntakeLimits.MOST_REQUEST_BYTES;
        IntakeLimits limits =
            new IntakeLimits(
                PLACES, 16, most, 2 * most, FEW, LONG, LONG, LONG, Duration.ofSeconds(5));
        NbdConfig config =
            new NbdConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                List.of(new Export("", "", false, device)),
                limits,
                null,
                true);
        yield (InetSocketAddress) opened(NbdServer.start(config)).address();
      }
    };
  }

  private Socket connect(String from, InetSocketAddress to) throws IOException {
    Socket socket = opened(new Socket());
    socket.bind(new InetSocketAddress(from, 0));
    socket.setSoTimeout(30_000);
    socket.connect(to);
    return socket;
  }

  /** Says hello; whether it is answered with a welcome. */
  private static boolean isServed(Kind kind, Socket socket) throws IOException {
    try {
      socket.getInputStream().readNBytes(kind.greetingBytes);
      socket.getOutputStream().write(kind.hello().array());
      byte[] answer = socket.getInputStream().readNBytes(kind.answerBytes);
      return answer.length == kind.answerBytes && kind.isWelcome(answer);
    } catch (SocketException e) {
      return false; // reset
    }
  }

  /** Who is slow to say who it is stays, though others come meanwhile. */
  @ParameterizedTest
  @EnumSource
  void aNewcomerIsNotPushedOutByACrowd(Kind kind) throws IOException {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "SKIPPED: has one loopback address");
    InetSocketAddress server = start(kind);
    List<Socket> crowd = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      crowd.add(connect("127.0.0.2", server));
    }
    Socket alone = connect("127.0.0.3", server);
    for (int i = 0; i < CROWD; i++) {
      crowd.add(connect("127.0.0.2", server));
    }
    assertThat(isServed(kind, crowd.get(crowd.size() - 1))).as("served to the crowd").isTrue();
    assertThat(isServed(kind, alone)).isTrue();
  }

  /** Nor are those kept out who come when all places are taken by one address. */
  @ParameterizedTest
  @EnumSource
  void aCrowdOfClientsMakesRoom(Kind kind) throws IOException {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "SKIPPED: has one loopback address");
    InetSocketAddress server = start(kind);
    int served = 0;
    for (int i = 0; i < CROWD; i++) {
      served += isServed(kind, connect("127.0.0.2", server)) ? 1 : 0;
    }
    assertThat(served).isBetween(1, CROWD);
    assertThat(isServed(kind, connect("127.0.0.3", server))).isTrue();
    assertThat(isServed(kind, connect("127.0.0.4", server))).isTrue();
  }
}
