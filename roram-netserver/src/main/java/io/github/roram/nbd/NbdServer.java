package io.github.roram.nbd;

import io.github.roram.intake.ClientServer;
import io.github.roram.intake.Listener.ConnectionObserver;
import io.github.roram.intake.SharedIntake;
import io.github.roram.storage.tls.TlsFiles;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Serves devices over NBD (fixed newstyle, {@code doc/proto.md} of the NetworkBlockDevice project).
 *
 * <h2>Security</h2>
 *
 * Belongs on the trusted side: its clients read and write the data in the clear. The device
 * determines what the store sees ({@link OramDevice}).
 *
 * <p>Thread safety: safe.
 */
public final class NbdServer extends ClientServer {

  private final NbdConfig config;

  private NbdServer(NbdState state) throws IOException {
    super(
        "roram-nbd",
        state.config().listen(),
        null, // begun by the handshake
        state.intake(),
        new ConnectionObserver() {},
        connection -> new NbdHandshake(state, connection));
    config = state.config();
  }

  /**
   * Starts a server.
   *
   * @throws IOException if it cannot listen at the configured address
   * @throws io.github.roram.ConfigurationException if something else is at the socket's path
   */
  public static NbdServer start(NbdConfig config) throws IOException {
    return new NbdServer(new NbdState(config));
  }

  /** Returns the address as an NBD URI without an export. */
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

  @Override
  public String toString() {
    return "NBD server at " + uri();
  }

  /**
   * State that the connections of a server share.
   *
   * @param sslContext for TLS, which clients must start; null for none
   * @param intake intake of requests
   */
  record NbdState(NbdConfig config, @Nullable SslContext sslContext, SharedIntake intake) {

    NbdState(NbdConfig config) throws IOException {
      this(config, context(config.tls()), new SharedIntake(config.limits()));
    }

    private static @Nullable SslContext context(@Nullable TlsFiles tls) throws IOException {
      return tls == null ? null : tls.serverContext(ClientAuth.REQUIRE);
    }
  }
}
