package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.roram.intake.Admission;
import io.github.roram.intake.HandshakeLimits;
import io.github.roram.intake.SharedIntake.RequestsInFlight;
import io.github.roram.netserver.BlockServer.ServerContext;
import io.github.roram.netserver.MemoryBudget.UnfinishedFrames;
import io.github.roram.netserver.ServerLimits.ReadLimits;
import io.github.roram.netserver.ServerLimits.VolumeLimits;
import io.github.roram.netserver.TopLevelCache.CacheBudget;
import io.github.roram.netserver.VolumeBacking.MemoryBacking;
import io.github.roram.storage.remote.protocol.FrameDecoder;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.LeaseToken;
import io.github.roram.storage.remote.protocol.Message.Hello;
import io.github.roram.storage.remote.protocol.Message.VolumeCreate;
import io.github.roram.storage.remote.protocol.Message.VolumeName;
import io.github.roram.storage.remote.protocol.Message.VolumeOpen;
import io.github.roram.store.BlockStore;
import io.github.roram.testkit.Batches;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * Whatever a client sends, in whatever pieces: the server's memory stays within its limits, all of
 * it comes back, and a volume that is not the client's keeps its content. Frames with right
 * checksums are made on purpose, since no fuzzer guesses those.
 *
 * <p>In the normal build this runs once on nothing and on the inputs that are kept. To search:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl roram-netserver -am test -Dtest='ServerFuzzTest#anyStream' -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // an embedded channel closes at once
final class ServerFuzzTest {

  private static final ServerLimits LIMITS =
      new ServerLimits(
          10,
          8192,
          1 << 18,
          64,
          8,
          1 << 16,
          1 << 20,
          new ReadLimits(4, 1 << 14),
          HandshakeLimits.defaults(),
          new VolumeLimits(1 << 16, 1 << 20, 100));
  private static final int CAPACITY_BYTES = 1 << 14;

  /** The budget, a frame of an answer more, what a decoder holds, and small change. */
  private static final long MEMORY_BYTES = (1 << 20) + (2 << 18) + (1 << 17);

