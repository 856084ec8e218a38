package io.github.roram.intake;

import io.github.roram.intake.SharedIntake.RequestsInFlight;
import io.github.roram.storage.remote.protocol.Sockets;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listening socket and the connections accepted on it, which are admitted fairly. It ends in two
 * steps, so that event loops exist as long as tasks are submitted to them.
 *
 * <p>Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel ends it
public final class Listener implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

  private static final int BACKLOG = 256;

  private final SocketAddress listen;
  private final ChannelGroup connections =
      new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final Admission admission;
  private final @Nullable SslContext sslContext;
  private final ConnectionObserver observer;
  private final Arrivals arrivals;
  private final @Nullable UnixSocketFile socket;
  private final EventLoopGroup acceptors;
  private final EventLoopGroup loops;
  private final Channel channel;

  /** Serves the connections. */
  @FunctionalInterface
  public interface Arrivals {

    /** Adds the handlers that serve a new connection to its pipeline. Must not block. */
    void arrived(Channel connection, Admission.Visitor visitor);
  }

  /**
   * Is told about connections. Called on the threads that handle them: implementations are thread
   * safe and return at once.
   */
  public interface ConnectionObserver {

    /** Called when a client has connected. */
    default void connectionOpened() {}

    /** Called when a connection that was {@linkplain #connectionOpened opened} has ended. */
    default void connectionClosed() {}

    /** Called when a connection was refused because there are too many. */
    default void connectionRefused() {}
  }

  /**
   * Starts to listen.
   *
   * @param name name of the threads
   * @param threads number of event loops that serve connections
   * @param listen address to listen at: a Unix socket, or host and port; port 0 picks one
   * @param sslContext for TLS from the first byte on; null for none
   * @throws IOException if it cannot listen at that address
   * @throws io.github.roram.ConfigurationException if something else is at the socket's path
   */
  public Listener(
      String name,
      int threads,
      SocketAddress listen,
      Admission admission,
      @Nullable SslContext sslContext,
      ConnectionObserver observer,
      Arrivals arrivals)
      throws IOException {
    this.listen = listen;
    this.admission = admission;
    this.sslContext = sslContext;
    this.observer = observer;
    this.arrivals = arrivals;
    socket =
        listen instanceof UnixDomainSocketAddress unix ? new UnixSocketFile(unix.getPath()) : null;
    acceptors = newGroup(name + "-accept", 1);
    loops = newGroup(name, threads);
    try {
      channel = bind();
    } catch (IOException e) {
      if (socket != null) {
        socket.giveUp();
      }
      close();
      throw e;
    }
  }

  private EventLoopGroup newGroup(String name, int threads) {
    return socket == null
        ? Sockets.newGroup(name, threads)
        : new MultiThreadIoEventLoopGroup(
            threads, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
  }

  private Channel bind() throws IOException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(acceptors, loops)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel connection) {
                    arrive(connection);
                  }
                });
    if (socket == null) {
      bootstrap
          .channel(Sockets.serverChannelType())
          .option(ChannelOption.SO_REUSEADDR, true)
          .childOption(ChannelOption.TCP_NODELAY, true)
          // A client that vanished without closing its connection gives its place back.
          .childOption(ChannelOption.SO_KEEPALIVE, true);
    } else {
      bootstrap.channel(NioServerDomainSocketChannel.class);
    }
    ChannelFuture bound =
        bootstrap.bind(socket == null ? listen : socket.bound()).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException(
          "cannot listen at " + listen + ": " + bound.cause() + "; choose another address",
          bound.cause());
    }
    if (socket != null) {
      socket.publish();
    }
    return bound.channel();
  }

  private void arrive(Channel connection) {
    connections.add(connection);
    observer.connectionOpened();
    Admission.Visitor visitor =
        admission.arrive(connection.remoteAddress(), () -> pushOut(connection));
    connection
        .closeFuture()
        .addListener(
            end -> {
              visitor.leave();
              observer.connectionClosed();
            });
    if (sslContext != null) {
      connection.pipeline().addLast(sslContext.newHandler(connection.alloc()));
    }
    arrivals.arrived(connection, visitor);
  }

  private void pushOut(Channel connection) {
    observer.connectionRefused();
    LOG.info(
        "the connection from {} is closed: there are too many, and most are from there",
        connection.remoteAddress());
    connection.close();
  }

  /** Returns the address that it listens at. */
  public SocketAddress address() {
    return socket == null ? channel.localAddress() : listen;
  }

  /** Returns the number of connections. */
  public int connections() {
    return connections.size();
  }

  /**
   * Closes all connections at once. New ones are still accepted, which closing the channel group
   * would prevent.
   */
  public void disconnectAll() {
    connections.forEach(Channel::close);
  }

  /**
   * Accepts no more connections, has further requests refused, waits for those in flight, and
   * closes all connections.
   *
   * @param bound longest time to wait
   * @return whether all requests were answered
   */
  public boolean drain(RequestsInFlight underWay, Duration bound) {
    channel.close().awaitUninterruptibly();
    if (socket != null) {
      socket.remove();
    }
    long unanswered = underWay.drain(bound);
    if (unanswered > 0 && !bound.isZero()) {
      LOG.warn("{} requests were not finished within {}", unanswered, bound);
    }
    connections.close().awaitUninterruptibly();
    return unanswered == 0;
  }

  /** Ends the event loops. */
  @Override
  public void close() {
    acceptors.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
