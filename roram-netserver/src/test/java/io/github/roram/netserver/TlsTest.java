package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.remote.RemoteOptions;
import io.github.roram.storage.remote.StoreUnreachableException;
import io.github.roram.storage.tls.TlsFiles;
import io.github.roram.store.ExtentBatch;
import io.github.roram.testkit.Batches;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores by URI, over TLS with a certificate that signs itself, and plain. */
final class TlsTest {

  private static final String PASSWORD = "changeit";

  @TempDir Path directory;

  @Test
  void aStoreOverTlsIsCreatedOpenedAndDeleted() throws Exception {
    KeyStore keys = selfSigned();
    X509Certificate certificate = (X509Certificate) keys.getCertificate("server");
    PrivateKey key = (PrivateKey) keys.getKey("server", PASSWORD.toCharArray());
    Path pem = directory.resolve("ca.pem");
    Files.writeString(pem, pem(certificate));
    ServerConfig config =
        ServerConfig.loopback(0, new FileBacking(directory.resolve("s"), FileOptions.defaults()))
            .withSslContext(
                SslContextBuilder.forServer(key, certificate).protocols("TLSv1.3").build());
    try (BlockServer server = BlockServer.start(config)) {
      String place = "://127.0.0.1:" + server.address().getPort() + "/volume";
      StoreOptions trusting =
          options(RemoteOptions.defaults().withTls(new TlsFiles(pem, null, null)));
      useAndDelete("tls" + place, trusting);

      RemoteOptions hasty =
          RemoteOptions.defaults()
              .withTimeouts(
                  Duration.ofSeconds(5),
                  Duration.ofSeconds(5),
                  Duration.ZERO,
                  Duration.ofSeconds(1));
      assertThatThrownBy(() -> Stores.exists("tls" + place, options(hasty)))
          .isInstanceOf(SSLHandshakeException.class)
          .hasMessageContaining("no trust");
      assertThatThrownBy(() -> Stores.exists("tcp" + place, options(hasty)))
          .isInstanceOf(StoreUnreachableException.class);
    }
  }

  @Test
  void aPlainStoreIsCreatedOpenedAndDeleted() throws IOException {
    try (BlockServer server =
        BlockServer.start(
            ServerConfig.loopback(
                0, new FileBacking(directory.resolve("s"), FileOptions.defaults())))) {
      useAndDelete(
          "tcp://127.0.0.1:" + server.address().getPort() + "/volume",
          options(RemoteOptions.defaults()));
    }
  }

  private StoreOptions options(RemoteOptions remote) {
    return remote.storeOptions().withStateDirectory(directory.resolve("state"));
  }

  private void useAndDelete(String uri, StoreOptions options) throws IOException {
    assertThat(Stores.exists(uri, options)).isFalse();
    ExtentBatch batch = Batches.of(5000, 77, 100);
    byte[] content = Batches.noise(500_000, 1);
    try (OpenedStore opened = Stores.create(uri, 1 << 20, options)) {
      Batches.write(opened.store(), batch, content);
      opened.vault().save("state", out -> out.write(7));
    }
    assertThat(Stores.exists(uri, options)).isTrue();
    assertThatThrownBy(() -> Stores.create(uri, 1 << 20, options))
        .isInstanceOf(java.nio.file.FileAlreadyExistsException.class);
    try (OpenedStore opened = Stores.open(uri, options)) {
      assertThat(Batches.read(opened.store(), batch)).isEqualTo(content);
      try (InputStream record = opened.vault().load("state").orElseThrow()) {
        assertThat(record.read()).isEqualTo(7);
      }
    }
    Stores.delete(uri, options);
    assertThat(Stores.exists(uri, options)).isFalse();
    assertThat(directory.resolve("state")).doesNotExist();
  }

  private KeyStore selfSigned() throws Exception {
    Path file = directory.resolve("keys.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Process process =
        new ProcessBuilder(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=server",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
  }

  private static String pem(X509Certificate certificate) throws Exception {
    String body =
        Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
    return "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
  }
}
