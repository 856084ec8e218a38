package io.github.roram.netserver.link;

import io.github.roram.storage.link.Link;
import io.github.roram.storage.remote.protocol.Sockets;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Stands between clients and a server: clients connect here instead, everything is passed on
 * unchanged, as late as it would come over a {@link Link}. All connections share its bandwidth.
 * Connecting itself takes no time, and nothing is lost.
 *
 * <p>Listens on loopback alone; whoever on this machine connects is passed on. A certificate is
 * checked against the name that the client connects to, so the server's must name this machine, as
 * those of {@code roram server init-certs} do. Everything happens on one thread. Thread safety:
 * safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel closes it
public final class LinkRelay implements Closeable {

  /** A read takes what the line carries in a millisecond, within these. */
  private static final int MIN_READ_BYTES = 4 << 10;

  private static final int MAX_READ_BYTES = 64 << 10;
  private static final long READS_PER_SECOND = 1000;

  private final InetSocketAddress server;
  private final EventLoopGroup group = Sockets.newGroup("roram-link", 1);
  private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final Line up;
  private final Line down;
  private final Channel listener;

  private LinkRelay(Link link, InetSocketAddress server) throws IOException {
    this.server = server;
    up = new Line(link.up(), group.next());
    down = new Line(link.down(), group.next());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(group)
            .channel(Sockets.serverChannelType())
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.AUTO_READ, false)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, pieces(link.upBytesPerSecond()))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel client) {
                    connect(client, pieces(link.downBytesPerSecond()));
                  }
                })
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw new IOException("cannot listen on loopback: " + bound.cause(), bound.cause());
    }
    listener = bound.channel();
  }

  /**
   * Passes connections on from now on.
   *
   * @param server where to
   * @throws IOException if there is no port to listen at
   */
  public static LinkRelay start(Link link, InetSocketAddress server) throws IOException {
    return new LinkRelay(link, server);
  }

  private static FixedRecvByteBufAllocator pieces(long bytesPerSecond) {
    long bytes = bytesPerSecond / READS_PER_SECOND;
    return new FixedRecvByteBufAllocator(
        (int) Math.max(MIN_READ_BYTES, Math.min(MAX_READ_BYTES, bytes)));
  }

  /** Where clients connect to instead of the server: an address of loopback. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.localAddress();
  }

  /** A server that cannot be reached looks like one that hangs up. */
  private void connect(Channel client, FixedRecvByteBufAllocator pieces) {
    LineEnd fromClient = new LineEnd(up);
    LineEnd fromServer = new LineEnd(down);
    channels.add(client);
    client.pipeline().addLast(fromClient);
    ChannelFuture connected =
        new Bootstrap()
            .group(client.eventLoop())
            .channel(Sockets.channelType())
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.RECVBUF_ALLOCATOR, pieces)
            .handler(fromServer)
            .connect(server);
    channels.add(connected.channel());
    connected.addListener(
        end -> {
          if (end.isSuccess()) {
            fromClient.join(connected.channel());
            fromServer.join(client);
          } else {
            client.close();
          }
        });
  }

  /** Ends all connections; what is on the line is lost. */
  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    channels.close().awaitUninterruptibly();
    up.close();
    down.close();
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
