package io.github.roram.storage.tls;

import io.github.roram.ConfigurationException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files that one side of a TLS connection needs.
 *
 * <p><b>Security.</b> Only TLS 1.3 is used. The other side's certificate must come from {@code ca},
 * if given, and from no other authority; a client checks the server's name against the certificate.
 * A private key that everyone on the machine may read or write is refused.
 *
 * @param ca certificates of the trusted authorities, one or several; null, only for a client, to
 *     trust those of the JDK
 * @param certificate own certificate, followed by those of intermediate authorities; null for a
 *     client without one
 * @param key private key of {@code certificate}, PKCS #8 without a passphrase; null if there is no
 *     certificate
 */
public record TlsFiles(@Nullable Path ca, @Nullable Path certificate, @Nullable Path key) {

  private static final String[] PROTOCOLS = {"TLSv1.3"};
  private static final int MAX_FILE_BYTES = 1 << 20;
  private static final Set<PosixFilePermission> OF_EVERYONE =
      PosixFilePermissions.fromString("------rwx");

  /**
   * Checks that certificate and key come together.
   *
   * @throws ConfigurationException if one is given without the other
   */
  public TlsFiles {
    if ((certificate == null) != (key == null)) {
      throw new ConfigurationException(
          "a "
              + (key == null ? "certificate " + certificate : "private key " + key)
              + " is given without the "
              + (key == null ? "private key" : "certificate")
              + " that belongs to it; give both or neither");
    }
  }

  /** Returns the files of a name, as {@code roram server init-certs} calls them. */
  public static TlsFiles inDirectory(Path directory, String name) {
    return new TlsFiles(
        directory.resolve("ca.crt"),
        directory.resolve(name + ".crt"),
        directory.resolve(name + ".key"));
  }

  /**
   * Returns the TLS context of a client.
   *
   * @throws NoSuchFileException if a file is missing
   * @throws ConfigurationException if a file has other content, or everyone may read the key
   */
  public SslContext clientContext() throws IOException {
    SslContextBuilder builder =
        SslContextBuilder.forClient().endpointIdentificationAlgorithm("HTTPS");
    Path certificateFile = certificate;
    Path keyFile = key;
    if (certificateFile != null && keyFile != null) {
      byte[] chain = pem(certificateFile);
      certificates(certificateFile, chain);
      byte[] secret = privateKey(keyFile);
      try {
        builder.keyManager(new ByteArrayInputStream(chain), new ByteArrayInputStream(secret));
      } catch (IllegalArgumentException e) {
        throw notAKey(keyFile, e);
      } finally {
        Arrays.fill(secret, (byte) 0);
      }
    }
    return build(builder, ClientAuth.NONE);
  }

  /**
   * Returns the TLS context of a server.
   *
   * @param clients whether clients must present a certificate
   * @throws NoSuchFileException if a file is missing
   * @throws ConfigurationException if there is no certificate, a file has other content, or
   *     everyone may read the key
   */
  public SslContext serverContext(ClientAuth clients) throws IOException {
    Path certificateFile = certificate;
    Path keyFile = key;
    if (ca == null || certificateFile == null || keyFile == null) {
      throw new ConfigurationException(
          "a server needs the certificate of its clients' authority, its own, and its private key");
    }
    byte[] chain = pem(certificateFile);
    certificates(certificateFile, chain);
    byte[] secret = privateKey(keyFile);
    try {
      return build(
          SslContextBuilder.forServer(
              new ByteArrayInputStream(chain), new ByteArrayInputStream(secret)),
          clients);
    } catch (IllegalArgumentException e) {
      throw notAKey(keyFile, e);
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  /**
   * Returns when the first of these certificates expires, own ones and those of authorities.
   *
   * @throws ConfigurationException if a file holds no certificate
   */
  public Instant expiry() throws IOException {
    Instant first = Instant.MAX;
    for (Path file : Stream.of(ca, certificate).filter(Objects::nonNull).toList()) {
      for (X509Certificate each : certificates(file, pem(file))) {
        Instant end = each.getNotAfter().toInstant();
        first = end.isBefore(first) ? end : first;
      }
    }
    return first;
  }

  private SslContext build(SslContextBuilder builder, ClientAuth clients) throws IOException {
    Path authorities = ca;
    if (authorities != null) {
      builder.trustManager(
          certificates(authorities, pem(authorities)).toArray(X509Certificate[]::new));
    }
    try {
      return builder.protocols(PROTOCOLS).clientAuth(clients).build();
    } catch (SSLException e) {
      throw new ConfigurationException(
          "certificate "
              + certificate
              + " and private key "
              + key
              + " cannot be used: "
              + e.getMessage()
              + "; give a key and the certificate that was made for it",
          e);
    }
  }

  private static Collection<X509Certificate> certificates(Path file, byte[] pem) {
    try {
      Collection<X509Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (!found.isEmpty()) {
        return found;
      }
      throw new ConfigurationException(notACertificate(file));
    } catch (CertificateException e) {
      throw new ConfigurationException(notACertificate(file), e);
    }
  }

  private static String notACertificate(Path file) {
    return file + " holds no certificate; give a PEM file with -----BEGIN CERTIFICATE-----";
  }

  private static ConfigurationException notAKey(Path file, IllegalArgumentException cause) {
    return new ConfigurationException(
        file
            + " holds no private key that can be used; give a PEM file with -----BEGIN PRIVATE"
            + " KEY----- (PKCS #8, without a passphrase)",
        cause);
  }

  private static byte[] privateKey(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view != null && Files.exists(file)) {
      Set<PosixFilePermission> permissions = view.readAttributes().permissions();
      if (permissions.stream().anyMatch(OF_EVERYONE::contains)) {
        throw new ConfigurationException(
            "private key "
                + file
                + " can be accessed by everyone ("
                + PosixFilePermissions.toString(permissions)
                + "); run: chmod 600 "
                + file);
      }
    }
    return pem(file);
  }

  private static byte[] pem(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(MAX_FILE_BYTES + 1);
      if (content.length > MAX_FILE_BYTES) {
        throw new ConfigurationException(
            file + " has more than " + MAX_FILE_BYTES + " bytes; is it the right file?");
      }
      return content;
    } catch (NoSuchFileException e) {
      throw new NoSuchFileException(
          file.toString(), null, "there is no such file; roram server init-certs makes such files");
    }
  }
}
