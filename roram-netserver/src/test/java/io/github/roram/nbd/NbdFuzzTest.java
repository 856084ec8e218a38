package io.github.roram.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.roram.intake.Admission;
import io.github.roram.intake.ClientConnection;
import io.github.roram.intake.HandshakeLimits;
import io.github.roram.intake.IntakeLimits;
import io.github.roram.nbd.NbdServer.NbdState;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Whatever a client sends, in whatever pieces: what is held of it is bounded and comes back, and
 * nothing is asked of the device that does not lie within it. Magic numbers are made on purpose.
 *
 * <p>In the normal build this runs on nothing. To search:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl roram-netserver -am test -Dtest='NbdFuzzTest#anyStream' -Djazzer.instrument='io.github.roram.nbd.**' -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // an embedded channel closes at once
final class NbdFuzzTest {

  private static final int BYTES = 1 << 20;

  /** Checks what it is asked for. */
  private static final class CheckedDevice implements BlockDevice {
    @Override
    public long bytes() {
      return BYTES;
    }

    @Override
    public int blockBytes() {
      return 4096;
    }

    @Override
    public int longestBytes() {
      return IntakeLimits.MOST_REQUEST_BYTES;
    }

    private static CompletableFuture<Void> check(long offset, long length) {
      assertThat(offset).isBetween(0L, (long) BYTES);
      assertThat(length).isBetween(1L, BYTES - offset);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> read(long offset, ByteBuffer target) {
      return check(offset, target.remaining());
    }

    @Override
    public CompletableFuture<Void> write(long offset, ByteBuffer source, boolean durable) {
      return check(offset, source.remaining());
    }

    @Override
    public CompletableFuture<Void> zero(long offset, long length, boolean durable) {
      return check(offset, length);
    }

    @Override
    public CompletableFuture<Void> trim(long offset, long length, boolean durable) {
      return check(offset, length);
    }

    @Override
    public CompletableFuture<Void> flush() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }

  @FuzzTest(maxDuration = "20s")
  void briefly(FuzzedDataProvider data) throws IOException {
    anyStream(data);
  }

  @FuzzTest(maxDuration = "10m")
  void anyStream(FuzzedDataProvider data) throws IOException {
    NbdState state =
        new NbdState(
            new NbdConfig(
                UnixDomainSocketAddress.of("/nowhere"),
                List.of(
                    new Export("a", "x", false, new CheckedDevice()),
                    new Export("b", "", true, new CheckedDevice())),
                NbdConfig.defaultLimits(),
                null,
                false));
    EmbeddedChannel channel = new EmbeddedChannel();
    Admission.Visitor visitor =
        new Admission(1, HandshakeLimits.defaults()).arrive(null, channel::close);
    channel
        .pipeline()
        .addLast(
            new ClientConnection(
                state.intake(),
                channel,
                visitor,
                connection -> new NbdHandshake(state, connection)));
    channel.pipeline().fireChannelActive();
    send(channel, data, ByteBuffer.allocate(4).putInt(data.consumeInt(0, 4)).flip());
    for (int i = 0; i < 60 && data.remainingBytes() > 0 && channel.isActive(); i++) {
      send(channel, data, next(data));
      channel.releaseOutbound();
      assertThat(state.intake().budget().used())
          .isLessThanOrEqualTo(state.config().limits().connectionBytes());
    }
    channel.close();
    channel.runPendingTasks();
    channel.finishAndReleaseAll();
    assertThat(state.intake().budget().used()).as("bytes that are not given back").isZero();
    assertThat(state.intake().underWay().requests()).isZero();
  }

  private static ByteBuffer next(FuzzedDataProvider data) {
    return switch (data.consumeInt(0, 4)) {
      case 0 -> ByteBuffer.wrap(data.consumeBytes(100));
      case 1 -> {
        byte[] bytes = data.consumeBytes(64);
        yield option(
            data.consumeInt(0, 12),
            data.consumeBoolean() ? bytes.length : data.consumeInt(),
            bytes);
      }
      case 2 -> {
        byte[] info = RawClient.info(data.pickValue(new String[] {"", "a", "b", "c"}), 1, 3);
        yield option(data.consumeInt(6, 7), info.length, info);
      }
      default -> {
        int command = data.consumeInt(0, 8);
        int length = data.consumeBoolean() ? data.consumeInt(0, 5000) : data.consumeInt();
        long offset = data.consumeBoolean() ? data.consumeLong(0, BYTES) : data.consumeLong();
        yield RawClient.request(data.consumeInt(0, 31), command, 1, offset, length);
      }
    };
  }

  private static ByteBuffer option(int option, int length, byte[] bytes) {
    return ByteBuffer.allocate(16 + bytes.length)
        .putLong(HandshakeDescriptor.OPTION_MAGIC)
        .putInt(option)
        .putInt(length)
        .put(bytes)
        .flip();
  }

  /** In one piece, or in two. */
  private static void send(EmbeddedChannel channel, FuzzedDataProvider data, ByteBuffer bytes) {
    ByteBuf whole = Unpooled.wrappedBuffer(bytes);
    int cut = data.consumeInt(0, whole.readableBytes());
    ByteBuf head = whole.readRetainedSlice(cut);
    channel.pipeline().fireChannelRead(head);
    channel.pipeline().fireChannelRead(whole);
    channel.runPendingTasks();
  }
}
