package io.github.roram.proxy.client;

import io.github.roram.threads.OwnedThreads;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import java.io.IOException;
import java.time.Duration;

/** Clients of a proxy, whose connections are made by a simulation. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails ends the connection
public final class SimulatedProxyClient {

  private static final ProxyAddress ADDRESS = new ProxyAddress("simulated", 1);

  private SimulatedProxyClient() {}

  /** Makes connections. */
  @FunctionalInterface
  public interface Network {
    /**
     * Connects to a proxy.
     *
     * @param handler is told what comes
     */
    Channel connect(ChannelHandler handler) throws IOException;
  }

  /** Connects, and again and again. */
  public static ProxyClient connect(
      Network network, Duration silence, Duration again, OwnedThreads threads) throws IOException {
    ProxyOptions options = ProxyOptions.defaults().withTimes(silence, silence).withAgain(again);
    return new ProxyClient(
        ADDRESS,
        options,
        (address, with, failures, listener) -> new Line(network, with, listener),
        threads);
  }

  /** Goes through a channel of the simulation. */
  private static final class Line extends ProxyLine {
    private final Channel channel;

    Line(Network network, ProxyOptions options, Listener listener) throws IOException {
      super(listener);
      channel =
          network.connect(
              new ChannelInitializer<Channel>() {
                @Override
                protected void initChannel(Channel line) {
                  fill(line, options);
                }
              });
    }

    @Override
    Channel channel() {
      return channel;
    }

    @Override
    void close() {
      channel.close();
    }
  }
}
