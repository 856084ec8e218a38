package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.RemoteOptions;
import io.github.roram.storage.remote.protocol.HelloDescriptor;
import io.github.roram.storage.tls.TlsFiles;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLHandshakeException;

/** Whom the client trusts, and what it shows of itself. */
final class Trust {

  private Trust() {}

  static SslContext sslContext(RemoteOptions options) throws IOException {
    return new TlsFiles(options.caCertificate(), options.clientCertificate(), options.clientKey())
        .clientContext();
  }

  /**
   * Whether one side does not trust the other, so that trying again is of no use. A connection that
   * was cut or timed out during the handshake throws subclasses, and is none.
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

  /** The first line of the token's file; nothing if there is none. */
  static byte[] token(RemoteOptions options) throws IOException {
    Path file = options.tokenFile();
    if (file == null) {
      return new byte[0];
    }
    byte[] token =
        Files.readString(file, StandardCharsets.UTF_8)
            .lines()
            .findFirst()
            .orElse("")
            .strip()
            .getBytes(StandardCharsets.UTF_8);
    if (token.length == 0 || token.length > HelloDescriptor.MAX_TOKEN_BYTES) {
      throw new ConfigurationException(
          "token in "
              + file
              + " has "
              + token.length
              + " bytes, must have 1 to "
              + HelloDescriptor.MAX_TOKEN_BYTES);
    }
    return token;
  }
}
