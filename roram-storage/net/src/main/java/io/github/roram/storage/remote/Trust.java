package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.remote.RemoteConnection.ConnectionLostException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslContext;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Whom the client trusts, and what it shows of itself. */
final class Trust {

  private Trust() {}

  static SslContext sslContext(RemoteOptions options) throws IOException {
    return options.tls().clientContext();
  }

  /**
   * Returns whether one side does not trust the other, so that trying again is useless. A
   * connection that was cut or timed out during the handshake throws subclasses of these
   * exceptions, and is not a refusal.
   */
  static boolean isRefusal(ConnectionLostException lost) {
    for (Throwable cause = lost; cause != null; cause = cause.getCause()) {
      if (cause.getClass() == SSLHandshakeException.class
          || cause instanceof NotSslRecordException) {
        return true;
      }
    }
    return false;
  }

  static SSLHandshakeException refusal(RemoteAddress address, ConnectionLostException lost) {
    SSLHandshakeException refusal =
        new SSLHandshakeException(
            "no trust between this client and "
                + lost.getMessage()
                + "; check that the server speaks TLS, that its certificate is for "
                + address.host()
                + " and of the authority that you trust, and that yours is of the server's");
    refusal.initCause(lost);
    return refusal;
  }

  /**
   * Refuses a token for an address that is known without asking anyone, before it is connected to.
   */
  static void checkToken(RemoteAddress address, byte[] token) {
    byte[] literal = NetUtil.createByteArrayFromIpAddressString(address.host());
    if (literal != null) {
      try {
        checkToken(address, token, new InetSocketAddress(InetAddress.getByAddress(literal), 0));
      } catch (UnknownHostException e) {
        throw new IllegalStateException("an address of " + literal.length + " bytes", e);
      }
    }
  }

  /**
   * Refuses to send a token off this machine in the clear. The actual peer counts, not the name
   * that led there.
   *
   * @param peer remote address of the connection
   * @throws ConfigurationException if there is a token, no TLS, and {@code peer} is not on loopback
   */
  static void checkToken(RemoteAddress address, byte[] token, @Nullable SocketAddress peer) {
    if (token.length == 0 || address.tls() || isThisMachine(peer)) {
      return;
    }
    throw new ConfigurationException(
        address
            + " is at "
            + (peer instanceof InetSocketAddress inet ? inet.getAddress().getHostAddress() : peer)
            + ", off the loopback, and the token would go there in the clear: write tls:// for"
            + " tcp://, or take the token away (--token-file, RORAM_TOKEN_FILE)");
  }

  private static boolean isThisMachine(@Nullable SocketAddress peer) {
    return peer instanceof InetSocketAddress inet
        && !inet.isUnresolved()
        && (inet.getAddress().isLoopbackAddress() || inet.getAddress().isAnyLocalAddress());
  }
}
