package io.github.roram.netserver.tls;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.tls.CertificateAuthority.HostNames;
import io.github.roram.storage.file.DurableFiles;
import io.github.roram.storage.file.OwnerOnly;
import io.github.roram.storage.tls.TlsFiles;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.bouncycastle.util.io.pem.PemWriter;
import org.jspecify.annotations.Nullable;

/**
 * A directory with a private authority and the certificates that it issued: {@code ca.crt}, {@code
 * ca.key}, {@code server.crt}, {@code server.key}, and {@code NAME.crt}, {@code NAME.key} for each
 * client.
 *
 * <p>Only the owner can read private keys. No file is ever overwritten: all checks precede the
 * first write, and if one fails, those before it are deleted. Not safe for use by several
 * processes.
 */
public final class CertificateDirectory {

  /** Name of the authority's files. */
  public static final String AUTHORITY = "ca";

  /** Name of the server's files. */
  public static final String SERVER = "server";

  /** Longest lifetime of a certificate, in days: ten years, that of the authority. */
  public static final int MAX_DAYS = 3650;

  private static final String CERTIFICATE = "CERTIFICATE";
  private static final String PRIVATE_KEY = "PRIVATE KEY";
  private static final Set<PosixFilePermission> READ_BY_ALL =
      PosixFilePermissions.fromString("rw-r--r--");

  private static final List<String> LOCAL_HOSTS = List.of("localhost", "127.0.0.1", "::1");

  private final Path directory;
  private final InstantSource clock;

  /** Uses a directory, which is created when something is issued. */
  public CertificateDirectory(Path directory, InstantSource clock) {
    this.directory = directory;
    this.clock = clock;
  }

  /** Returns whether there is an authority, which will sign further certificates. */
  public boolean hasAuthority() {
    return Files.exists(file(AUTHORITY, ".crt"));
  }

  /** Returns the files of a name. */
  public TlsFiles files(String name) {
    return TlsFiles.inDirectory(directory, name);
  }

  /**
   * Creates certificates and keys, and the authority if there is none yet.
   *
   * @param hosts DNS names and addresses of the server, in addition to those of loopback; null to
   *     issue no certificate for a server
   * @param clients identities that get a certificate
   * @param days lifetime of the certificates in days, 1 to {@value #MAX_DAYS}, limited to the
   *     authority's
   * @return the files that were written
   * @throws FileAlreadyExistsException if a file exists already; nothing was written
   * @throws NoSuchFileException if the authority's key is missing; nothing was written
   * @throws ConfigurationException if a parameter is out of range, or if the authority has expired
   *     or its key does not match; nothing was written
   */
  public List<Path> issue(@Nullable List<String> hosts, List<String> clients, int days)
      throws IOException {
    if (days < 1 || days > MAX_DAYS) {
      throw new ConfigurationException("days is " + days + ", must be from 1 to " + MAX_DAYS);
    }
    if (hosts != null) {
      hosts.forEach(HostNames::check);
    }
    Set<ClientIdentity> identities = new LinkedHashSet<>();
    clients.forEach(name -> identities.add(clientIdentity(name)));
    checkFree(hosts != null, identities);
    try {
      return issue(hosts, identities, Duration.ofDays(days));
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java cannot make certificates: " + e.getMessage(), e);
    }
  }

  private List<Path> issue(@Nullable List<String> hosts, Set<ClientIdentity> clients, Duration life)
      throws IOException, GeneralSecurityException {
    Instant now = clock.instant();
    List<Path> written = new ArrayList<>();
    try {
      CertificateAuthority authority = authority(now, written);
      if (hosts != null) {
        Set<String> names = new LinkedHashSet<>(hosts);
        names.addAll(LOCAL_HOSTS);
        write(SERVER, authority.issueServer(names, now, life), written);
      }
      for (ClientIdentity client : clients) {
        write(client.name(), authority.issueClient(client, now, life), written);
      }
      return written;
    } catch (IOException | GeneralSecurityException | RuntimeException | Error e) {
      for (Path file : written) {
        Files.deleteIfExists(file);
      }
      throw e;
    }
  }

  private CertificateAuthority authority(Instant now, List<Path> written)
      throws IOException, GeneralSecurityException {
    if (hasAuthority()) {
      Path key = file(AUTHORITY, ".key");
      if (!Files.exists(key)) {
        throw new NoSuchFileException(
            key.toString(),
            null,
            "is not there, and ca.crt is: put the key there that was made with it, to sign, or make"
                + " another authority in another directory");
      }
      return new CertificateAuthority(readCertificate(file(AUTHORITY, ".crt")), readKey(key));
    }
    Files.createDirectories(directory, OwnerOnly.directory(directory));
    CertificateAuthority authority = CertificateAuthority.create(now, Duration.ofDays(MAX_DAYS));
    write(
        AUTHORITY,
        new CertificateAuthority.Issued(authority.certificate(), authority.privateKey()),
        written);
    return authority;
  }

  private void write(String name, CertificateAuthority.Issued issued, List<Path> written)
      throws IOException {
    writeKey(file(name, ".key"), issued.privateKey());
    written.add(file(name, ".key"));
    writeCertificate(file(name, ".crt"), issued.certificate());
    written.add(file(name, ".crt"));
  }

  private void checkFree(boolean server, Set<ClientIdentity> clients) throws IOException {
    List<String> names = new ArrayList<>();
    if (server) {
      names.add(SERVER);
    }
    clients.forEach(client -> names.add(client.name()));
    if (!hasAuthority()) {
      names.add(AUTHORITY);
    }
    for (String name : names) {
      for (String ending : List.of(".key", ".crt")) {
        Path file = file(name, ending);
        if (Files.exists(file)) {
          throw new FileAlreadyExistsException(
              file.toString(),
              null,
              "exists and is not overwritten; choose another name, or move it away");
        }
      }
    }
  }

  private static ClientIdentity clientIdentity(String name) {
    ClientIdentity identity = new ClientIdentity(name);
    if (name.equals(AUTHORITY)
        || name.equals(SERVER)
        || identity.equals(ClientIdentity.ANONYMOUS)) {
      throw new ConfigurationException(
          "client is \"" + name + "\", which has another meaning; choose another name");
    }
    return identity;
  }

  private Path file(String name, String ending) {
    return directory.resolve(name + ending);
  }

  /** Writes a private key that only its owner may read: the whole file, or none. */
  private static void writeKey(Path file, PrivateKey key) throws IOException {
    write(file, new PemObject(PRIVATE_KEY, key.getEncoded()));
  }

  /** Writes a certificate: the whole file, or none. */
  private static void writeCertificate(Path file, X509Certificate certificate) throws IOException {
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
  private static PrivateKey readKey(Path file) throws IOException {
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
