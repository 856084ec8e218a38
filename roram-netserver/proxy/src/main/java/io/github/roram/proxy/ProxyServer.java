package io.github.roram.proxy;

import io.github.roram.AsyncOram;
import io.github.roram.storage.intake.OpenConnections;
import io.github.roram.storage.remote.protocol.Sockets;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares an ORAM with many clients, whose accesses are one sequence.
 *
 * <h2>Security</h2>
 *
 * Belongs on the trusted side: its clients read and write the data in the clear. What the store
 * sees is the ORAM's affair; requests become accesses one to one, in the order in which they come
 * and clients take turns, which does not depend on addresses, on data, nor on read against write.
 *
 * <p>Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel ends it
public final class ProxyServer implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(ProxyServer.class);

  private static final int BACKLOG = 256;

  private final ProxyConfig config;
  private final ProxyState state;
  private final EventLoopGroup loops = Sockets.newGroup("roram-proxy", 1);
  private final Channel listener;

  private final OpenConnections<ProxyConnection> connections;

  private boolean closed;
  private boolean drained;

  private ProxyServer(ProxyConfig config, AsyncOram oram) throws IOException {
    this.config = config;
    state = new ProxyState(config, oram);
    connections =
        new OpenConnections<>(state.limits().maxConnections(), ProxyConnection::handshakes);
    listener = listen();
  }

  /**
   * Starts a proxy.
   *
   * @param oram what is shared; stays the caller's
   * @throws IOException if it cannot listen where it should
   */
  public static ProxyServer start(ProxyConfig config, AsyncOram oram) throws IOException {
    return new ProxyServer(config, oram);
  }

  private Channel listen() throws IOException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(Sockets.serverChannelType())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            // Who died without a word gives its place back.
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    arrive(channel);
                  }
                })
            .bind(config.listen())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      state.turns().close();
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw new IOException(
          "cannot listen at "
              + config.listen()
              + ": "
              + bound.cause()
              + "; choose another address or port",
          bound.cause());
    }
    return bound.channel();
  }

  /** A connection came; one too many is closed. */
  private void arrive(Channel channel) {
    ProxyConnection connection = new ProxyConnection(state, channel);
    Channel oneTooMany = connections.add(channel, connection);
    config.observer().connectionOpened();
    channel.closeFuture().addListener(end -> forget(channel));
    if (config.sslContext() != null) {
      channel.pipeline().addLast(config.sslContext().newHandler(channel.alloc()));
    }
    channel.pipeline().addLast(connection);
    if (oneTooMany != null) {
      LOG.info(
          "there are more than {} connections: one is closed", state.limits().maxConnections());
      config.observer().connectionRefused();
      oneTooMany.close();
    }
  }

  private void forget(Channel channel) {
    connections.remove(channel);
    config.observer().connectionClosed();
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /** Number of connections. */
  public int connections() {
    return connections.count();
  }

  /** Bytes that are held of requests and answers. */
  public long heldBytes() {
    return state.budget().used();
  }

  /** Requests that were not passed to the ORAM yet. */
  public int waiting() {
    return state.turns().waiting();
  }

  /** Requests that are not answered. */
  public long requests() {
    return state.underWay().requests();
  }

  /** Whether it was closed, and everything that was under way then was answered. */
  public synchronized boolean isDrained() {
    return drained;
  }

  /**
   * Takes no more requests, answers those under way within the {@linkplain ProxyLimits#drain
   * bound}, and ends all connections. The ORAM stays open; close it next.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    listener.close().awaitUninterruptibly();
    Duration bound = state.limits().drain();
    long unanswered = state.underWay().drain(bound);
    drained = unanswered == 0;
    if (!drained) {
      LOG.warn("{} requests were not answered within {}", unanswered, bound);
    }
    for (Channel each : connections.all()) {
      each.close().awaitUninterruptibly();
    }
    state.turns().close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @Override
  public String toString() {
    return "proxy at " + address();
  }
}
