package io.github.roram.proxy.client;

import io.github.roram.proxy.protocol.AnswerDescriptor;
import io.github.roram.store.PrintableText;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection to a proxy: sends requests, and tells of answers, of silence and of the end.
 *
 * <p>Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel closes it
abstract class ProxyLine {

  /** Longest payload of an answer: no proxy offers more. */
  private static final int MAX_PAYLOAD_BYTES = 32 << 20;

  private final Listener listener;

  /** Is told what comes, on the connection's thread. */
  interface Listener {

    /** Processes an answer; the payload is valid during the call. */
    void answered(AnswerDescriptor head, ByteBuffer payload) throws IOException;

    /**
     * Returns whether an answer has been due while nothing arrived for long; the connection then
     * ends.
     */
    boolean isSilent();

    /** Learns that nothing more will arrive. */
    void ended(@Nullable Throwable cause);
  }

  /** Makes lines. */
  @FunctionalInterface
  interface Maker {
    /**
     * Connects.
     *
     * @param failures attempts that failed before: after each it begins at another address
     * @throws ProxyException if there is no proxy
     */
    ProxyLine connect(ProxyAddress address, ProxyOptions options, int failures, Listener listener)
        throws IOException;
  }

  /** Tells of what comes, once it has a {@linkplain #channel channel}. */
  ProxyLine(Listener listener) {
    this.listener = listener;
  }

  /** Returns the channel of this line. */
  abstract Channel channel();

  /** Ends it. */
  abstract void close();

  /** Has a channel tell of what comes. */
  final void fill(Channel line, ProxyOptions options) {
    int longest = AnswerDescriptor.HEAD_BYTES + MAX_PAYLOAD_BYTES;
    line.pipeline()
        .addLast(
            new IdleStateHandler(options.silence().toMillis(), 0, 0, TimeUnit.MILLISECONDS),
            new LengthFieldBasedFrameDecoder(
                longest, AnswerDescriptor.LENGTH_OFFSET, Integer.BYTES),
            new Handler());
  }

  /** Sends a request; the payload is taken from where it is, and must stay until the answer. */
  final void send(ByteBuffer head, @Nullable ByteBuffer payload) {
    channel()
        .writeAndFlush(
            payload == null
                ? Unpooled.wrappedBuffer(head)
                : Unpooled.wrappedBuffer(head, payload.duplicate()));
  }

  /** Ends it after a while, unless the client has been let in by then. */
  final void endAfter(Duration time, BooleanSupplier letIn) {
    channel()
        .eventLoop()
        .schedule(
            () -> {
              if (!letIn.getAsBoolean()) {
                channel().pipeline().fireExceptionCaught(new IOException("no welcome came"));
              }
            },
            time.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private final class Handler extends ChannelInboundHandlerAdapter {

    private @Nullable Throwable cause;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
      ByteBuf frame = (ByteBuf) message;
      try {
        ByteBuffer bytes = frame.nioBuffer();
        listener.answered(AnswerDescriptor.decode(bytes), bytes);
      } finally {
        frame.release();
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof IdleStateEvent && listener.isSilent()) {
        exceptionCaught(context, new IOException("no answer came for long"));
      }
      context.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
      cause = cause == null ? failure : cause;
      context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      listener.ended(cause);
    }
  }

  /** Returns the reason for the end, for people to read. */
  static String reason(@Nullable Throwable cause) {
    return cause == null ? "the proxy hung up" : PrintableText.of(cause.getMessage());
  }
}