  private static final String[] NAMES = {"mine", "other", "new", "UPPER", ""};
  private static final byte[] CONTENT = Batches.noise(CAPACITY_BYTES, 1);

  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);
  private long requestId;

  @FuzzTest(maxDuration = "20s")
  void briefly(FuzzedDataProvider data) throws Exception {
    anyStream(data);
  }

  @FuzzTest(maxDuration = "10m")
  void anyStream(FuzzedDataProvider data) throws Exception {
    ServerContext context = context();
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.config().setAllocator(memory);
    FrameDecoder decoder = new FrameDecoder(Handshake.MAX_HELLO_BYTES);
    Admission.Visitor visitor =
        new Admission(LIMITS.maxConnections(), LIMITS.handshakes()).arrive(null, channel::close);
    channel.pipeline().addLast(decoder, new ConnectionHandler(context, channel, decoder, visitor));
    channel.pipeline().fireChannelActive();
    if (data.consumeProbabilityFloat() < 0.9) {
      send(channel, data, hello());
    }
    for (int i = 0; i < 40 && data.remainingBytes() > 0; i++) {
      send(channel, data, next(data));
      assertThat(held()).isLessThan(MEMORY_BYTES);
      if (data.consumeBoolean()) {
        channel.releaseOutbound();
      }
    }
    ChannelFuture closed = channel.close();
    settle(channel);
    assertThat(closed.isDone()).isTrue();
    channel.finishAndReleaseAll();
    settle(channel);
    assertThat(held()).as("bytes that are not given back").isZero();
    assertThat(context.budget().usedBytes()).isZero();
    assertThat(context.underWay().requests()).isZero();
    assertThat(read(context, "other")).isEqualTo(CONTENT);
  }

  private ServerContext context() throws IOException {
    ServerTimeouts times = ServerTimeouts.defaults().withLease(Duration.ZERO);
    ServerConfig config =
        ServerConfig.loopback(0, new MemoryBacking())
            .withLimits(LIMITS)
            .withTimeouts(times)
            .withAccess(Authenticator.anyone(), (who, name, action) -> !name.equals("other"));
    Volumes volumes =
        new Volumes(
            config.backing(),
            tasks::add,
            tasks::add,
            times.lease(),
            config.nanoClock(),
            LIMITS.volumes(),
            ServerObserver.NONE);
    create(volumes, new VolumeCreate("mine", CAPACITY_BYTES, 1));
    create(volumes, new VolumeCreate("other", CAPACITY_BYTES, 2));
    Batches.write(volumes.get("other").join().store(), Batches.of(CAPACITY_BYTES, 0, 1), CONTENT);
    MemoryBudget budget = new MemoryBudget(LIMITS.totalBufferBytes());
    return new ServerContext(
        config,
        1,
        volumes,
        tasks::add,
        new SerialExecutor(tasks::add),
        budget,
        new CacheBudget(LIMITS.reads().cacheBytes(), ServerObserver.NONE),
        new UnfinishedFrames(budget, LIMITS.totalBufferBytes()),
        new RequestsInFlight());
  }

  private void create(Volumes volumes, VolumeCreate request) {
    CompletableFuture<Volume> created =
        volumes.create(request, ClientIdentity.ANONYMOUS, AccessPolicy.everything());
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    assertThat(created).isCompleted();
  }

  private static byte[] read(ServerContext context, String name) throws Exception {
    return Batches.read(
        context.volumes().get(name).join().store(), Batches.of(CAPACITY_BYTES, 0, 1));
  }

  private long held() {
    return memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory();
  }

  /** Sends bytes in up to three pieces; stores may work in between. */
  private void send(EmbeddedChannel channel, FuzzedDataProvider data, ByteBuf bytes) {
    while (bytes.isReadable()) {
      int most = bytes.readableBytes();
      int length = data.consumeBoolean() ? most : data.consumeInt(1, most);
      ByteBuf piece = memory.buffer(length);
      piece.writeBytes(bytes, length);
      if (channel.isOpen()) {
        channel.writeInbound(piece);
      } else {
        piece.release();
      }
      if (data.consumeBoolean()) {
        settle(channel);
      }
    }
    settle(channel);
  }

  private void settle(EmbeddedChannel channel) {
    channel.runPendingTasks();
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
      channel.runPendingTasks();
    }
  }

  private static ByteBuf hello() {
    ByteBuf payload = Unpooled.buffer();
    new Hello(FrameDescriptor.VERSION, FrameDescriptor.VERSION, 8192, new byte[0]).encode(payload);
    return frame(FrameType.HELLO, 0, 1, payload);
  }

  private static ByteBuf frame(FrameType type, int flags, long id, ByteBuf payload) {
    return FrameDescriptor.frame(new UnpooledByteBufAllocator(false), type, flags, id, payload);
  }

  private ByteBuf next(FuzzedDataProvider data) {
    requestId = data.consumeProbabilityFloat() < 0.95 ? requestId + 2 : data.consumeLong();
    return switch (data.consumeInt(0, 11)) {
      case 0 -> Unpooled.wrappedBuffer(data.consumeBytes(200));
      case 1 -> request(FrameType.VOLUME_OPEN, open(data));
      case 2 -> request(FrameType.VOLUME_CREATE, create(data));
      case 3 ->
          request(
              data.consumeBoolean() ? FrameType.VOLUME_STAT : FrameType.VOLUME_DELETE, name(data));
      case 4 -> request(FrameType.READ, extents(data));
      case 5 -> request(FrameType.READ_XOR, groups(data, extents(data)));
      case 6, 7 -> write(data);
      case 8 ->
          request(
              data.pickValue(
                  new FrameType[] {FrameType.SYNC, FrameType.PING, FrameType.VOLUME_CLOSE}),
              watermark(data));
      case 9 -> request(FrameType.VOLUME_USE, use(data));
      case 10 ->
          request(
              FrameType.VOLUME_EXTEND, Unpooled.copyLong(data.consumeLong(-1, 2 * CAPACITY_BYTES)));
      default ->
          frame(
              data.pickValue(FrameType.values()),
              data.consumeInt(0, 3),
              requestId,
              Unpooled.wrappedBuffer(data.consumeBytes(300)));
    };
  }

  private ByteBuf request(FrameType type, ByteBuf payload) {
    return frame(type, 0, requestId, payload);
  }

  private static ByteBuf open(FuzzedDataProvider data) {
    ByteBuf payload = Unpooled.buffer();
    LeaseToken token = new LeaseToken(data.consumeLong() | 1, data.consumeLong());
    new VolumeOpen(data.pickValue(NAMES), "me", token, data.pickValue(VolumeOpen.Mode.values()))
        .encode(payload);
    return payload;
  }

  private static ByteBuf create(FuzzedDataProvider data) {
    ByteBuf payload = Unpooled.buffer();
    new VolumeCreate(data.pickValue(NAMES), data.consumeLong(), data.consumeLong()).encode(payload);
    return payload;
  }

  private static ByteBuf name(FuzzedDataProvider data) {
    ByteBuf payload = Unpooled.buffer();
    new VolumeName(data.pickValue(NAMES)).encode(payload);
    return payload;
  }

  private static ByteBuf extents(FuzzedDataProvider data) {
    boolean sane = data.consumeBoolean();
    int count = data.consumeInt(0, 8);
    ByteBuf payload = Unpooled.buffer().writeBytes(watermark(data));
    payload.writeInt(sane ? data.consumeInt(1, 300) : data.consumeInt());
    payload.writeInt(sane ? count : data.consumeInt());
    for (int i = 0; i < count; i++) {
      payload.writeLong(sane ? data.consumeLong(0, CAPACITY_BYTES) : data.consumeLong());
      payload.writeInt(sane ? data.consumeInt(1, 20) : data.consumeInt());
    }
    return payload;
  }

  /** Of extents, groups that may fit them. */
  private static ByteBuf groups(FuzzedDataProvider data, ByteBuf extents) {
    boolean sane = data.consumeBoolean();
    int count = data.consumeInt(0, 8);
    extents.writeShort(data.consumeInt(0, sane ? 50 : 0xffff));
    extents.writeShort(data.consumeInt(0, sane ? 50 : 0xffff));
    extents.writeInt(sane ? count : data.consumeInt());
    for (int i = 0; i < count; i++) {
      extents.writeShort(data.consumeInt(0, sane ? 20 : 0xffff));
    }
    return extents;
  }

  /** One of noise, none, or one that is cut. */
  private static ByteBuf watermark(FuzzedDataProvider data) {
    byte[] watermark = new byte[BlockStore.WATERMARK_BYTES];
    watermark[0] = data.consumeByte();
    int bytes = data.consumeInt(0, 9) == 0 ? data.consumeInt(0, 80) : watermark.length;
    return Unpooled.wrappedBuffer(Arrays.copyOf(watermark, bytes));
  }

  private static ByteBuf use(FuzzedDataProvider data) {
    boolean sane = data.consumeBoolean();
    int count = data.consumeInt(0, 8);
    ByteBuf payload = Unpooled.buffer();
    payload.writeShort(data.consumeInt(0, 0xffff));
    payload.writeInt(sane ? count : data.consumeInt());
    for (int i = 0; i < count; i++) {
      payload.writeLong(sane ? data.consumeLong(0, CAPACITY_BYTES) : data.consumeLong());
      payload.writeLong(sane ? data.consumeLong(1, 5000) : data.consumeLong());
    }
    return payload;
  }

  /** A write with data that may fit it. */
  private ByteBuf write(FuzzedDataProvider data) {
    ByteBuf extents = extents(data);
    ByteBuf all = Unpooled.buffer();
    all.writeBytes(request(FrameType.WRITE, extents));
    int frames = data.consumeInt(0, 3);
    for (int i = 0; i < frames; i++) {
      int bytes = data.consumeInt(0, 8192);
      int flags = data.consumeBoolean() ? FrameDescriptor.LAST : 0;
      all.writeBytes(frame(FrameType.DATA, flags, requestId, Unpooled.buffer().writeZero(bytes)));
    }
    return all;
  }
}
