package io.github.roram.netserver.operations;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.access.TokenFile;
import io.github.roram.netserver.config.SettingsFile;
import io.github.roram.netserver.tls.CertificateDirectory;
import io.github.roram.storage.remote.LeaseKeeper;
import io.github.roram.storage.remote.RemoteAddress;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.RemoteStore;
import io.github.roram.storage.remote.RemoteVolumes;
import io.github.roram.storage.remote.StoreUnreachableException;
import io.github.roram.storage.remote.protocol.VolumePage.Listed;
import io.github.roram.storage.tls.TlsFiles;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who gets what from a server: over real TLS, with real certificates and tokens. */
@Timeout(60)
final class AccessTest {

  private static final Duration SHORT = Duration.ofSeconds(10);

  /** A refusal need not be tried again, but an alert may be lost with its connection. */
  private static final Duration RETRIES = Duration.ofSeconds(2);

  @TempDir static Path shared;
  private static Path certs;

  @TempDir Path directory;
  private @Nullable OperatedServer started;

  @BeforeAll
  static void makeCertificates() throws IOException {
    certs = shared.resolve("certs");
    new CertificateDirectory(certs, InstantSource.system())
        .issue(List.of(), List.of("alice", "bob"), 1);
    InstantSource lastWeek = InstantSource.fixed(Instant.now().minus(Duration.ofDays(7)));
    new CertificateDirectory(certs, lastWeek).issue(null, List.of("expired"), 1);
    new CertificateDirectory(shared.resolve("others"), InstantSource.system())
        .issue(List.of(), List.of("alice"), 1);
  }

  private void start(String more) throws IOException {
    start("127.0.0.1", more);
  }

  private void start(String host, String more) throws IOException {
    Path file = directory.resolve("server.toml");
    Files.writeString(
        file,
        """
        listen = "%s:0"
        directory = "data"
        %s
        [tls]
        ca = "%s/ca.crt"
        certificate = "%s/server.crt"
        key = "%s/server.key"
        [volumes.hers]
        identities = ["alice"]
        quota = "64K"
        [volumes."his-*"]
        identities = ["bob"]
        """
            .formatted(host, more, certs, certs, certs));
    started = OperatedServer.start(SettingsFile.read(file));
  }

  private OperatedServer server() {
    return requireNonNull(started);
  }

  @AfterEach
  void stop() {
    assertThat(server().drain()).isTrue();
  }

  private RemoteAddress address(boolean tls, String host, String volume) {
    return new RemoteAddress(tls, host, server().hostPort().port(), volume);
  }

  private RemoteAddress address(String volume) {
    return address(true, "127.0.0.1", volume);
  }

  private static RemoteOptions with(TlsFiles files) {
    return RemoteOptions.defaults().withTls(files).withTimeouts(SHORT, SHORT, RETRIES, SHORT);
  }

  private static RemoteOptions as(String client) {
    return with(TlsFiles.inDirectory(certs, client));
  }

  private static RemoteOptions withoutCertificate() {
    return with(new TlsFiles(certs.resolve("ca.crt"), null, null));
  }

  private static void assertDenied(ThrowingCallable work) {
    assertThatThrownBy(work).isInstanceOf(AccessDeniedException.class);
  }

  private static void assertUntrusted(ThrowingCallable work) {
    assertThatThrownBy(work)
        .isInstanceOf(SSLHandshakeException.class)
        .hasMessageContaining("no trust between this client and tls://")
        .hasMessageContaining("check that");
  }

  private String metrics() {
    return server().scrape();
  }

  private boolean hasVolumes() throws IOException {
    try (var volumes = Files.list(directory.resolve("data").resolve("volumes"))) {
      return volumes.findAny().isPresent();
    }
  }

  private static ExtentBatch unit() {
    ExtentBatch batch = new ExtentBatch();
    batch.reset(IoPhase.META, 0, 512);
    batch.add(0, 1);
    return batch;
  }

