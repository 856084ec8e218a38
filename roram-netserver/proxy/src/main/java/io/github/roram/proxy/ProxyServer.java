package io.github.roram.proxy;

import io.github.roram.AsyncOram;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shares an ORAM with many clients, whose accesses are one after another for all of them.
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
  private static final long POLL_NANOS = 2_000_000;

  private final ProxyConfig config;
  private final ProxyState state;
  private final EventLoopGroup loops = Sockets.newGroup("roram-proxy", 1);
  private final Channel listener;

  /** In the order in which they came. */
  private final Map<Channel, ProxyConnection> connections = new LinkedHashMap<>();

  private boolean closed;
  private boolean drained;

  private ProxyServer(ProxyConfig config, AsyncOram oram) throws IOException {
    this.config = config;
    state = new ProxyState(config, oram);
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
    Channel oneTooMany = null;
    synchronized (connections) {
      connections.put(channel, connection);
      if (connections.size() > state.limits().maxConnections()) {
        oneTooMany = oneTooMany(channel);
      }
    }
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

  private Channel oneTooMany(Channel newest) {
    for (Map.Entry<Channel, ProxyConnection> each : connections.entrySet()) {
      if (each.getValue().handshakes()) {
        return each.getKey();
      }
    }
    return newest;
  }

  private void forget(Channel channel) {
    synchronized (connections) {
      connections.remove(channel);
    }
    config.observer().connectionClosed();
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /** Number of connections. */
  public int connections() {
    synchronized (connections) {
      return connections.size();
    }
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
    return state.requests();
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
    state.drain();
    Duration bound = state.limits().drain();
    long deadline = System.nanoTime() + bound.toNanos();
    while (state.requests() > 0 && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    drained = state.requests() == 0;
    if (!drained) {
      LOG.warn("{} requests were not answered within {}", state.requests(), bound);
    }
    for (Channel each : open()) {
      each.close().awaitUninterruptibly();
    }
    state.turns().close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private List<Channel> open() {
    synchronized (connections) {
      return List.copyOf(connections.keySet());
    }
  }

  @Override
  public String toString() {
    return "proxy at " + address();
  }
}
