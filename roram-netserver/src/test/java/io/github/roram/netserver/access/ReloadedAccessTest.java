package io.github.roram.netserver.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.AccessPolicy.Action;
import io.github.roram.netserver.Authenticator.Credentials;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.access.AccessRules.VolumeRule;
import io.github.roram.netserver.access.ReloadedAccess.AccessFiles;
import io.github.roram.netserver.metrics.ServerMetrics;
import io.github.roram.netserver.tls.CertificateDirectory;
import io.github.roram.storage.tls.TlsFiles;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of access that change under a server. */
final class ReloadedAccessTest {

  private static final ClientIdentity ALICE = new ClientIdentity("alice");
  private static final ClientIdentity BOB = new ClientIdentity("bob");

  @TempDir Path directory;

  private final AtomicInteger changes = new AtomicInteger();

  private static Optional<ClientIdentity> who(ReloadedAccess access, String token) {
    return access.authenticate(
        new Credentials(
            InetSocketAddress.createUnresolved("far", 1),
            null,
            token.getBytes(StandardCharsets.US_ASCII)));
  }

  private static AccessRules rules(String name) {
    return new AccessRules(List.of(new VolumeRule("v", Set.of(name), 100)));
  }

  private ReloadedAccess ofTokens(Path tokens) throws IOException {
    return start(() -> new AccessFiles(null, null, tokens, false, AccessRules.OPEN));
  }

  /** Looks when a test says. */
  private ReloadedAccess start(ReloadedAccess.Source source) throws IOException {
    return ReloadedAccess.start(source, changes::incrementAndGet, Duration.ofHours(1));
  }

  @Test
  void aTokenCountsOnceItIsInTheFileAndNoLongerWhenItIsNot() throws IOException {
    Path tokens = directory.resolve("tokens");
    String alice = TokenFile.add(tokens, ALICE);
    try (ReloadedAccess access = ofTokens(tokens)) {
      String bob = TokenFile.add(tokens, BOB);
      assertThat(who(access, alice)).contains(ALICE);
      assertThat(who(access, bob)).isEmpty();
      access.look();
      assertThat(who(access, bob)).contains(BOB);
      assertThat(changes).hasValue(1);
      access.look();
      assertThat(changes).hasValue(1);
      List<String> lines = Files.readAllLines(tokens);
      Files.write(tokens, lines.stream().filter(line -> !line.startsWith("alice")).toList());
      access.look();
      assertThat(who(access, alice)).isEmpty();
      assertThat(who(access, bob)).contains(BOB);
    }
  }

  @Test
  void aFileThatCannotBeIsRefusedAndTheOldOneStaysInForce() throws IOException {
    Path tokens = directory.resolve("tokens");
    String alice = TokenFile.add(tokens, ALICE);
    byte[] right = Files.readAllBytes(tokens);
    try (ReloadedAccess access = ofTokens(tokens)) {
      Files.writeString(tokens, "bob is let in\n");
      access.look();
      assertThat(access.isRefused()).isTrue();
      assertThat(who(access, alice)).contains(ALICE);
      Files.delete(tokens);
      access.look();
      assertThat(access.isRefused()).isTrue();
      assertThat(who(access, alice)).contains(ALICE);
      assertThat(changes).hasValue(0);
      Files.write(tokens, right);
      Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
      access.look();
      assertThat(access.isRefused()).isFalse();
      assertThat(changes).hasValue(1);
    }
    Files.writeString(tokens, "bob is let in\n");
    assertThatThrownBy(() -> ofTokens(tokens)).isInstanceOf(ConfigurationException.class);
  }

  @Test
  void whatWasRefusedForItsRightsAloneIsReadOnceTheyAreMended() throws IOException {
    Path tokens = directory.resolve("tokens");
    String stolen = TokenFile.add(tokens, ALICE);
    String bob = TokenFile.add(tokens, BOB);
    try (ReloadedAccess access = ofTokens(tokens)) {
      List<String> lines = Files.readAllLines(tokens);
      Files.write(tokens, lines.stream().filter(line -> !line.startsWith("alice")).toList());
      Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-rw-r--"));
      access.look();
      assertThat(access.isRefused()).isTrue();
      assertThat(who(access, stolen)).contains(ALICE);
      Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
      access.look();
      assertThat(access.isRefused()).isFalse();
      assertThat(who(access, stolen)).isEmpty();
      assertThat(who(access, bob)).contains(BOB);
    }
  }

  @Test
  void listsAreReadFromTheSettingsAgain() throws IOException {
    Path settings = Files.writeString(directory.resolve("settings"), "alice");
    try (ReloadedAccess access =
        start(
            () -> new AccessFiles(settings, null, null, true, rules(Files.readString(settings))))) {
      assertThat(access.allows(ALICE, "v", Action.USE)).isTrue();
      Files.writeString(settings, "bob");
      access.look();
      assertThat(access.allows(ALICE, "v", Action.USE)).isFalse();
      assertThat(access.allows(BOB, "v", Action.USE)).isTrue();
      assertThat(access.maxVolumeBytes("v", 7)).isEqualTo(100);
      Files.writeString(settings, "no name");
      access.look();
      assertThat(access.allows(BOB, "v", Action.USE)).isTrue();
    }
  }

  @Test
  void newConnectionsGetTheNewCertificate() throws IOException {
    CertificateDirectory certificates = new CertificateDirectory(directory, InstantSource.system());
    certificates.issue(List.of(), List.of(), 10);
    TlsFiles files = certificates.files(CertificateDirectory.SERVER);
    try (ReloadedAccess access =
        start(() -> new AccessFiles(null, files, null, false, AccessRules.OPEN))) {
      SslContext context = Objects.requireNonNull(access.sslContext());
      var sessions = context.sessionContext();
      Files.delete(directory.resolve("server.crt"));
      Files.delete(directory.resolve("server.key"));
      access.look();
      assertThat(access.isRefused()).isTrue();
      assertThat(context.sessionContext()).isSameAs(sessions);
      var before = access.expiry();
      certificates.issue(List.of("host.example"), List.of(), 5);
      access.look();
      assertThat(access.isRefused()).isFalse();
      // The same context, which a listener holds, makes engines of the new one.
      assertThat(context.sessionContext()).isNotSameAs(sessions);
      assertThat(access.expiry()).isBefore(before);
      try (ServerMetrics metrics = new ServerMetrics()) {
        metrics.access(access);
        double seconds = access.expiry().getEpochSecond();
        assertThat(metrics.scrape())
            .contains("roram_certificate_expiry_timestamp_seconds " + seconds + "\n")
            .contains("roram_access_files_refused 0.0\n");
      }
      assertThat(context.newEngine(ByteBufAllocator.DEFAULT).getUseClientMode()).isFalse();
    }
  }
}