  @Test
  void whoIsOnTheListUsesTheVolume() throws IOException {
    start("");
    byte[] written = new byte[512];
    written[7] = 7;
    RemoteVolumes.create(address("hers"), 4096, as("alice"));
    try (RemoteStore store = RemoteStore.open(address("hers"), as("alice"), LeaseKeeper.NONE)) {
      store.write(unit(), (first, units) -> units.put(written));
      store.sync();
      byte[] read = new byte[512];
      store.read(unit(), (first, units) -> units.get(read));
      assertThat(read).isEqualTo(written);
    }
    assertThat(metrics())
        .contains("roram_requests_seconds_count{outcome=\"ok\",type=\"write\"} 1\n")
        .contains("roram_bytes_total{direction=\"received\",type=\"write\"} 512.0\n")
        .contains("roram_bytes_total{direction=\"sent\",type=\"read\"} 512.0\n")
        .contains("roram_volume_capacity_bytes{volume=\"hers\"} 4096.0\n")
        .contains("roram_access_denied_total 0.0\n");
    RemoteVolumes.delete(address("hers"), as("alice"));
    assertThat(metrics()).doesNotContain("volume=\"hers\"");
  }

  @Test
  void anothersVolumeGivesNothingNotEvenWhetherItIsThere() throws IOException {
    start("");
    RemoteVolumes.create(address("hers"), 4096, as("alice"));
    assertDenied(() -> RemoteStore.open(address("hers"), as("bob"), LeaseKeeper.NONE));
    assertDenied(
        () -> RemoteStore.open(address("hers"), as("bob").withTakeOver(true), LeaseKeeper.NONE));
    assertDenied(() -> RemoteVolumes.exists(address("hers"), as("bob")));
    assertDenied(() -> RemoteVolumes.exists(address("nobodys"), as("bob")));
    assertDenied(() -> RemoteVolumes.delete(address("hers"), as("bob")));
    assertDenied(() -> RemoteVolumes.create(address("nobodys"), 4096, as("bob")));
    assertThat(RemoteVolumes.exists(address("hers"), as("alice"))).isTrue();
    assertThat(RemoteVolumes.exists(address("his-1"), as("bob"))).isFalse();
    assertThat(metrics()).contains("roram_access_denied_total 6.0\n");
  }

  @Test
  void aListHasTheVolumesThatAClientMayUseAndNoOthers() throws IOException {
    start("");
    RemoteVolumes.create(address("hers"), 4096, as("alice"));
    RemoteVolumes.create(address("his-2"), 8192, as("bob"));
    RemoteVolumes.create(address("his-1"), 4096, as("bob"));
    assertThat(RemoteVolumes.list(address(""), as("alice")))
        .containsExactly(new Listed("hers", 4096, false, "alice"));
    try (RemoteStore store = RemoteStore.open(address("his-2"), as("bob"), LeaseKeeper.NONE)) {
      assertThat(store.capacityBytes()).isEqualTo(8192);
      assertThat(RemoteVolumes.list(address(""), as("bob")))
          .containsExactly(
              new Listed("his-1", 4096, false, "bob"), new Listed("his-2", 8192, true, "bob"));
    }
    assertThat(server().drain()).isTrue();
    start("");
    assertThat(RemoteVolumes.list(address(""), as("bob")))
        .containsExactly(
            new Listed("his-1", 4096, false, "bob"), new Listed("his-2", 8192, false, "bob"));
    RemoteVolumes.delete(address("his-1"), as("bob"));
    RemoteVolumes.delete(address("his-2"), as("bob"));
    assertThat(RemoteVolumes.list(address(""), as("bob"))).isEmpty();
    assertUntrusted(() -> RemoteVolumes.list(address(""), withoutCertificate()));
  }

  @Test
  void whoHasNoRightCertificateGetsNothing() throws IOException {
    start("");
    assertUntrusted(() -> RemoteVolumes.create(address("hers"), 4096, withoutCertificate()));
    TlsFiles others =
        new TlsFiles(
            certs.resolve("ca.crt"),
            shared.resolve("others").resolve("alice.crt"),
            shared.resolve("others").resolve("alice.key"));
    assertUntrusted(() -> RemoteVolumes.create(address("hers"), 4096, with(others)));
    assertUntrusted(() -> RemoteVolumes.create(address("hers"), 4096, as("expired")));
    // The server's own certificate is for servers.
    assertUntrusted(() -> RemoteVolumes.create(address("hers"), 4096, as("server")));
    // Without TLS there is no answer at all.
    Duration brief = Duration.ofMillis(500);
    assertThatThrownBy(
            () ->
                RemoteVolumes.create(
                    address(false, "127.0.0.1", "hers"),
                    4096,
                    withoutCertificate().withTimeouts(brief, brief, brief, SHORT)))
        .isInstanceOf(StoreUnreachableException.class);
    assertThat(hasVolumes()).isFalse();
    assertThat(metrics()).doesNotContain("roram_access_denied_total 0.0\n");
    RemoteVolumes.create(address("hers"), 4096, as("alice"));
  }

