package io.github.roram.netserver;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a client, once or a few times per connection, on an event loop, where it must not
 * block. Thread safety: implementations are safe.
 */
@FunctionalInterface
public interface Authenticator {

  /**
   * The credentials that a client presents.
   *
   * @param remote address that it connects from
   * @param certificate its certificate, verified by TLS, or null
   * @param token the token in its hello, possibly empty
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Credentials(SocketAddress remote, @Nullable X509Certificate certificate, byte[] token) {

    /** Returns the credentials of a channel's other end, with its certificate if it has TLS. */
    public static Credentials of(Channel channel, byte[] token) {
      return new Credentials(channel.remoteAddress(), certificate(channel), token);
    }

    private static @Nullable X509Certificate certificate(Channel channel) {
      SslHandler ssl = channel.pipeline().get(SslHandler.class);
      if (ssl == null) {
        return null;
      }
      try {
        Certificate[] chain = ssl.engine().getSession().getPeerCertificates();
        return chain.length > 0 && chain[0] instanceof X509Certificate first ? first : null;
      } catch (SSLPeerUnverifiedException e) {
        return null;
      }
    }
  }

  /** Returns the client's identity, or empty to refuse it. An exception ends the connection. */
  Optional<ClientIdentity> authenticate(Credentials credentials);

  /** Returns an authenticator that admits everyone under one name: for loopback and tests. */
  static Authenticator anyone() {
    return credentials -> Optional.of(ClientIdentity.ANONYMOUS);
  }
}
