package io.github.roram.nbd;

import io.github.roram.storage.intake.ByteBudget;
import io.github.roram.storage.intake.UnderWay;
import io.github.roram.storage.tls.TlsFiles;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of a server share.
 *
 * <p>Thread safety: safe.
 */
final class ServerState {

  private final NbdConfig config;
  private final @Nullable SslContext sslContext;
  private final ByteBudget budget;
  private final UnderWay underWay = new UnderWay();

  ServerState(NbdConfig config) throws IOException {
    this.config = config;
    TlsFiles tls = config.tls();
    sslContext = tls == null ? null : tls.serverContext(ClientAuth.REQUIRE);
    budget = new ByteBudget(config.limits().totalBytes());
  }

  NbdConfig config() {
    return config;
  }

  /** For TLS, which clients must begin; null for none. */
  @Nullable SslContext sslContext() {
    return sslContext;
  }

  NbdLimits limits() {
    return config.limits();
  }

  ByteBudget budget() {
    return budget;
  }

  /** What is under way. */
  UnderWay underWay() {
    return underWay;
  }
}