  @Test
  void clientRefusesAServerThatItDoesNotTrust() throws IOException {
    start("0.0.0.0", "");
    TlsFiles others = TlsFiles.inDirectory(shared.resolve("others"), "alice");
    assertUntrusted(() -> RemoteVolumes.create(address("hers"), 4096, with(others)));
    // It listens at all addresses of the loopback, but the certificate is for one.
    assertUntrusted(
        () -> RemoteVolumes.create(address(true, "127.0.0.2", "hers"), 4096, as("alice")));
    assertThat(hasVolumes()).isFalse();
  }

  @Test
  void tokenDoesAsWellAsACertificate() throws IOException {
    Path tokens = directory.resolve("tokens");
    RemoteOptions alice = withoutCertificate().withTokenFile(token(tokens, "alice"));
    RemoteOptions bob = withoutCertificate().withTokenFile(token(tokens, "bob"));
    Path wrong = Files.writeString(directory.resolve("wrong"), "wrong\n");
    start("tokens = \"tokens\"");
    RemoteVolumes.create(address("hers"), 4096, alice);
    assertThat(RemoteVolumes.exists(address("hers"), as("alice"))).isTrue();
    assertDenied(() -> RemoteVolumes.exists(address("hers"), bob));
    assertDenied(() -> RemoteVolumes.exists(address("hers"), withoutCertificate()));
    assertDenied(
        () -> RemoteVolumes.exists(address("hers"), withoutCertificate().withTokenFile(wrong)));
    // Who shows two proofs must be the same with both.
    assertDenied(
        () ->
            RemoteVolumes.exists(
                address("hers"), as("alice").withTokenFile(requireNonNull(bob.tokenFile()))));
    assertDenied(() -> RemoteVolumes.exists(address("hers"), as("alice").withTokenFile(wrong)));
    assertUntrusted(() -> RemoteVolumes.exists(address("hers"), as("expired")));
  }

  private Path token(Path tokens, String client) throws IOException {
    return Files.writeString(
        directory.resolve(client + ".token"),
        TokenFile.add(tokens, new ClientIdentity(client)) + "\n");
  }

  @Test
  void anonymousIsOnlyWhoTheListsName() throws IOException {
    start("anonymous = true");
    assertDenied(() -> RemoteVolumes.exists(address("hers"), withoutCertificate()));
    RemoteVolumes.create(address("hers"), 4096, as("alice"));
  }

  @Test
  void quotaBoundsTheCapacity() throws IOException {
    start("");
    assertThatThrownBy(() -> RemoteVolumes.create(address("hers"), (64 << 10) + 1, as("alice")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("allowed are 1 to 65536");
    RemoteVolumes.create(address("hers"), 64 << 10, as("alice"));
    RemoteVolumes.create(address("his-1"), 1L << 40, as("bob"));
  }

  @Test
  void heldVolumeIsCountedAsAConflict() throws IOException {
    start("");
    RemoteVolumes.create(address("hers"), 4096, as("alice"));
    try (RemoteStore held = RemoteStore.open(address("hers"), as("alice"), LeaseKeeper.NONE)) {
      assertThat(held.capacityBytes()).isEqualTo(4096);
      assertThatThrownBy(() -> RemoteStore.open(address("hers"), as("alice"), LeaseKeeper.NONE))
          .isInstanceOf(io.github.roram.store.StoreLockedException.class);
      assertThat(metrics()).contains("roram_lease_conflicts_total 1.0\n");
      RemoteStore.open(address("hers"), as("alice").withTakeOver(true), LeaseKeeper.NONE).close();
      assertThatThrownBy(() -> held.read(unit(), (first, units) -> drop(units)))
          .isInstanceOf(IOException.class);
    }
  }

  private static void drop(ByteBuffer units) {
    units.position(units.limit());
  }
}
