package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.storage.Batches;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.remote.protocol.ExtentsDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameType;
import io.github.roram.storage.remote.protocol.HelloDescriptor;
import io.github.roram.storage.remote.protocol.LeaseToken;
import io.github.roram.storage.remote.protocol.VolumeOpenDescriptor;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that take much and give nothing: the server's memory stays bounded, others are served.
 */
final class GreedyClientTest extends ServerTest {

  private static final int LIMIT_BYTES = 1 << 20;
  private static final ServerTimeouts PATIENT =
      new ServerTimeouts(
          Duration.ofMinutes(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(5),
          Duration.ofSeconds(30),
          Duration.ofSeconds(5));

  private final List<SocketChannel> sockets = new ArrayList<>();

  @Override
  ServerConfig config(int port) throws IOException {
    return super.config(port)
        .withTimeouts(PATIENT)
        .withLimits(
            new ServerLimits(3000, 1 << 20, 1 << 22, 1000, 64, 1 << 20, LIMIT_BYTES, 1 << 30));
  }

  @AfterEach
  void closeSockets() throws IOException {
    for (SocketChannel socket : sockets) {
      socket.close();
    }
  }

  private SocketChannel connect() throws IOException {
    SocketChannel socket =
        SocketChannel.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), address().port()));
    sockets.add(socket);
    return socket;
  }

  private static ByteBuffer frame(FrameType type, long id, ByteBuf payload) {
    return FrameDescriptor.frame(new UnpooledByteBufAllocator(false), type, 0, id, payload)
        .nioBuffer();
  }

  private static ByteBuffer hello() {
    ByteBuf payload = Unpooled.buffer();
    new HelloDescriptor(1, 1, 1 << 20, new byte[0]).encode(payload);
    return frame(FrameType.HELLO, 1, payload);
  }

  /** A client that asks for a volume's content without end and takes nothing. */
  private SocketChannel greedyReader(int number) throws IOException {
    String name = "greedy" + number;
    RemoteVolumes.create(
        new RemoteAddress(false, "127.0.0.1", address().port(), name), 1 << 22, OPTIONS);
    SocketChannel socket = connect();
    socket.write(hello());
    ByteBuf open = Unpooled.buffer();
    new VolumeOpenDescriptor(
            name, "greedy", new LeaseToken(number + 1, 1), VolumeOpenDescriptor.Mode.ACQUIRE)
        .encode(open);
    socket.write(frame(FrameType.VOLUME_OPEN, 2, open));
    ByteBuffer opened = ByteBuffer.allocate(4096);
    while (opened.position() < 2 * FrameDescriptor.BYTES + 26 + 40) {
      socket.read(opened);
    }
    ByteBuf extents = Unpooled.buffer();
    ExtentsDescriptor.encode(Batches.of(1 << 22, 0, 1), extents);
    for (int id = 3; id < 40; id++) {
      socket.write(frame(FrameType.READ, id, extents.duplicate()));
    }
    return socket;
  }

  private void checkThatOthersAreServed(RemoteStore store) throws IOException {
    for (int i = 0; i < 3; i++) {
      byte[] content = Batches.noise(300 * UNIT_BYTES, i);
      Batches.write(store, units(0, 300), content);
      assertThat(Batches.read(store, units(0, 300))).isEqualTo(content);
      store.sync();
    }
    assertThat(store.counts().connections()).isEqualTo(1);
  }

  @Test
  @Timeout(60)
  void slowReadersTakeBoundedMemoryAndHoldUpNobody() throws Exception {
    int readers = 12;
    try (RemoteStore store = open(OPTIONS)) {
      for (int i = 0; i < readers; i++) {
        greedyReader(i);
      }
      while (server().bufferedBytes() < LIMIT_BYTES / 2) {
        Thread.sleep(5);
      }
      checkThatOthersAreServed(store);
      assertThat(server().bufferedBytes()).isLessThan(LIMIT_BYTES + (readers + 2) * (300L << 10));
    }
  }

  @Test
  @Timeout(60)
  void whoSendsPingsAndTakesNoAnswersIsNotReadFrom() throws Exception {
    SocketChannel flood = connect();
    flood.write(hello());
    flood.configureBlocking(false);
    long id = 2;
    long sent = 0;
    int stuck = 0;
    while (stuck < 100) {
      ByteBuf pings = Unpooled.buffer();
      for (int i = 0; i < 1000; i++) {
        pings.writeBytes(frame(FrameType.PING, id++, Unpooled.EMPTY_BUFFER));
      }
      ByteBuffer bytes = pings.nioBuffer();
      while (bytes.hasRemaining() && stuck < 100) {
        int written = flood.write(bytes);
        sent += written;
        stuck = written > 0 ? 0 : stuck + 1;
        if (written == 0) {
          Thread.sleep(10);
        }
      }
      assertThat(sent).as("bytes taken from who takes nothing").isLessThan(100 << 20);
    }
    try (RemoteStore store = open(OPTIONS)) {
      checkThatOthersAreServed(store);
    }
  }

  @Test
  @Timeout(120)
  void thousandsOfIdleConnectionsTakeLittleAndOthersAreServed() throws Exception {
    try (RemoteStore store = open(OPTIONS)) {
      for (int i = 0; i < 2000; i++) {
        SocketChannel idle = connect();
        if (i % 2 == 0) {
          idle.write(hello());
        } else {
          idle.write(hello().limit(20));
        }
      }
      while (server().connections() < 2001) {
        Thread.sleep(5);
      }
      long before = io.netty.buffer.PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
      checkThatOthersAreServed(store);
      long after = io.netty.buffer.PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
      assertThat(after - before).isLessThan(256L << 20);
      awaitNothingBuffered();
    }
  }

  @Test
  @Timeout(60)
  void manyExtentsAreCountedAndTooManyAreRefused() throws Exception {
    SocketChannel socket = greedyReader(77);
    long[] many = new long[2000];
    for (int i = 0; i < many.length; i += 2) {
      many[i + 1] = 1;
    }
    ByteBuf extents = Unpooled.buffer();
    ExtentsDescriptor.encode(Batches.of(1, many), extents);
    for (int id = 50; id < 70; id++) {
      socket.write(frame(FrameType.WRITE, id, extents.duplicate()));
    }
    try (RemoteStore store = open(OPTIONS)) {
      checkThatOthersAreServed(store);
      assertThat(server().bufferedBytes()).isBetween(1000L, LIMIT_BYTES + (2L << 20));
    }
    socket.close();
    awaitNothingBuffered();
  }
}
