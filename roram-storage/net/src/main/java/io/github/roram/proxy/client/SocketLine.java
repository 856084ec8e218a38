package io.github.roram.proxy.client;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.remote.protocol.Sockets;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection through a socket, with TLS or, over loopback, without, on a thread of its own. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel closes it
final class SocketLine extends ProxyLine {

  private final EventLoopGroup group = Sockets.newGroup("roram-proxy-client", 1);
  private final Channel channel;

  /** Connects. */
  SocketLine(ProxyAddress address, ProxyOptions options, int failures, Listener listener)
      throws IOException {
    super(listener);
    try {
      channel = connected(address, options, failures);
    } catch (IOException | RuntimeException | Error e) {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
      throw e;
    }
  }

  /** Takes the first of the host's addresses where somebody listens. */
  private Channel connected(ProxyAddress address, ProxyOptions options, int failures)
      throws IOException {
    SslContext ssl = options.tls() == null ? null : options.tls().clientContext();
    Throwable cause = null;
    for (InetAddress host : inTurn(InetAddress.getAllByName(address.host()), failures)) {
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

  /**
   * Returns the addresses, starting at another one after each failure: one of them may accept
   * connections and do nothing else.
   */
  static List<InetAddress> inTurn(InetAddress[] all, int failures) {
    List<InetAddress> turned = new ArrayList<>(List.of(all));
    Collections.rotate(turned, -failures);
    return turned;
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
    fill(line, options);
  }

  @Override
  Channel channel() {
    return channel;
  }

  @Override
  void close() {
    channel.close();
    channel.closeFuture().awaitUninterruptibly(); // one that was lost waits for no stage
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
