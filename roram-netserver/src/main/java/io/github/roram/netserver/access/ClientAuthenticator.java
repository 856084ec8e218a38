package io.github.roram.netserver.access;

import io.github.roram.netserver.Authenticator;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.tls.CertificateIdentity;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Knows clients by their certificates and tokens.
 *
 * <p><b>Security.</b> Whatever a client shows must be right: a certificate that names nobody, or a
 * token that is nobody's, is refused, even where less would have done; a certificate and a token
 * must be of the same identity. Who shows nothing is let in over loopback alone, where the server
 * allows it. A token does not count where the server has no tokens. Immutable.
 */
public final class ClientAuthenticator implements Authenticator {

  private final @Nullable TokenFile tokens;
  private final boolean anonymous;

  /**
   * An authenticator.
   *
   * @param tokens those that count; null for none
   * @param anonymous whether clients on loopback need show nothing
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
