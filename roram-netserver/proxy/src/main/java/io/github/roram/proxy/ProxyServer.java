package io.github.roram.proxy;

import io.github.roram.AsyncOram;
import io.github.roram.storage.intake.Admission;
import io.github.roram.storage.intake.Connection;
import io.github.roram.storage.intake.Listener;
import io.github.roram.storage.remote.protocol.Sockets;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
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

  private final ProxyConfig config;
  private final ProxyState state;
  private final EventLoopGroup loops = Sockets.newGroup("roram-proxy", 1);
  private final Listener listener;

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

  private Listener listen() throws IOException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(Sockets.serverChannelType())
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            // Who died without a word gives its place back.
            .childOption(ChannelOption.SO_KEEPALIVE, true);
    ProxyLimits limits = state.limits();
    Admission admission = new Admission(limits.maxConnections(), limits.newcomers());
    try {
      return Listener.open(
          bootstrap, config.listen(), admission, config.sslContext(), new Arrivals());
    } catch (IOException e) {
      state.turns().close();
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw e;
    }
  }

  private final class Arrivals implements Listener.Protocol {
    @Override
    public void arrived(Channel channel, Admission.Visitor visitor) {
      config.observer().connectionOpened();
      channel
          .pipeline()
          .addLast(
              new Connection(
                  state.intake(),
                  channel,
                  visitor,
                  connection -> new ProxyRequests(state, connection)));
    }

    @Override
    public void pushedOut() {
      config.observer().connectionRefused();
    }

    @Override
    public void ended() {
      config.observer().connectionClosed();
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.address();
  }

  /** Number of connections. */
  public int connections() {
    return listener.connections();
  }

  /** Bytes that are held of requests and answers. */
  public long heldBytes() {
    return state.intake().budget().used();
  }

  /** Requests that were not passed to the ORAM yet. */
  public int waiting() {
    return state.turns().waiting();
  }

  /** Requests that are not answered. */
  public long requests() {
    return state.intake().underWay().requests();
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
    listener.close();
    Duration bound = state.limits().drain();
    long unanswered = state.intake().underWay().drain(bound);
    drained = unanswered == 0;
    if (!drained) {
      LOG.warn("{} requests were not answered within {}", unanswered, bound);
    }
    listener.closeConnections();
    state.turns().close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @Override
  public String toString() {
    return "proxy at " + address();
  }
}
