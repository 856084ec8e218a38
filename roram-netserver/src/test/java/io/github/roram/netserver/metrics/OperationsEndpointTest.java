package io.github.roram.netserver.metrics;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.access.ClientAuthenticator;
import io.github.roram.netserver.access.TokenFile;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings.MetricsSettings;
import io.github.roram.netserver.tls.CertificateDirectory;
import io.github.roram.storage.tls.TlsFiles;
import io.github.roram.threads.Uninterrupted;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import java.io.IOException;
import java.net.BindException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a watcher sees, over HTTP. */
final class OperationsEndpointTest {

  @TempDir Path directory;
  private final ServerMetrics metrics = new ServerMetrics();
  private final AtomicBoolean ready = new AtomicBoolean(true);
  private OperationsEndpoint endpoint;

  @BeforeEach
  void start() throws IOException {
    endpoint = start("127.0.0.1:0", null, null);
  }

  private OperationsEndpoint start(
      String address, @Nullable TlsFiles tls, @Nullable TokenFile tokens, String... readers)
      throws IOException {
    MetricsSettings settings = new MetricsSettings(HostPort.parse(address), Set.of(readers));
    return new OperationsEndpoint(
        settings,
        tls == null
            ? null
            : tls.serverContext(tokens == null ? ClientAuth.REQUIRE : ClientAuth.OPTIONAL),
        new ClientAuthenticator(tokens, false),
        metrics::scrape,
        ready::get);
  }

  @AfterEach
  void stop() {
    endpoint.close();
    metrics.close();
  }

