package io.github.roram.nbd;

import io.github.roram.storage.intake.SharedIntake;
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
  private final SharedIntake intake;

  ServerState(NbdConfig config) throws IOException {
    this.config = config;
    TlsFiles tls = config.tls();
    sslContext = tls == null ? null : tls.serverContext(ClientAuth.REQUIRE);
    intake = config.limits().newIntake();
  }

  NbdConfig config() {
    return config;
  }

  /** For TLS, which clients must begin; null for none. */
  @Nullable SslContext sslContext() {
    return sslContext;
  }

  /** What is taken of clients. */
  SharedIntake intake() {
    return intake;
  }
}
