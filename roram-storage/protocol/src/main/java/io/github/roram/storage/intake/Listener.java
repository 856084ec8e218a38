package io.github.roram.storage.intake;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a server listens, and the connections that came, which are admitted fairly.
 *
 * <p>Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel ends it
public final class Listener implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

  private static final int BACKLOG = 256;

  private final ChannelGroup connections =
      new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final Admission admission;
  private final @Nullable SslContext sslContext;
  private final Protocol protocol;
  private final Channel channel;

  /** Serves connections. */
  @FunctionalInterface
  public interface Protocol {

    /** A connection came: adds to its pipeline what serves it. Must not block. */
    void arrived(Channel connection, Admission.Visitor visitor);

    /** A connection is closed, since others need its place. For any thread. */
    default void pushedOut() {}

    /** A connection has ended. For its event loop. */
    default void ended() {}
  }

  private Listener(
      ServerBootstrap bootstrap,
      SocketAddress address,
      Admission admission,
      @Nullable SslContext sslContext,
      Protocol protocol)
      throws IOException {
    this.admission = admission;
    this.sslContext = sslContext;
    this.protocol = protocol;
    ChannelFuture bound =
        bootstrap
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel connection) {
                    arrive(connection);
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "cannot listen at " + address + ": " + bound.cause() + "; choose another address",
          bound.cause());
    }
    channel = bound.channel();
  }

  /**
   * Listens from now on.
   *
   * @param bootstrap with event loops, the kind of channel and its options
   * @param sslContext for TLS from the first byte on; null for none
   * @throws IOException if that is not possible there
   */
  public static Listener open(
      ServerBootstrap bootstrap,
      SocketAddress address,
      Admission admission,
      @Nullable SslContext sslContext,
      Protocol protocol)
      throws IOException {
    return new Listener(bootstrap, address, admission, sslContext, protocol);
  }

  private void arrive(Channel connection) {
    connections.add(connection);
    Admission.Visitor visitor =
        admission.arrive(connection.remoteAddress(), () -> pushOut(connection));
    connection
        .closeFuture()
        .addListener(
            end -> {
              visitor.leave();
              protocol.ended();
            });
    if (sslContext != null) {
      connection.pipeline().addLast(sslContext.newHandler(connection.alloc()));
    }
    protocol.arrived(connection, visitor);
  }

  private void pushOut(Channel connection) {
    protocol.pushedOut();
    LOG.info(
        "the connection from {} is closed: there are too many, and most are from there",
        connection.remoteAddress());
    connection.close();
  }

  /** Where it listens. */
  public SocketAddress address() {
    return channel.localAddress();
  }

  /** Number of connections. */
  public int connections() {
    return connections.size();
  }

  /** Takes no more connections; those that came go on. */
  @Override
  public void close() {
    channel.close().awaitUninterruptibly();
  }

  /** Ends all connections. */
  public void closeConnections() {
    connections.close().awaitUninterruptibly();
  }
}
