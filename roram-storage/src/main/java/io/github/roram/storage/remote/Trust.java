package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.RemoteOptions;
import io.github.roram.storage.remote.protocol.HelloDescriptor;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLException;

/** Whom the client trusts, and what it shows of itself. */
final class Trust {

  private Trust() {}

  static SslContext sslContext(RemoteOptions options) throws IOException {
    SslContextBuilder builder =
        SslContextBuilder.forClient().protocols("TLSv1.3").endpointIdentificationAlgorithm("HTTPS");
    Path ca = options.caCertificate();
    Path certificate = options.clientCertificate();
    Path key = options.clientKey();
    try {
      if (ca != null) {
        builder.trustManager(ca.toFile());
      }
      if (certificate != null && key != null) {
        builder.keyManager(certificate.toFile(), key.toFile());
      }
      return builder.build();
    } catch (IllegalArgumentException | SSLException e) {
      throw new ConfigurationException(
          "authority "
              + ca
              + ", certificate "
              + certificate
              + " and key "
              + key
              + " cannot be used: "
              + e.getMessage(),
          e);
    }
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
