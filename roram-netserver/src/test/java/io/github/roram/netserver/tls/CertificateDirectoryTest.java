package io.github.roram.netserver.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.storage.tls.TlsFiles;
import io.netty.handler.ssl.ClientAuth;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What {@code init-certs} makes, and what it refuses. */
final class CertificateDirectoryTest {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir Path parent;
  private Path directory;
  private CertificateDirectory certificates;

  @BeforeEach
  void chooseDirectory() {
    directory = parent.resolve("certs");
    certificates = new CertificateDirectory(directory, InstantSource.fixed(NOW));
  }

  private X509Certificate read(String name) throws IOException {
    return CertificateDirectory.readCertificate(directory.resolve(name + ".crt"));
  }

  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        contents.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return contents;
  }

  @Test
  void makesAuthorityServerAndClients() throws Exception {
    List<Path> written =
        certificates.issue(List.of("blocks.example.org", "192.0.2.7"), List.of("alice"), 30);
    assertThat(written)
        .extracting(file -> file.getFileName().toString())
        .containsExactly("ca.key", "ca.crt", "server.key", "server.crt", "alice.key", "alice.crt");
    X509Certificate authority = read("ca");
    X509Certificate server = read("server");
    X509Certificate client = read("alice");
    assertThat(authority.getBasicConstraints()).isZero();
    server.verify(authority.getPublicKey());
    client.verify(authority.getPublicKey());
    assertThat(server.getSubjectAlternativeNames())
        .extracting(name -> name.get(1).toString())
        .containsExactly(
            "blocks.example.org", "192.0.2.7", "localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
    assertThat(client.getSubjectAlternativeNames()).containsExactly(List.of(6, "roram:alice"));
    assertThat(CertificateIdentity.of(client)).contains(new ClientIdentity("alice"));
    assertThat(server.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(client.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
    assertThat(server.getSerialNumber()).isNotEqualTo(client.getSerialNumber());
    assertThat(client.getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofDays(30)));
    assertThat(certificates.files("alice").expiry()).isEqualTo(NOW.plus(Duration.ofDays(30)));
  }

  @Test
  void whatItMakesLoads() throws IOException {
    certificates.issue(List.of(), List.of("alice"), 1);
    assertThat(certificates.files("alice").clientContext().isClient()).isTrue();
    assertThat(certificates.files("server").serverContext(ClientAuth.REQUIRE).isServer()).isTrue();
  }

  @Test
  void noLifeIsLongerThanTheAuthoritys() throws IOException {
    certificates.issue(null, List.of(), 1);
    CertificateDirectory later =
        new CertificateDirectory(directory, InstantSource.fixed(NOW.plus(Duration.ofDays(3000))));
    later.issue(null, List.of("alice"), 3000);
    assertThat(read("alice").getNotAfter()).isEqualTo(read("ca").getNotAfter());
  }

  @Test
  void anAuthorityThatHasExpiredOrAnothersKeySignsNothing() throws IOException {
    certificates.issue(null, List.of(), 1);
    CertificateDirectory late =
        new CertificateDirectory(directory, InstantSource.fixed(NOW.plus(Duration.ofDays(3650))));
    assertThatThrownBy(() -> late.issue(List.of(), List.of(), 30))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("expired at 2035-12-31");
    Path other = parent.resolve("other");
    new CertificateDirectory(other, InstantSource.fixed(NOW)).issue(null, List.of(), 1);
    Files.copy(
        other.resolve("ca.key"), directory.resolve("ca.key"), StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> certificates.issue(List.of(), List.of("alice"), 30))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("ca.key is not the key of ca.crt");
    assertThat(contents()).containsOnlyKeys("ca.crt", "ca.key");
  }

  @Test
  void anAuthorityWithoutItsKeySignsNothing() throws IOException {
    certificates.issue(null, List.of(), 1);
    Files.delete(directory.resolve("ca.key"));
    assertThatThrownBy(() -> certificates.issue(null, List.of("alice"), 30))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(directory.resolve("ca.key") + ": is not there, and ca.crt is: put");
    assertThat(contents()).containsOnlyKeys("ca.crt");
  }

  @Test
  void oneMoreClientLaterFromTheSameAuthority() throws Exception {
    certificates.issue(List.of(), List.of("alice"), 30);
    Map<String, String> before = contents();
    assertThat(certificates.issue(null, List.of("bob"), 30)).hasSize(2);
    read("bob").verify(read("ca").getPublicKey());
    assertThat(contents()).containsAllEntriesOf(before).hasSize(before.size() + 2);
  }

  @Test
  void overwritesNothingAndWritesNothingElse() throws IOException {
    certificates.issue(List.of(), List.of("alice"), 30);
    Map<String, String> before = contents();
    assertThatThrownBy(() -> certificates.issue(null, List.of("bob", "alice"), 30))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("alice.key")
        .hasMessageContaining("not overwritten");
    assertThatThrownBy(() -> certificates.issue(List.of(), List.of("bob"), 30))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("server.key");
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void refusesNamesAndLives() {
    assertThatThrownBy(() -> certificates.issue(null, List.of("../x"), 30))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("\"../x\"");
    assertThatThrownBy(() -> certificates.issue(null, List.of("server"), 30))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("\"server\"");
    assertThatThrownBy(() -> certificates.issue(List.of("host:7420"), List.of(), 30))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("\"host:7420\"");
    for (String host : List.of("[::1]", "fe80::1%eth0")) {
      assertThatThrownBy(() -> certificates.issue(List.of(host), List.of(), 30))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("\"" + host + "\"");
    }
    assertThatThrownBy(() -> certificates.issue(List.of(), List.of(), 3651))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("3651");
    assertThat(directory).doesNotExist();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void privateKeysAreTheOwnersAlone() throws IOException {
    certificates.issue(List.of(), List.of("alice"), 30);
    for (String name : List.of("ca", "server", "alice")) {
      Path key = directory.resolve(name + ".key");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
          .isEqualTo("rw-------");
    }
    Files.setPosixFilePermissions(
        directory.resolve("alice.key"), PosixFilePermissions.fromString("rw----r--"));
    assertThatThrownBy(() -> certificates.files("alice").clientContext())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("chmod 600");
  }

  @Test
  void wrongFilesAreNamed() throws IOException {
    certificates.issue(List.of(), List.of("alice", "bob"), 30);
    Path ca = directory.resolve("ca.crt");
    Path crt = directory.resolve("alice.crt");
    Path key = directory.resolve("alice.key");
    assertThatThrownBy(() -> new TlsFiles(ca, crt, null))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("alice.crt");
    assertThatThrownBy(() -> new TlsFiles(ca, key, key).clientContext())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("alice.key holds no certificate");
    Files.setPosixFilePermissions(ca, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> new TlsFiles(ca, crt, ca).serverContext(ClientAuth.REQUIRE))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("chmod 600");
    Path noKey = Files.copy(crt, directory.resolve("no.key"));
    Files.setPosixFilePermissions(noKey, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> new TlsFiles(ca, crt, noKey).clientContext())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("no.key holds no private key");
    assertThatThrownBy(() -> new TlsFiles(key, crt, key).clientContext())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("alice.key holds no certificate");
    assertThatThrownBy(() -> TlsFiles.inDirectory(directory, "carol").clientContext())
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("carol.crt")
        .hasMessageContaining("init-certs");
  }

  @Test
  void certificateWithoutTheUriIsItsCommonName() throws Exception {
    certificates.issue(List.of(), List.of(), 30);
    assertThat(CertificateIdentity.of(read("server"))).isEmpty();
    assertThat(CertificateIdentity.of(read("ca"))).isEmpty();
  }
}
