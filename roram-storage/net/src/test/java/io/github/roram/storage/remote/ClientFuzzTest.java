package io.github.roram.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.github.roram.ConfigurationException;
import io.github.roram.storage.remote.ReadCall.Pieces;
import io.github.roram.storage.remote.ReadCall.UnitAssembler;
import io.github.roram.storage.remote.RemoteConnection.Answers;
import io.github.roram.storage.remote.protocol.FrameDecoder;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.VolumeInfo;
import io.github.roram.storage.remote.protocol.Message.VolumeOpened;
import io.github.roram.storage.remote.protocol.Message.Welcome;
import io.github.roram.store.ExtentBatch;
import io.github.roram.testkit.Batches;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Whatever a server answers: the client's calls end with an answer or one of the errors that they
 * announce, a sink gets whole units in order, and all memory comes back.
 *
 * <p>In the normal build this runs once on nothing and on the inputs that are kept. To search:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl roram-storage/net -am test -Dtest=ClientFuzzTest -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
final class ClientFuzzTest {

  private static final int MAX_PAYLOAD_BYTES = 1 << 13;
  private static final int WINDOW_BYTES =
      1 << 18; // never full: this one thread takes for all requests
  private static final ExtentBatch BATCH = Batches.of(100, 0, 20, 5000, 30);
  private static final RemoteAddress ADDRESS = new RemoteAddress(false, "server", 1, "volume");

  private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);

  @FuzzTest(maxDuration = "10m")
  void anyAnswers(FuzzedDataProvider data) throws Exception {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.config().setAllocator(memory);
    RemoteConnection connection = new RemoteConnection(channel, ADDRESS, WINDOW_BYTES);
    channel.pipeline().addLast(new FrameDecoder(MAX_PAYLOAD_BYTES), connection.new Receiver());
    try (Exchange hello = connection.request(FrameType.HELLO, Unpooled.EMPTY_BUFFER);
        Exchange read = connection.request(FrameType.READ, Unpooled.EMPTY_BUFFER);
        Exchange sync = connection.request(FrameType.SYNC, Unpooled.EMPTY_BUFFER)) {
      for (int i = 0; i < 30 && data.remainingBytes() > 0; i++) {
        answer(channel, data);
        channel.runPendingTasks();
        assertThat(memory.metric().usedHeapMemory()).isLessThan(WINDOW_BYTES);
      }
      ending(() -> takeSmall(hello));
      ending(() -> takeRead(read));
      ending(() -> takeSmall(sync));
    }
    connection.close();
    channel.finishAndReleaseAll();
    assertThat(memory.metric().usedHeapMemory() + memory.metric().usedDirectMemory()).isZero();
  }

  /** A call of a store. */
  private interface Call {
    void run() throws IOException;
  }

  private static void ending(Call call) {
    try {
      call.run();
    } catch (IOException | ConfigurationException | IndexOutOfBoundsException e) {
      assertThat(e.getMessage()).isNotNull();
    }
  }

  private static void takeSmall(Exchange exchange) throws IOException {
    Frame frame = exchange.take(1);
    try {
      Answers.expect(frame, frame.type(), ADDRESS);
      ByteBuf payload = frame.payload();
      switch (frame.type()) {
        case WELCOME -> assertThat(Welcome.decode(payload).version()).isEqualTo(1);
        case VOLUME_OPENED -> assertThat(VolumeOpened.decode(payload)).isNotNull();
        case VOLUME_INFO -> assertThat(VolumeInfo.decode(payload)).isNotNull();
        default -> Answers.expect(frame, FrameType.DONE, ADDRESS);
      }
    } finally {
      frame.release();
    }
  }

  private static void takeRead(Exchange exchange) throws IOException {
    int[] next = new int[1];
    UnitAssembler assembler =
        new UnitAssembler(
            Pieces.of(BATCH),
            (unit, units) -> {
              assertThat(unit).isEqualTo(next[0]);
              assertThat(units.remaining() % 100).isZero();
              next[0] += units.remaining() / 100;
            });
    assembler.restart();
    boolean last = false;
    while (!last) {
      Frame frame = exchange.take(1);
      try {
        Answers.expect(frame, FrameType.DATA, ADDRESS);
        for (ByteBuffer bytes : frame.payload().nioBuffers()) {
          assembler.feed(bytes);
        }
        last = frame.head().has(FrameDescriptor.LAST);
      } finally {
        frame.release();
      }
    }
    assembler.finish();
    assertThat(next[0]).isEqualTo(BATCH.units());
  }

  private void answer(EmbeddedChannel channel, FuzzedDataProvider data) {
    ByteBuf bytes =
        switch (data.consumeInt(0, 3)) {
          case 0 -> Unpooled.wrappedBuffer(data.consumeBytes(100));
          case 1 ->
              frame(
                  data, FrameType.DATA, Unpooled.buffer().writeZero(100 * data.consumeInt(0, 60)));
          case 2 ->
              frame(data, FrameType.DATA, Unpooled.buffer().writeZero(data.consumeInt(0, 6000)));
          default ->
              frame(
                  data,
                  data.pickValue(FrameType.values()),
                  Unpooled.wrappedBuffer(data.consumeBytes(100)));
        };
    while (bytes.isReadable()) {
      int most = bytes.readableBytes();
      int length = data.consumeBoolean() ? most : data.consumeInt(1, most);
      ByteBuf piece = memory.buffer(length);
      piece.writeBytes(bytes, length);
      if (channel.isOpen() && channel.config().isAutoRead()) {
        channel.writeInbound(piece);
      } else {
        piece.release();
      }
    }
  }

  private static ByteBuf frame(FuzzedDataProvider data, FrameType type, ByteBuf payload) {
    return FrameDescriptor.frame(
        new UnpooledByteBufAllocator(false),
        type,
        data.consumeInt(0, 1),
        data.consumeInt(0, 4),
        payload);
  }
}
