package io.github.roram.cli;

import io.github.roram.OramConfig;
import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.proxy.client.ProxyClient;
import io.github.roram.proxy.client.ProxyOptions;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.threads.Futures;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SeekableByteChannel;
import java.util.Map;

/** The data of a proxy, to which a command is connected. */
final class ProxySession implements OpenData {

  private final ProxyAddress address;
  private final ProxyClient client;
  private final StopSignal stop;

  private ProxySession(ProxyAddress address, ProxyClient client) {
    this.address = address;
    this.client = client;
    stop = StopSignal.install();
  }

  /** Connects, with the options that stores on block servers have. */
  static ProxySession open(ProxyAddress address, StoreArguments arguments, Environment environment)
      throws IOException {
    return new ProxySession(
        address, ProxyClient.connect(address, options(address, arguments, environment)));
  }

  /**
   * Returns how to connect: with TLS, but on loopback only if the command line or a settings file
   * names an authority. A variable that names one is for block servers, and does not concern a
   * proxy on this machine. Certificates and token are given as for {@code tls:} stores.
   */
  static ProxyOptions options(
      ProxyAddress address, StoreArguments arguments, Environment environment) throws IOException {
    RemoteOptions remote = RemoteOptions.of(arguments.options("tls:", environment));
    RemoteOptions said =
        RemoteOptions.of(arguments.options("tls:", environment.withVariables(Map.of())));
    boolean clear =
        said.tls().ca() == null && InetAddress.getByName(address.host()).isLoopbackAddress();
    return ProxyOptions.defaults()
        .withTls(clear ? null : remote.tls())
        .withTokenFile(remote.tokenFile());
  }

  @Override
  public OramConfig config() {
    return client.config();
  }

  @Override
  public SeekableByteChannel channel() {
    return client.channel();
  }

  @Override
  public boolean overlaps() {
    return true;
  }

  @Override
  public String uri() {
    return address.toString();
  }

  @Override
  public void checkNotStopping() {
    stop.check();
  }

  /** Flushes writes, as closing a store does. */
  @Override
  public void close() throws IOException {
    try (client) {
      Futures.join(client.flush());
    } finally {
      stop.close();
    }
  }
}
