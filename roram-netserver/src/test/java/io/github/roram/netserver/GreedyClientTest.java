package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.intake.HandshakeLimits;
import io.github.roram.netserver.Replies.SendingMemory;
import io.github.roram.netserver.ServerLimits.ReadLimits;
import io.github.roram.netserver.ServerLimits.VolumeLimits;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.remote.protocol.ExtentsDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.LeaseToken;
import io.github.roram.storage.remote.protocol.Message.Hello;
import io.github.roram.storage.remote.protocol.Message.VolumeOpen;
import io.github.roram.storage.remote.protocol.Message.VolumeUse;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.StoreParts.Part;
import io.github.roram.store.UnitSource;
import io.github.roram.testkit.Batches;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Clients that take much and give nothing: the server's memory stays bounded, others are served.
 */
@Isolated("memory of Netty's in the whole JVM is measured")
final class GreedyClientTest extends ServerTest {

  private static final int LIMIT_BYTES = 1 << 20;

  /** Small, so that what the system takes on its own is soon full. */
  private static final int SOCKET_BYTES = 64 << 10;

  private static final ServerTimeouts PATIENT =
      new ServerTimeouts(
          Duration.ofMinutes(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(5),
          Duration.ofSeconds(30),
          Duration.ofSeconds(5));

  private final List<SocketChannel> sockets = new ArrayList<>();
  private volatile @Nullable CountDownLatch stuckDisk;

  /** Writes wait while the disk is stuck. */
  private final class SlowDisk extends FilterBlockStore {
    SlowDisk(BlockStore delegate) {
      super(delegate);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      CountDownLatch stuck = stuckDisk;
      if (stuck != null) {
        try {
          stuck.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
      super.write(batch, source);
    }
  }

  @Override
  ServerConfig config(int port) throws IOException {
    ServerConfig plain = super.config(port);
    VolumeBacking slow = new DecoratedBacking(plain.backing(), SlowDisk::new);
    return ServerConfig.loopback(port, slow)
        .withTimeouts(PATIENT)
        .withLimits(
            new ServerLimits(
                3000,
                1 << 20,
                1 << 22,
                1000,
                64,
                1 << 20,
                LIMIT_BYTES,
                ReadLimits.defaults(),
                new HandshakeLimits(3000, 3000),
                VolumeLimits.defaults()));
  }

  @AfterEach
  void closeSockets() throws IOException {
    for (SocketChannel socket : sockets) {
      socket.close();
    }
  }

  private SocketChannel connect() throws IOException {
    SocketChannel socket = SocketChannel.open();
    sockets.add(socket);
    socket.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BYTES);
    socket.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BYTES);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), address().port()));
    return socket;
  }

  private static ByteBuffer frame(FrameType type, long id, ByteBuf payload) {
    return FrameDescriptor.frame(new UnpooledByteBufAllocator(false), type, 0, id, payload)
        .nioBuffer();
  }

  private static ByteBuffer hello() {
    ByteBuf payload = Unpooled.buffer();
    new Hello(FrameDescriptor.VERSION, FrameDescriptor.VERSION, 1 << 20, new byte[0])
        .encode(payload);
    return frame(FrameType.HELLO, 1, payload);
  }

  /** A client that asks for a volume's content without end and takes nothing. */
  private SocketChannel greedyReader(int number) throws IOException {
    SocketChannel socket = openVolume("greedy" + number, number);
    ByteBuf extents = Unpooled.buffer();
    ExtentsDescriptor.encode(
        Batches.of(1 << 22, 0, 1), extents.writeZero(BlockStore.WATERMARK_BYTES));
    for (int id = 3; id < 40; id++) {
      socket.write(frame(FrameType.READ, id, extents.duplicate()));
    }
    return socket;
  }

  /** A client that has opened a volume of its own. */
  private SocketChannel openVolume(String name, int number) throws IOException {
    RemoteVolumes.create(
        new RemoteAddress(false, "127.0.0.1", address().port(), name), 1 << 22, OPTIONS);
    SocketChannel socket = connect();
    socket.write(hello());
    ByteBuf open = Unpooled.buffer();
    new VolumeOpen(name, "greedy", new LeaseToken(number + 1, 1), VolumeOpen.Mode.ACQUIRE)
        .encode(open);
    socket.write(frame(FrameType.VOLUME_OPEN, 2, open));
    ByteBuffer opened = ByteBuffer.allocate(4096);
    while (opened.position() < 2 * FrameDescriptor.BYTES + 26 + 40) {
      socket.read(opened);
    }
    return socket;
  }

  private void checkThatOthersAreServed(RemoteStore store) throws IOException {
    writeAndRead(store);
    assertThat(store.counts().connections()).isEqualTo(1);
  }

  private static void writeAndRead(RemoteStore store) throws IOException {
    for (int i = 0; i < 3; i++) {
      byte[] content = Batches.noise(300 * UNIT_BYTES, i);
      Batches.write(store, units(0, 300), content);
      assertThat(Batches.read(store, units(0, 300))).isEqualTo(content);
      store.sync();
    }
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
    AtomicLong id = new AtomicLong(2);
    floodUntilStuck(
        flood, () -> frame(FrameType.PING, id.getAndIncrement(), Unpooled.EMPTY_BUFFER));
    try (RemoteStore store = open(OPTIONS)) {
      checkThatOthersAreServed(store);
    }
  }

  /** Each takes memory while it waits for the disk, though it holds nothing. */
  @Test
  @Timeout(60)
  void whoSendsEmptyFramesFasterThanTheyAreStoredIsNotReadFrom() throws Exception {
    SocketChannel flood = openVolume("slow", 99);
    CountDownLatch disk = new CountDownLatch(1);
    stuckDisk = disk;
    ByteBuf extents = Unpooled.buffer();
    ExtentsDescriptor.encode(Batches.of(1, 0, 2), extents.writeZero(BlockStore.WATERMARK_BYTES));
    flood.write(frame(FrameType.WRITE, 3, extents));
    flood.write(frame(FrameType.DATA, 3, Unpooled.buffer().writeByte(1)));
    floodUntilStuck(flood, () -> frame(FrameType.DATA, 3, Unpooled.EMPTY_BUFFER));
    assertThat(server().bufferedBytes()).isGreaterThan(LIMIT_BYTES / 2);
    stuckDisk = null;
    disk.countDown();
    flood.close();
    awaitNothingBuffered();
  }

  private static void floodUntilStuck(SocketChannel flood, Supplier<ByteBuffer> frames)
      throws Exception {
    flood.configureBlocking(false);
    long sent = 0;
    int stuck = 0;
    while (stuck < 100) {
      ByteBuf many = Unpooled.buffer();
      for (int i = 0; i < 1000; i++) {
        many.writeBytes(frames.get());
      }
      ByteBuffer bytes = many.nioBuffer();
      while (bytes.hasRemaining() && stuck < 100) {
        int written = flood.write(bytes);
        sent += written;
        stuck = written > 0 ? 0 : stuck + 1;
        if (written == 0) {
          Thread.sleep(10);
        }
      }
      assertThat(sent).as("bytes taken from who takes nothing").isLessThan(50 << 20);
    }
  }

  /** Each is a list, which takes memory while it waits for the disk. */
  @Test
  @Timeout(60)
  void whatManySayOfTheirUseOfAVolumeIsCounted() throws Exception {
    SocketChannel socket = openVolume("told", 55);
    CountDownLatch disk = new CountDownLatch(1);
    stuckDisk = disk;
    ByteBuf extents = Unpooled.buffer();
    ExtentsDescriptor.encode(Batches.of(1, 0, 1), extents.writeZero(BlockStore.WATERMARK_BYTES));
    socket.write(frame(FrameType.WRITE, 3, extents));
    ByteBuf last = Unpooled.buffer();
    socket.write(
        FrameDescriptor.frame(
                new UnpooledByteBufAllocator(false),
                FrameType.DATA,
                FrameDescriptor.LAST,
                3,
                last.writeByte(1))
            .nioBuffer());
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      parts.add(new Part(i, 1));
    }
    ByteBuf use = new VolumeUse(1, parts).payload();
    for (int id = 4; id < 24; id++) {
      socket.write(frame(FrameType.VOLUME_USE, id, use));
    }
    while (server().bufferedBytes() < 3000 * 32) {
      Thread.sleep(5);
    }
    ByteBuffer answer = ByteBuffer.allocate(FrameDescriptor.BYTES + 2);
    while (answer.hasRemaining()) {
      socket.read(answer);
    }
    assertThat(answer.getShort(FrameDescriptor.BYTES)).as("BUSY").isEqualTo((short) 11);
    assertThat(server().bufferedBytes()).isLessThan(5 * 3000 * 32);
    stuckDisk = null;
    disk.countDown();
    socket.close();
    awaitNothingBuffered();
  }

  /** Hundreds that each send a part of a frame, and then nothing. */
  @Test
  @Timeout(60)
  void whoDoesNotFinishFramesMakesRoomForOthers() throws Exception {
    int partBytes = 60 << 10;
    ByteBuf extents = Unpooled.buffer();
    ExtentsDescriptor.encode(
        Batches.of(1 << 20, 0, 1), extents.writeZero(BlockStore.WATERMARK_BYTES));
    ByteBuf head = Unpooled.buffer();
    new FrameDescriptor(FrameType.DATA, 0, 2, 1 << 20, 0).encode(head);
    try (RemoteStore store = open(OPTIONS)) {
      long most = 0;
      for (int i = 0; i < 400; i++) {
        SocketChannel socket = connect();
        try {
          socket.write(hello());
          socket.write(frame(FrameType.WRITE, 2, extents.duplicate()));
          socket.write(head.nioBuffer());
          socket.write(ByteBuffer.allocate(partBytes));
        } catch (IOException e) {
          // made room already, as those before it had not yet
        }
        most = Math.max(most, server().bufferedBytes());
      }
      // A quarter, as much that is given up and not free yet, and one part on each event loop.
      assertThat(most).isLessThan(LIMIT_BYTES * 3 / 4);
      writeAndRead(store); // perhaps again, while hundreds begin frames behind its own
      int fit = LIMIT_BYTES / 4 / partBytes;
      while (server().connections() > fit + 1) {
        Thread.sleep(5);
      }
      long before = store.counts().connections();
      writeAndRead(store);
      assertThat(store.counts().connections()).isEqualTo(before);
    }
    closeSockets();
    awaitNothingBuffered();
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

  /**
   * A thread of the store finds the memory taken, also by a frame of its own connection, which is
   * sent just before the thread is in line: nothing else would tell it.
   */
  @Test
  void whoHoldsNothingIsToldThoughItAskedAsItsLastFrameWasSent() {
    MemoryBudget budget = new MemoryBudget(10);
    budget.take(10); // of others
    SendingMemory memory = new SendingMemory(budget);
    assertThat(memory.take(4, () -> {})).isTrue();
    AtomicLong told = new AtomicLong();
    // Asked for a hash code when it gets in line.
    Runnable later =
        new Runnable() {
          private boolean sent;

          @Override
          public int hashCode() {
            if (!sent) {
              sent = true;
              memory.give(4);
            }
            return 1;
          }

          @Override
          public boolean equals(Object other) {
            return this == other;
          }

          @Override
          public void run() {
            told.incrementAndGet();
          }
        };
    assertThat(memory.take(4, later)).isFalse();
    assertThat(told).hasValue(1);
    assertThat(memory.take(4, later)).isTrue();
  }

  /** More than there are connections for, and none says who it is. */
  @Test
  @Timeout(120)
  void whoDoesNotSayWhoHeIsKeepsNobodyOut() throws Exception {
    restart(config -> config.withLimits(ServerLimits.defaults()));
    for (int i = 0; i < 1100; i++) {
      SocketChannel idle = connect();
      if (i % 2 == 0) {
        idle.write(hello().limit(20));
      }
    }
    try (RemoteStore store = open(OPTIONS)) {
      checkThatOthersAreServed(store);
      for (int i = 0; i < 300; i++) {
        connect();
      }
      checkThatOthersAreServed(store);
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
    ExtentsDescriptor.encode(Batches.of(1, many), extents.writeZero(BlockStore.WATERMARK_BYTES));
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
