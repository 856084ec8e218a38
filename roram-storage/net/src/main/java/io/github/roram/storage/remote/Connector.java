package io.github.roram.storage.remote;

import io.github.roram.storage.remote.RemoteConnection.ConnectionLostException;
import io.github.roram.storage.remote.protocol.FrameDecoder;
import io.github.roram.storage.remote.protocol.FrameDescriptor;
import io.github.roram.storage.remote.protocol.FrameDescriptor.FrameType;
import io.github.roram.storage.remote.protocol.Message.Hello;
import io.github.roram.storage.remote.protocol.Message.Welcome;
import io.github.roram.storage.remote.protocol.ProtocolException;
import io.github.roram.storage.remote.protocol.Sockets;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections to one server, through the handshake. Its thread ends with it.
 *
 * <p>Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel goes to its pipeline
final class Connector implements Closeable {

  /** Longest payload that this client takes. */
  static final int MAX_PAYLOAD_BYTES = (1 << 20) + (1 << 16);

  /**
   * Most bytes taken from the socket at once; Netty's own 64 KiB were slower for long answers, see
   * docs/measuring.md. A connection whose answers are short is given small buffers all the same.
   */
  private static final int MAX_RECEIVED_BYTES = 512 << 10;

  private static final int FIRST_RECEIVED_BYTES = 2 << 10;
  private static final int MIN_RECEIVED_BYTES = 64;

  private final RemoteAddress address;
  private final RemoteOptions options;
  private final @Nullable SslContext sslContext;
  private final byte[] token;
  private final AddressResolverGroup<?> resolver;
  private final EventLoopGroup group;

  Connector(RemoteAddress address, RemoteOptions options) throws IOException {
    this(address, options, DefaultAddressResolverGroup.INSTANCE);
  }

  /** Creates a connector that looks names up with {@code resolver}. */
  Connector(RemoteAddress address, RemoteOptions options, AddressResolverGroup<?> resolver)
      throws IOException {
    this.address = address;
    this.options = options;
    this.resolver = resolver;
    sslContext = address.tls() ? Trust.sslContext(options) : null;
    token = Hello.tokenIn(options.tokenFile());
    Trust.checkToken(address, token);
    group = Sockets.newGroup("roram-client", 1);
  }

  RemoteAddress address() {
    return address;
  }

  RemoteOptions options() {
    return options;
  }

  long requestTimeoutNanos() {
    return options.times().requestTimeout().toNanos();
  }

  /**
   * Connects.
   *
   * @throws ConnectionLostException if that fails for now
   * @throws javax.net.ssl.SSLHandshakeException if one side does not trust the other
   * @throws IOException if it would fail again
   * @throws io.github.roram.ConfigurationException if it would send the token in the clear
   */
  RemoteConnection connect() throws IOException {
    long timeoutNanos = options.times().connectTimeout().toNanos();
    int timeoutMillis =
        (int) Math.min(Integer.MAX_VALUE, options.times().connectTimeout().toMillis());
    Connected connected = new Connected();
    ChannelFuture future =
        new Bootstrap()
            .group(group)
            .channel(Sockets.channelType())
            .resolver(resolver)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMillis)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(
                    MIN_RECEIVED_BYTES, FIRST_RECEIVED_BYTES, MAX_RECEIVED_BYTES))
            .handler(connected)
            .connect(address.host(), address.port());
    if (!future.awaitUninterruptibly(timeoutNanos + 1_000_000, TimeUnit.NANOSECONDS)) {
      future.cancel(true);
      future.channel().close();
      throw new ConnectionLostException(
          address + " did not accept a connection within " + options.times().connectTimeout(),
          null);
    }
    if (!future.isSuccess()) {
      throw new ConnectionLostException(
          "no connection to " + address + ": " + future.cause(), future.cause());
    }
    RemoteConnection connection = connected.connection();
    try {
      Trust.checkToken(address, token, future.channel().remoteAddress());
      shakeHands(connection, connected, timeoutNanos);
      connection.startPinging(options.times().pingInterval().toNanos());
      return connection;
    } catch (ConnectionLostException e) {
      connection.close();
      throw Trust.isRefusal(e) ? Trust.refusal(address, e) : e;
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private void shakeHands(RemoteConnection connection, Connected connected, long timeoutNanos)
      throws IOException {
    Hello hello =
        new Hello(FrameDescriptor.VERSION, FrameDescriptor.VERSION, MAX_PAYLOAD_BYTES, token);
    try {
      Welcome welcome =
          connection.ask(
              FrameType.HELLO, hello.payload(), FrameType.WELCOME, Welcome::decode, timeoutNanos);
      if (welcome.maxPayloadBytes() > MAX_PAYLOAD_BYTES) {
        throw new ProtocolException(
            "server sends payloads of "
                + welcome.maxPayloadBytes()
                + " bytes, this client takes "
                + MAX_PAYLOAD_BYTES);
      }
      connection.setLimits(welcome);
      connected.decoder().setMaxPayloadBytes(welcome.maxPayloadBytes());
    } catch (ProtocolException e) {
      throw new ConnectionLostException(address + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly(10, TimeUnit.SECONDS);
  }

  /** Sets up a channel's pipeline. */
  private final class Connected extends ChannelInitializer<Channel> {
    private final FrameDecoder decoder = new FrameDecoder(MAX_PAYLOAD_BYTES);
    private volatile @Nullable RemoteConnection connection;

    FrameDecoder decoder() {
      return decoder;
    }

    RemoteConnection connection() {
      RemoteConnection made = connection;
      if (made == null) {
        throw new IllegalStateException("channel without a pipeline");
      }
      return made;
    }

    @Override
    protected void initChannel(Channel channel) {
      RemoteConnection made =
          new RemoteConnection(channel, address, options.memory().windowBytes());
      connection = made;
      if (sslContext != null) {
        SslHandler ssl = sslContext.newHandler(channel.alloc(), address.host(), address.port());
        ssl.setHandshakeTimeoutMillis(options.times().connectTimeout().toMillis());
        channel.pipeline().addLast(ssl);
      }
      channel.pipeline().addLast(decoder, made.new Receiver());
    }
  }
}
