package io.github.roram.proxy;

import io.github.roram.AsyncOram;
import io.github.roram.intake.Admission;
import io.github.roram.intake.ClientConnection;
import io.github.roram.proxy.ProxyServer.ProxyState;
import io.github.roram.threads.OwnedThreads;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;

/** A proxy of an ORAM, whose connections are made by a simulation. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails ends the connection
public final class SimulatedProxy {

  private final ProxyState state;
  private final Admission admission;

  /**
   * Of an open ORAM.
   *
   * @param durable whether what is acknowledged is durable
   */
  public SimulatedProxy(AsyncOram oram, boolean durable, OwnedThreads threads) {
    ProxyConfig config = ProxyConfig.anyoneOnThisMachine(0).withDurable(durable);
    state = ProxyState.of(config, oram, threads);
    admission = new Admission(config.limits().maxConnections(), config.limits().newcomers());
  }

  /** Has something done once another proxy is found to have taken the place of this one. */
  public void onReplaced(Runnable end) {
    state.replaced().thenRun(end);
  }

  /** Serves a connection, on a channel that begins with it. */
  public ChannelHandler newConnection() {
    return new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel channel) {
        Admission.Visitor visitor = admission.arrive(channel.remoteAddress(), channel::close);
        channel.closeFuture().addListener(end -> visitor.leave());
        channel
            .pipeline()
            .addLast(
                new ClientConnection(
                    state.intake(),
                    channel,
                    visitor,
                    connection -> new ProxyRequests(state, connection)));
      }
    };
  }
}
