package io.github.roram.netserver;

import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides who a client is, once per connection, on an event loop: it must not block. Thread safety:
 * implementations are safe.
 */
@FunctionalInterface
public interface Authenticator {

  /**
   * What a client shows of itself.
   *
   * @param remote where it connects from
   * @param certificate what TLS proved it to be, or null
   * @param token what it sent in its hello, perhaps empty
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Credentials(SocketAddress remote, @Nullable X509Certificate certificate, byte[] token) {}

  /** The client's identity, or nothing if it is not let in. */
  Optional<ClientIdentity> authenticate(Credentials credentials);

  /** Lets everyone in under one name: for loopback and tests. */
  static Authenticator anyone() {
    return credentials -> Optional.of(ClientIdentity.ANONYMOUS);
  }
}