  private HttpResponse<String> request(String method, String path)
      throws IOException, InterruptedException {
    URI uri =
        URI.create(
            "http://" + endpoint.address().getHostString() + ":" + endpoint.address().getPort());
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri.resolve(path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  /** What metrics are asked of may wait for a medium: a probe must not take that for death. */
  @Test
  void healthIsToldWhileMetricsAreWaitedFor() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    endpoint.close();
    endpoint =
        new OperationsEndpoint(
            new MetricsSettings(HostPort.parse("127.0.0.1:0"), Set.of()),
            null,
            new ClientAuthenticator(null, false),
            () -> {
              begun.countDown();
              Uninterrupted.await(end::await);
              return "late";
            },
            ready::get);
    try (Socket scrape =
        new Socket(endpoint.address().getAddress(), endpoint.address().getPort())) {
      scrape.getOutputStream().write("GET /metrics HTTP/1.0\r\n\r\n".getBytes(US_ASCII));
      begun.await();
      assertThat(request("GET", "/health").statusCode()).isEqualTo(200);
      end.countDown();
      assertThat(new String(scrape.getInputStream().readAllBytes(), US_ASCII)).endsWith("late");
    }
  }

  @Test
  void metricsAreThoseOfTheServer() throws Exception {
    metrics.connectionOpened();
    metrics.connectionOpened();
    metrics.connectionClosed();
    metrics.accessDenied();
    metrics.leaseConflict();
    metrics.requestDone("read", "ok", 2_000_000, 40, 8192);
    metrics.requestDone("read", "full", 2_000_000, 0, 0);
    metrics.volumeOpened("vault", 4096);
    metrics.gauge("roram.in.flight.bytes", "x", () -> 17);
    HttpResponse<String> response = request("GET", "/metrics");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
    assertThat(response.body())
        .contains("roram_connections 1.0\n")
        .contains("roram_connections_accepted_total 2.0\n")
        .contains("roram_access_denied_total 1.0\n")
        .contains("roram_lease_conflicts_total 1.0\n")
        .contains("roram_requests_seconds_bucket{outcome=\"ok\",type=\"read\",le=\"0.003\"} 1\n")
        .contains("roram_requests_seconds_bucket{outcome=\"ok\",type=\"read\",le=\"0.001\"} 0\n")
        .contains("roram_requests_seconds_count{outcome=\"full\",type=\"read\"} 1\n")
        .contains("roram_bytes_total{direction=\"sent\",type=\"read\"} 8192.0\n")
        .contains("roram_volume_capacity_bytes{volume=\"vault\"} 4096.0\n")
        .contains("roram_in_flight_bytes 17.0\n");
    metrics.volumeDeleted("vault");
    assertThat(request("GET", "/metrics").body()).doesNotContain("volume=\"vault\"");
  }

  @Test
  void readinessFollowsTheServerAndHealthTheProcess() throws Exception {
    assertThat(request("GET", "/ready").statusCode()).isEqualTo(200);
    ready.set(false);
    assertThat(request("GET", "/ready").statusCode()).isEqualTo(503);
    assertThat(request("GET", "/health").statusCode()).isEqualTo(200);
  }

  @Test
  void otherRequestsAreRefused() throws Exception {
    assertThat(request("GET", "/").statusCode()).isEqualTo(404);
    assertThat(request("POST", "/metrics").statusCode()).isEqualTo(405);
    try (Socket socket =
        new Socket(endpoint.address().getAddress(), endpoint.address().getPort())) {
      socket.getOutputStream().write("\r\r garbage\n\n".getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 400");
    }
    assertThat(request("GET", "/health").statusCode()).isEqualTo(200);
  }

  /** Who waited longest makes room: else strangers could keep out who watches. */
  @Test
  void connectionsAreFew() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 65; i++) {
        silent.add(new Socket(endpoint.address().getAddress(), endpoint.address().getPort()));
      }
      silent.get(0).setSoTimeout(9000); // less than a connection may take
      assertThat(silent.get(0).getInputStream().read()).isEqualTo(-1);
      assertThat(request("GET", "/health").statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  /** However a request trickles in. */
  @Test
  void aConnectionEndsInTime() {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.freezeTime();
    endpoint.serve(channel);
    for (int second = 0; second < 10; second++) {
      assertThat(channel.isOpen()).isTrue();
      channel.writeInbound(Unpooled.copiedBuffer("G", StandardCharsets.US_ASCII));
      channel.advanceTimeBy(1, TimeUnit.SECONDS);
      channel.runPendingTasks();
    }
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void addressInUseIsNamed() {
    assertThatThrownBy(() -> start("127.0.0.1:" + endpoint.address().getPort(), null, null))
        .isInstanceOf(BindException.class)
        .hasMessageContaining(Integer.toString(endpoint.address().getPort()))
        .hasMessageContaining("choose another address");
  }

  /** At a constant rate they tell what the rate hides. */
  @Test
  void strangersAreToldNothing() throws Exception {
    for (String[] readers : new String[][] {{}, {"eve"}}) {
      assertThatThrownBy(() -> start("0.0.0.0:0", null, null, readers).close())
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("give certificates");
    }
    Path certs = directory.resolve("certs");
    new CertificateDirectory(certs, InstantSource.system())
        .issue(List.of("localhost"), List.of("eve", "bob"), 2);
    Path tokens = directory.resolve("tokens");
    String token = TokenFile.add(tokens, new ClientIdentity("eve"));
    try (OperationsEndpoint secret =
        start(
            "localhost:0", TlsFiles.inDirectory(certs, "server"), TokenFile.read(tokens), "eve")) {
      assertThat(secret.uri()).startsWith("https://");
      try {
        status(secret, certs, "eve", "");
      } catch (IOException e) {
        // The first time TLS is used it may take as long as a connection may.
      }
      assertThat(status(secret, certs, "eve", "")).isEqualTo(200);
      assertThat(status(secret, certs, null, token)).isEqualTo(200);
      assertThat(status(secret, certs, "bob", "")).isEqualTo(403);
      assertThat(status(secret, certs, "bob", token)).isEqualTo(401);
      assertThat(status(secret, certs, null, "")).isEqualTo(401);
      assertThat(status(secret, certs, null, "x" + token)).isEqualTo(401);
    }
  }

  /** What a client with this certificate, or none, and this token is answered. */
  private static int status(OperationsEndpoint at, Path certs, @Nullable String name, String token)
      throws Exception {
    TlsFiles files =
        name == null
            ? new TlsFiles(certs.resolve("ca.crt"), null, null)
            : TlsFiles.inDirectory(certs, name);
    SSLContext context = ((JdkSslContext) files.clientContext()).context();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
            URI.create("https://localhost:" + at.address().getPort() + "/metrics"));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return HttpClient.newBuilder()
        .sslContext(context)
        .build()
        .send(request.build(), HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }
}
