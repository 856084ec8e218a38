package io.github.roram.netserver.access;

import io.github.roram.netserver.Authenticator;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.tls.CertificateIdentity;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Identifies clients by their certificates and tokens.
 *
 * <p><b>Security.</b> All credentials that a client presents must be valid: a certificate without
 * an identity, or an unknown token, is refused even if the other would suffice, and a certificate
 * and a token must be of the same identity. A client without credentials is admitted only over
 * loopback, if the server allows it. Without a token file, the server ignores tokens. Immutable.
 */
public final class ClientAuthenticator implements Authenticator {

  private final @Nullable TokenFile tokens;
  private final boolean anonymous;

  /**
   * Creates an authenticator.
   *
   * @param tokens the valid tokens; null for none
   * @param anonymous whether clients on loopback need no credentials
   */
  public ClientAuthenticator(@Nullable TokenFile tokens, boolean anonymous) {
    this.tokens = tokens;
    this.anonymous = anonymous;
  }

  @Override
  public Optional<ClientIdentity> authenticate(Credentials credentials) {
    boolean certified = credentials.certificate() != null;
    Optional<ClientIdentity> byCertificate =
        Optional.ofNullable(credentials.certificate()).flatMap(CertificateIdentity::of);
    if (certified && byCertificate.isEmpty()) {
      return Optional.empty();
    }
    if (tokens != null && credentials.token().length > 0) {
      Optional<ClientIdentity> byToken = tokens.identify(credentials.token());
      return !certified || byToken.equals(byCertificate) ? byToken : Optional.empty();
    }
    if (!certified && anonymous && isLoopback(credentials.remote())) {
      return Optional.of(ClientIdentity.ANONYMOUS);
    }
    return byCertificate;
  }

  private static boolean isLoopback(SocketAddress remote) {
    return remote instanceof InetSocketAddress address
        && !address.isUnresolved()
        && address.getAddress().isLoopbackAddress();
  }
}
