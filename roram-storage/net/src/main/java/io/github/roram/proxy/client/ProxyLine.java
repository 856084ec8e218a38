package io.github.roram.proxy.client;

import io.github.roram.ConfigurationException;
import io.github.roram.proxy.protocol.AnswerDescriptor;
import io.github.roram.storage.remote.protocol.PrintableText;
import io.github.roram.storage.remote.protocol.Sockets;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection to a proxy: sends requests, and tells of answers, of silence and of the end.
 *
 * <p>Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel closes it
final class ProxyLine {

  /** Longest payload of an answer: no proxy offers more. */
  private static final int MAX_PAYLOAD_BYTES = 32 << 20;

  private final EventLoopGroup group = Sockets.newGroup("roram-proxy-client", 1);
  private final Listener listener;
  private final Channel channel;

  /** Is told what comes, on the connection's thread. */
  interface Listener {

    /** An answer; the payload is valid during the call. */
    void answered(AnswerDescriptor head, ByteBuffer payload) throws IOException;

    /** Whether an answer has been due while nothing came for long; the connection then ends. */
    boolean isSilent();

    /** Nothing will come any more. */
    void ended(@Nullable Throwable cause);
  }

  /** Connects. */
  ProxyLine(ProxyAddress address, ProxyOptions options, Listener listener) throws IOException {
    this.listener = listener;
    try {
      channel = connected(address, options);
    } catch (IOException | RuntimeException e) {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw e;
    }
  }

  /** Takes the first of the host's addresses where somebody listens. */
  private Channel connected(ProxyAddress address, ProxyOptions options) throws IOException {
    SslContext ssl = options.tls() == null ? null : options.tls().clientContext();
    Throwable cause = null;
    for (InetAddress host : InetAddress.getAllByName(address.host())) {
      checkSecret(address, host, ssl != null);
      ChannelFuture connected =
          new Bootstrap()
              .group(group)
              .channel(Sockets.channelType())
              .option(ChannelOption.TCP_NODELAY, true)
              .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) options.connect().toMillis())
              .handler(
                  new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel line) {
                      fill(line, address, ssl, options);
                    }
                  })
              .connect(new InetSocketAddress(host, address.port()))
              .awaitUninterruptibly();
      if (connected.isSuccess()) {
        return connected.channel();
      }
      cause = connected.cause();
    }
    throw new ProxyException(
        "no connection to " + address + ": " + reason(cause) + "; is the proxy running?", cause);
  }

  private static void checkSecret(ProxyAddress address, InetAddress host, boolean tls) {
    if (!tls && !host.isLoopbackAddress()) {
      throw new ConfigurationException(
          address
              + " is at "
              + host.getHostAddress()
              + ", off the loopback, and the data would go there in the clear; give the"
              + " certificate of the proxy's authority");
    }
  }

  private void fill(
      Channel line, ProxyAddress address, @Nullable SslContext ssl, ProxyOptions options) {
    if (ssl != null) {
      line.pipeline().addLast(ssl.newHandler(line.alloc(), address.host(), address.port()));
    }
    int longest = AnswerDescriptor.HEAD_BYTES + MAX_PAYLOAD_BYTES;
    line.pipeline()
        .addLast(
            new IdleStateHandler(options.silence().toMillis(), 0, 0, TimeUnit.MILLISECONDS),
            new LengthFieldBasedFrameDecoder(
                longest, AnswerDescriptor.LENGTH_OFFSET, Integer.BYTES),
            new Handler());
  }

  /** Sends a request; the payload is taken from where it is, and must stay until the answer. */
  void send(ByteBuffer head, @Nullable ByteBuffer payload) {
    channel.writeAndFlush(
        payload == null
            ? Unpooled.wrappedBuffer(head)
            : Unpooled.wrappedBuffer(head, payload.duplicate()));
  }

  /** Whether this is the thread that answers come on. */
  boolean isOwnThread() {
    return channel.eventLoop().inEventLoop();
  }

  void close() {
    channel.close().awaitUninterruptibly();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
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

  /** What led to the end, for people. */
  static String reason(@Nullable Throwable cause) {
    return cause == null ? "the proxy hung up" : PrintableText.of(cause.getMessage());
  }
}
