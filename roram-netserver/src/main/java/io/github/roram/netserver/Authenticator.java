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
 * Decides who a client is, once or a few times per connection, on an event loop: it must not block.
 * Thread safety: implementations are safe.
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
  record Credentials(SocketAddress remote, @Nullable X509Certificate certificate, byte[] token) {

    /** Of the other end of a channel, which TLS may have proved something of. */
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

  /** The client's identity, or nothing if it is not let in. Throwing ends the connection. */
  Optional<ClientIdentity> authenticate(Credentials credentials);

  /** Lets everyone in under one name: for loopback and tests. */
  static Authenticator anyone() {
    return credentials -> Optional.of(ClientIdentity.ANONYMOUS);
  }
}
