package io.github.roram.storage.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.object.ObjectSpace;
import io.github.roram.storage.StoreOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.ignite.Ignite;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.ssl.SslContextFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that takes clients by TLS alone, and asks for user and password. */
@Tag("gate")
final class IgniteTlsTest {

  private static final String PASSWORD = "changeit";
  private static final int PORTS = TestNode.freePorts();

  private static final SSLContext USUAL = usual();

  @TempDir static Path directory;
  private static Ignite node;

  @BeforeAll
  static void start() throws Exception {
    Path keys = directory.resolve("keys.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    String command =
        " -genkeypair -alias node -keyalg EC -dname CN=node -ext san=ip:127.0.0.1 -validity 30"
            + " -storetype PKCS12 -storepass "
            + PASSWORD
            + " -keystore ";
    int exit =
        new ProcessBuilder((keytool + command + keys).split(" "))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("keytool.log").toFile())
            .start()
            .waitFor();
    assertThat(exit).isZero();
    node =
        TestNode.start(0, 1, PORTS, directory.resolve("node"), settings -> secure(settings, keys));
    node.cluster().state(ClusterState.ACTIVE);
    SSLContext.setDefault(trusting(keys));
  }

  private static SSLContext usual() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As Java makes it of javax.net.ssl.trustStore, once for a process. */
  private static SSLContext trusting(Path keys) throws Exception {
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray()));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trusted.getTrustManagers(), null);
    return context;
  }

  private static void secure(IgniteConfiguration settings, Path keys) {
    SslContextFactory tls = new SslContextFactory();
    tls.setKeyStoreType("PKCS12");
    tls.setKeyStoreFilePath(keys.toString());
    tls.setKeyStorePassword(PASSWORD.toCharArray());
    tls.setTrustManagers(SslContextFactory.getDisabledTrustManager());
    settings
        .setAuthenticationEnabled(true)
        .getClientConnectorConfiguration()
        .setSslEnabled(true)
        .setUseIgniteSslContextFactory(false)
        .setSslContextFactory(tls);
  }

  @AfterAll
  static void stop() {
    SSLContext.setDefault(USUAL);
    if (node != null) {
      node.close();
    }
  }

  private static StoreOptions options(String password) {
    return TestNode.options(TestNode.address(0, PORTS))
        .with(IgniteOptions.TLS, true)
        .with(IgniteOptions.USER, "ignite")
        .with(IgniteOptions.PASSWORD, password);
  }

  private static ObjectSpace open(StoreOptions options) throws IOException {
    return IgniteObjects.open(IgniteObjectsProvider.PLACES.read("roram/tls"), options);
  }

  @Test
  void objectsAreThereForWhoeverIsLetIn() throws IOException {
    try (ObjectSpace objects = open(options("ignite"))) {
      objects.put("b/1", ByteBuffer.wrap(new byte[] {1, 2, 3}));
      assertThat(objects.createOnce("log/1", ByteBuffer.wrap(new byte[] {4}))).isTrue();
      assertThat(objects.createOnce("log/1", ByteBuffer.wrap(new byte[] {5}))).isFalse();
      ByteBuffer read = ByteBuffer.allocate(2);
      objects.read("b/1", 1, read);
      assertThat(read.array()).containsExactly(2, 3);
    }
  }

  @Test
  void othersAreRefused() {
    assertThatThrownBy(() -> open(options("wrong"))).hasStackTraceContaining("password");
    StoreOptions plain = TestNode.options(TestNode.address(0, PORTS));
    assertThatThrownBy(() -> open(plain.with(IgniteOptions.RETRY, Duration.ofSeconds(2))))
        .isInstanceOf(IOException.class);
  }
}
