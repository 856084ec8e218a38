package io.github.roram.netserver.tls;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.file.DurableFiles;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Objects;
import java.util.Set;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.bouncycastle.util.io.pem.PemWriter;

/** Writes certificates and private keys to PEM files, and reads them again. */
final class PemFiles {

  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String PRIVATE_KEY = "PRIVATE KEY";
  private static final Set<PosixFilePermission> READ_BY_ALL =
      PosixFilePermissions.fromString("rw-r--r--");

  private PemFiles() {}

  /** Writes a private key that only its owner may read: the whole file, or none. */
  static void writeKey(Path file, PrivateKey key) throws IOException {
    write(file, new PemObject(PRIVATE_KEY, key.getEncoded()));
  }

  /** Writes a certificate: the whole file, or none. */
  static void writeCertificate(Path file, X509Certificate certificate) throws IOException {
    try {
      write(file, new PemObject(CERTIFICATE, certificate.getEncoded()));
      var view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
      if (view != null) {
        view.setPermissions(READ_BY_ALL);
      }
    } catch (CertificateEncodingException e) {
      throw new IOException("certificate for " + file + " cannot be encoded", e);
    }
  }

  /**
   * Reads a certificate.
   *
   * @throws ConfigurationException if the file has other content
   */
  static X509Certificate readCertificate(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    } catch (GeneralSecurityException e) {
      throw new ConfigurationException(file + " holds no certificate in PEM", e);
    }
  }

  /**
   * Reads a private key on an elliptic curve.
   *
   * @throws ConfigurationException if the file has other content
   */
  static PrivateKey readKey(Path file) throws IOException {
    try (Reader text = new StringReader(Files.readString(file, StandardCharsets.ISO_8859_1));
        PemReader reader = new PemReader(text)) {
      PemObject found = reader.readPemObject();
      if (found == null || !found.getType().equals(PRIVATE_KEY)) {
        throw new ConfigurationException(file + " holds no private key in PEM (PKCS #8)");
      }
      return KeyFactory.getInstance("EC")
          .generatePrivate(new PKCS8EncodedKeySpec(found.getContent()));
    } catch (GeneralSecurityException e) {
      throw new ConfigurationException(file + " holds no private key on an elliptic curve", e);
    }
  }

  private static void write(Path file, PemObject object) throws IOException {
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(object);
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
    DurableFiles.replace(
        Objects.requireNonNull(file.toAbsolutePath().getParent()),
        file.getFileName().toString(),
        out -> out.write(bytes));
  }
}
