package io.github.roram.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.remote.RemoteCall.BatchParts.Part;
import io.github.roram.storage.remote.RemoteConnection.ConnectionLostException;
import io.github.roram.storage.remote.WriteCall.WriteRequest;
import io.github.roram.storage.remote.protocol.FrameDecoder;
import io.github.roram.storage.remote.protocol.FrameDescriptor.Frame;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.Welcome;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.threads.Uninterrupted;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writes are sent while their source fills them, and can be sent once more as they were. */
final class WriteRequestTest {

  private static final int UNIT_BYTES = 1 << 12;
  private static final int FRAME_BYTES = 100_000;
  private static final RemoteAddress ADDRESS = new RemoteAddress(false, "server", 1, "volume");

  private final byte[] data = new byte[200 * UNIT_BYTES];
  private final Part part = new Part(batch(), 0, null);
  private final List<EmbeddedChannel> channels = new ArrayList<>();
  private final EmbeddedChannel channel = channel();
  private final RemoteConnection connection = connection(channel);

  WriteRequestTest() {
    new Random(1).nextBytes(data);
  }

  /** Of two extents: a long one, and one of a unit. */
  private static ExtentBatch batch() {
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.EVICT_WRITE, 0, UNIT_BYTES);
    batch.add(0, 199);
    batch.add(1 << 20, 1);
    return batch;
  }

  private EmbeddedChannel channel() {
    EmbeddedChannel opened = new EmbeddedChannel();
    channels.add(opened);
    return opened;
  }

  private static RemoteConnection connection(EmbeddedChannel channel) {
    RemoteConnection connection = new RemoteConnection(channel, ADDRESS, 1 << 20);
    connection.setLimits(new Welcome(1, FRAME_BYTES, 1 << 30, 1 << 10, 0));
    channel.pipeline().addLast(connection.new Receiver());
    return connection;
  }

  @AfterEach
  void close() {
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  /** What the server gets; nothing that waits to be flushed. */
  private static List<Frame> sent(EmbeddedChannel channel) {
    EmbeddedChannel server = new EmbeddedChannel(new FrameDecoder(FRAME_BYTES));
    for (ByteBuf bytes = channel.readOutbound(); bytes != null; bytes = channel.readOutbound()) {
      server.writeInbound(bytes);
    }
    List<Frame> frames = new ArrayList<>();
    for (Frame frame = server.readInbound(); frame != null; frame = server.readInbound()) {
      frames.add(frame);
    }
    server.finish();
    return frames;
  }

  private static byte[] dataOf(List<Frame> frames) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Frame frame : frames) {
      if (frame.type() == FrameType.DATA) {
        byte[] payload = new byte[frame.payload().readableBytes()];
        frame.payload().getBytes(frame.payload().readerIndex(), payload);
        all.writeBytes(payload);
      }
      frame.release();
    }
    return all.toByteArray();
  }

  private WriteRequest filled(RemoteConnection over) throws IOException {
    return WriteRequest.fill(
        ADDRESS,
        part,
        (first, units) -> units.put(data, first * UNIT_BYTES, units.remaining()),
        over);
  }

  @Test
  void whatIsFilledIsSentBeforeTheRestIs() throws IOException {
    List<Frame> frames = new ArrayList<>();
    List<Integer> framesBefore = new ArrayList<>();
    WriteRequest request =
        WriteRequest.fill(
            ADDRESS,
            part,
            (first, units) -> {
              frames.addAll(sent(channel));
              framesBefore.add(frames.size());
              units.put(data, first * UNIT_BYTES, units.remaining());
            },
            connection);
    // Nothing; the request and 128 KB in two frames; and so on. Of a short rest nothing is sent.
    assertThat(framesBefore).startsWith(0, 3, 5).hasSizeGreaterThan(6);
    frames.addAll(sent(channel));
    assertThat(dataOf(frames)).isEqualTo(data);
    request.release();
  }

  @Test
  void whatWasSentWhileItWasFilledIsNotSentOverTheSameConnectionAgain() throws IOException {
    WriteRequest request = filled(connection);
    assertThat(dataOf(sent(channel))).isEqualTo(data);
    try (Exchange exchange = request.send(connection)) {
      assertThat(exchange.requestId()).isEqualTo(1);
      assertThat(sent(channel)).isEmpty();
    }
    try (Exchange exchange = request.send(connection)) {
      assertThat(exchange.requestId()).isEqualTo(2);
      assertThat(dataOf(sent(channel))).isEqualTo(data);
    }
    request.release();
  }

  @Test
  void overAnotherConnectionAllOfItIsSent() throws IOException {
    WriteRequest request = filled(connection);
    EmbeddedChannel other = channel();
    request.send(connection(other)).close();
    assertThat(dataOf(sent(other))).isEqualTo(data);
    request.release();
  }

  /** It is lost before the request is begun, or while it is filled. */
  @Test
  void aConnectionThatIsLostDoesNotKeepItFromBeingFilled() throws IOException {
    connection.close();
    WriteRequest late = filled(connection);
    EmbeddedChannel cut = channel();
    RemoteConnection lost = connection(cut);
    WriteRequest early =
        WriteRequest.fill(
            ADDRESS,
            part,
            (first, units) -> {
              units.put(data, first * UNIT_BYTES, units.remaining());
              lost.close();
            },
            lost);
    for (WriteRequest request : List.of(late, early)) {
      assertThatThrownBy(
              () -> {
                try (Exchange exchange = request.send(lost)) {
                  exchange.take(1);
                }
              })
          .isInstanceOf(ConnectionLostException.class);
      EmbeddedChannel other = channel();
      request.send(connection(other)).close();
      assertThat(dataOf(sent(other))).isEqualTo(data);
      request.release();
    }
  }

  /** A server may take one request at a time: two of which neither is whole would wait for ever. */
  @Test
  void ofTwoWritesOneIsSentAfterTheOther() throws Exception {
    CountDownLatch filled = new CountDownLatch(1);
    List<WriteRequest> requests = Collections.synchronizedList(new ArrayList<>());
    WriteRequest first =
        WriteRequest.fill(
            ADDRESS,
            part,
            (start, units) -> {
              units.put(data, start * UNIT_BYTES, units.remaining());
              if (start > 0 && filled.getCount() > 0) {
                Thread second =
                    new Thread(
                        () -> {
                          try {
                            requests.add(filled(connection));
                          } catch (IOException e) {
                            throw new UncheckedIOException(e);
                          } finally {
                            filled.countDown();
                          }
                        });
                second.start();
                Uninterrupted.await(filled::await);
              }
            },
            connection);
    requests.get(0).send(connection).close();
    List<Long> order = new ArrayList<>();
    for (Frame frame : sent(channel)) {
      order.add(frame.requestId());
      frame.release();
    }
    assertThat(order).isSorted().contains(1L, 2L);
    first.release();
    requests.get(0).release();
  }

  /** Else the server would wait for the rest, with the volume's place in line. */
  @Test
  void aSourceThatFailsHalfWayEndsTheConnection() {
    IOException failure = new IOException("no more");
    assertThatThrownBy(
            () ->
                WriteRequest.fill(
                    ADDRESS,
                    part,
                    (first, units) -> {
                      if (first > 0) {
                        throw failure;
                      }
                    },
                    connection))
        .isSameAs(failure);
    assertThat(connection.isOpen()).isFalse();
  }

  @Test
  void ofASourceThatFailsAtOnceTheServerHearsNothing() {
    IOException failure = new IOException("nothing");
    assertThatThrownBy(
            () ->
                WriteRequest.fill(
                    ADDRESS,
                    part,
                    (first, units) -> {
                      throw failure;
                    },
                    connection))
        .isSameAs(failure);
    assertThat(connection.isOpen()).isTrue();
    assertThat(sent(channel)).isEmpty();
  }
}
