package io.github.roram.nbd;

import io.github.roram.storage.intake.Admission;
import io.github.roram.storage.intake.Connection;
import io.github.roram.storage.intake.Listener;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves devices over NBD (fixed newstyle, {@code doc/proto.md} of the NetworkBlockDevice project).
 *
 * <h2>Security</h2>
 *
 * Belongs on the trusted side: its clients read and write the data in the clear. What the store
 * sees is the device's affair ({@link OramDevice}).
 *
 * <p>Thread safety: safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel ends it
public final class NbdServer implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(NbdServer.class);

  /** Answers that are sent together. */
  private static final int MOST_TOGETHER = 64;

  private final NbdConfig config;
  private final ServerState state;
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("roram-nbd", true), NioIoHandler.newFactory());
  private final @Nullable UnixSocketFile socket;
  private final Listener listener;

  private boolean closed;

  private NbdServer(NbdConfig config) throws IOException {
    this.config = config;
    try {
      state = new ServerState(config);
      socket =
          config.listen() instanceof UnixDomainSocketAddress unix
              ? new UnixSocketFile(unix.getPath())
              : null;
      listener = listen();
    } catch (IOException | RuntimeException e) {
      loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw e;
    }
  }

  /**
   * Starts a server.
   *
   * @throws IOException if it cannot listen where it should
   * @throws io.github.roram.ConfigurationException if something else is at the socket's path
   */
  public static NbdServer start(NbdConfig config) throws IOException {
    return new NbdServer(config);
  }

  private Listener listen() throws IOException {
    ServerBootstrap bootstrap = new ServerBootstrap().group(loops);
    if (socket == null) {
      bootstrap
          .channel(NioServerSocketChannel.class)
          .option(ChannelOption.SO_REUSEADDR, true)
          .childOption(ChannelOption.TCP_NODELAY, true)
          // Who died without a word gives its place back.
          .childOption(ChannelOption.SO_KEEPALIVE, true);
    } else {
      bootstrap.channel(NioServerDomainSocketChannel.class);
    }
    NbdLimits limits = config.limits();
    Admission admission = new Admission(limits.maxConnections(), limits.newcomers());
    SocketAddress address = socket == null ? config.listen() : socket.bound();
    try {
      Listener listening = Listener.open(bootstrap, address, admission, null, this::serve);
      if (socket != null) {
        socket.publish();
      }
      return listening;
    } catch (IOException e) {
      if (socket != null) {
        socket.giveUp();
      }
      throw e;
    }
  }

  private void serve(Channel channel, Admission.Visitor visitor) {
    channel
        .pipeline()
        // Answers often come several at a time: they are sent together.
        .addLast(new FlushConsolidationHandler(MOST_TOGETHER, true))
        .addLast(
            new Connection(
                state.intake(),
                channel,
                visitor,
                connection -> new Negotiation(state, connection)));
  }

  /** Where it listens. */
  public SocketAddress address() {
    return socket == null ? listener.address() : config.listen();
  }

  /** Where clients connect, as an NBD URI without the export. */
  public String uri() {
    if (config.listen() instanceof UnixDomainSocketAddress unix) {
      return "nbd+unix:///?socket=" + unix.getPath();
    }
    InetSocketAddress inet = (InetSocketAddress) address();
    String host = inet.getAddress().getHostAddress();
    return (config.tls() == null ? "nbd://" : "nbds://")
        + (host.contains(":") ? "[" + host + "]" : host)
        + ":"
        + inet.getPort();
  }

  /** Number of connections. */
  public int connections() {
    return listener.connections();
  }

  /** Bytes that are held of requests and answers. */
  public long heldBytes() {
    return state.intake().budget().used();
  }

  /**
   * Takes no more requests, answers those under way within the {@linkplain NbdLimits#drain bound},
   * and ends all connections. Devices stay open; close them next.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    listener.close();
    removeSocket();
    Duration bound = config.limits().drain();
    long unanswered = state.intake().underWay().drain(bound);
    if (unanswered > 0) {
      LOG.warn("{} requests were not answered within {}", unanswered, bound);
    }
    listener.closeConnections();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private void removeSocket() {
    if (socket != null) {
      try {
        socket.remove();
      } catch (IOException e) {
        LOG.warn("the socket could not be removed: {}", e.toString());
      }
    }
  }

  @Override
  public String toString() {
    return "NBD server at " + uri();
  }
}
