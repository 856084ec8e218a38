package io.github.roram.storage.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.remote.RemoteConnection.ConnectionLostException;
import io.github.roram.storage.remote.protocol.FrameDecoder;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers that bring nothing, as fast as they can be sent; and how requests are sent. */
final class RemoteConnectionTest {

  private static final int WINDOW_BYTES = 1 << 14;

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final RemoteConnection connection =
      new RemoteConnection(channel, new RemoteAddress(false, "server", 1, "volume"), WINDOW_BYTES);

  @BeforeEach
  void connect() {
    channel.pipeline().addLast(new FrameDecoder(100), connection.new Receiver());
  }

  @AfterEach
  void close() {
    connection.close();
    channel.finishAndReleaseAll();
  }

  private void answer(FrameType type, Exchange to) {
    ByteBuf frame =
        FrameDescriptor.frame(
            UnpooledByteBufAllocator.DEFAULT, type, 0, to.requestId(), Unpooled.EMPTY_BUFFER);
    channel.writeInbound(frame);
  }

  /** Each would be taken for a sign of life. */
  @Test
  void dataOfNoBytesEndTheConnection() throws Exception {
    try (Exchange read = connection.request(FrameType.READ, Unpooled.EMPTY_BUFFER)) {
      answer(FrameType.DATA, read);
      assertThatThrownBy(() -> read.take(1))
          .isInstanceOf(ConnectionLostException.class)
          .hasMessageContaining("no bytes");
      assertThat(connection.isOpen()).isFalse();
    }
  }

  @Test
  void answersThatNobodyTakesFillTheWindowHoweverShortTheyAre() throws Exception {
    try (Exchange sync = connection.request(FrameType.SYNC, Unpooled.EMPTY_BUFFER)) {
      for (int i = 0; i < 100; i++) {
        answer(FrameType.DONE, sync);
      }
      assertThat(channel.config().isAutoRead()).isFalse();
      for (int i = 0; i < 100; i++) {
        sync.take(1).release();
      }
      channel.runPendingTasks();
      assertThat(channel.config().isAutoRead()).isTrue();
    }
  }

  /** Else each lost connection would be in memory for as long as its store is open. */
  @Test
  void nothingIsKeptOfAConnectionThatEnded() throws Exception {
    Welcome welcome = new Welcome(FrameDescriptor.VERSION, 1 << 20, 1 << 20, 100, 1);
    try (FakeServer server =
            new FakeServer(InetAddress.getLoopbackAddress(), FrameType.WELCOME, welcome.payload());
        Connector connector =
            new Connector(
                new RemoteAddress(false, "127.0.0.1", server.port(), "volume"),
                RemoteOptions.defaults())) {
      WeakReference<RemoteConnection> ended = ended(connector);
      for (int i = 0; i < 200 && !ended.refersTo(null); i++) {
        System.gc();
        Thread.sleep(20);
      }
      assertThat(ended.refersTo(null)).isTrue();
    }
  }

  private static WeakReference<RemoteConnection> ended(Connector connector) throws IOException {
    RemoteConnection made = connector.connect();
    made.close();
    return new WeakReference<>(made);
  }

  /** TLS enciphers all that waits before it sends any. */
  @Test
  void longDataGoesWhileTheRestIsWritten() throws Exception {
    List<Integer> writtenAtFlush = new ArrayList<>();
    channel
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              private int written;

              @Override
              public void write(
                  ChannelHandlerContext context, Object message, ChannelPromise done) {
                written += ((ByteBuf) message).readableBytes();
                context.write(message, done);
              }

              @Override
              public void flush(ChannelHandlerContext context) {
                writtenAtFlush.add(written);
                context.flush();
              }
            });
    ByteBuf piece = Unpooled.wrappedBuffer(new byte[64 << 10]);
    connection
        .request(FrameType.WRITE, Unpooled.EMPTY_BUFFER, Collections.nCopies(8, piece))
        .close();
    assertThat(writtenAtFlush).hasSizeGreaterThanOrEqualTo(4);
    int before = 0;
    for (int written : writtenAtFlush) {
      assertThat(written - before).isLessThan(192 << 10);
      before = written;
    }
    assertThat(before).isGreaterThan(8 * (64 << 10));
  }
}
