package io.github.roram.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.roram.netserver.config.HostPort;
import io.github.roram.netserver.config.ServerSettings;
import io.github.roram.netserver.operations.OperatedServer;
import io.github.roram.netserver.tls.CertificateDirectory;
import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.proxy.client.ProxyClient;
import io.github.roram.proxy.client.ProxyException;
import io.github.roram.proxy.client.ProxyOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code roram proxy} and the commands that use one; the protocol has its tests in roram-proxy. */
final class ProxyCommandTest {

  private static final String LOCAL = "--anyone-on-this-machine";

  @TempDir Path directory;

  private ServerProcess serve(TestStore store, String... options) throws IOException {
    List<String> line = new ArrayList<>(List.of("proxy", store.uri(), "--key-file"));
    line.addAll(List.of(store.keyFile().toString(), "--listen", "127.0.0.1:0"));
    line.addAll(List.of(options));
    return ServerProcess.startCommand(directory.resolve("errors"), line);
  }

  private static CommandRun ok(CommandRun run) {
    assertThat(run.exitCode()).as(run.messages()).isZero();
    return run;
  }

  /** Each metric that they name is told, by a proxy or by a block server. */
  private void checkDashboardAndAlerts(String proxyMetrics) throws IOException {
    CertificateDirectory certificates =
        new CertificateDirectory(directory.resolve("certs"), InstantSource.system());
    certificates.issue(List.of(), List.of(), 1);
    String told;
    try (OperatedServer server =
        OperatedServer.start(
            ServerSettings.openToCertified(
                new HostPort("127.0.0.1", 0),
                directory.resolve("volumes"),
                certificates.files(CertificateDirectory.SERVER)))) {
      told = proxyMetrics + server.scrape();
    }
    // Told at a constant rate only.
    told += "roram_rate_missed_total 0\n";
    Path dist = SourceTree.ROOT.resolve("roram-netserver/dist");
    int named = 0;
    for (String file : List.of("alerts.yml", "dashboard.json")) {
      Matcher names =
          Pattern.compile("\\broram_\\w+").matcher(Files.readString(dist.resolve(file)));
      while (names.find()) {
        named++;
        assertThat(told).as(file).containsPattern("(?m)^" + names.group() + "[ {]");
      }
    }
    assertThat(named).isGreaterThan(20);
    assertThat(new ObjectMapper().readTree(dist.resolve("dashboard.json").toFile()).get("panels"))
        .isNotEmpty();
  }

  /** So that its clients find the other. */
  @Test
  void endsOnceAnotherClientHasTheRecords() throws Exception {
    String uri = "objects:" + directory.resolve("engine");
    String key = directory.resolve("key").toString();
    List<String> store = List.of(uri, "--vault", uri, "--key-file", key, "--state-dir");
    String own = directory.resolve("own").toString();
    String other = directory.resolve("other").toString();
    ok(command("create", store, own, "--blocks", "60", "--block-size", "1K", "--new-key"));
    List<String> line = new ArrayList<>(List.of("proxy"));
    line.addAll(store);
    line.addAll(List.of(own, "--listen", "127.0.0.1:0", LOCAL));
    Path errors = directory.resolve("errors");
    try (ServerProcess proxy = ServerProcess.startCommand(errors, line)) {
      ok(command("verify", store, other, "--take-over"));
      ProxyOptions once = ProxyOptions.defaults().withAgain(Duration.ZERO);
      try (ProxyClient client = ProxyClient.connect(ProxyAddress.parse(proxy.uri()), once)) {
        assertThatThrownBy(() -> client.write(3, ByteBuffer.allocate(1024)).join())
            .hasCauseInstanceOf(ProxyException.class);
      }
      assertThat(proxy.awaitEnd()).isEqualTo(ExitCodes.BUSY);
    }
    assertThat(errors).content().contains("start it again with --standby");
  }

  private static CommandRun command(String name, List<String> store, String... options) {
    List<String> line = new ArrayList<>(List.of(name));
    line.addAll(store);
    line.addAll(List.of(options));
    return CommandRun.of(line.toArray(String[]::new));
  }

  private static String scraped(String metrics) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(metrics)).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** 20 blocks wait for an eviction, and the treetop accounts for 15. */
  @Test
  void aRingTellsHowFullItsStashIs() throws Exception {
    String[] shape = {
      "--scheme",
      "ring",
      "--set",
      "evictionBlocks=31",
      "--set",
      "fanOut=2",
      "--set",
      "height=3",
      "--set",
      "treetopLevels=0"
    };
    TestStore store = TestStore.create(directory, shape);
    try (ServerProcess proxy = serve(store, LOCAL, "--metrics", "127.0.0.1:0")) {
      String uri = proxy.uri();
      String metrics = proxy.line().replace("Metrics at ", "");
      byte[] blocks = new byte[20 * TestStore.BLOCK_BYTES];
      ok(CommandRun.withInput(blocks, "write", uri, "--offset", "0", "--in", "-"));
      assertThat(scraped(metrics)).containsPattern("roram_stash_fullness_ratio 0\\.0[1-9]");
    }
  }

  @Test
  void commandsUseAProxyAsTheyUseAStore() throws Exception {
    TestStore store = TestStore.create(directory);
    byte[] content = new byte[200_000];
    new Random(1).nextBytes(content);
    Path in = Files.write(directory.resolve("in"), content);
    Path out = directory.resolve("out");
    try (ServerProcess proxy = serve(store, LOCAL, "--metrics", "127.0.0.1:0")) {
      String uri = proxy.uri();
      assertThat(uri).startsWith("proxy://127.0.0.1:");
      String metrics = proxy.line().replace("Metrics at ", "");
      ok(CommandRun.of("import", uri, "--in", in.toString()));
      ok(CommandRun.withInput(new byte[] {7, 8}, "write", uri, "--offset", "1023", "--in", "-"));
      content[1023] = 7;
      content[1024] = 8;
      assertThat(
              ok(CommandRun.of("read", uri, "--offset", "1000", "--length", "90", "--out", "-"))
                  .output())
          .isEqualTo(Arrays.copyOfRange(content, 1000, 1090));
      ok(CommandRun.of("export", uri, "--length", "200000", "--out", out.toString()));
      assertThat(Files.readAllBytes(out)).isEqualTo(content);
      CommandRun load = ok(CommandRun.of("load", uri, "--clients", "3", "--time", "0.5"));
      assertThat(load.text())
          .startsWith("{\"schema\":\"roram.load/1\",\"clients\":3,")
          .contains("\"mismatches\":0");
      String told = scraped(metrics);
      checkDashboardAndAlerts(told);
      assertThat(told)
          .contains("roram_proxy_queue", "roram_stash_blocks", "roram_requests_seconds_bucket")
          .contains(
              "roram_pending_reads",
              "roram_owed_blocks",
              "roram_fake_reads_total",
              "roram_subtree_buckets");
      // It is for block servers, and lets the proxy of this machine be.
      ok(
          CommandRun.withVariables(
              Map.of("RORAM_CA", "ca.crt"),
              "read",
              uri,
              "--offset",
              "0",
              "--length",
              "9",
              "--out",
              "-"));
      CommandRun wrong =
          CommandRun.of("read", uri, "--offset", "0", "--length", "1M", "--out", "-");
      assertThat(wrong.exitCode()).isEqualTo(ExitCodes.USAGE);
      CommandRun key =
          CommandRun.of(
              "read", uri, "--offset", "0", "--length", "1", "--out", "-", "--key-file", "k");
      assertThat(key.exitCode()).isEqualTo(ExitCodes.USAGE);
      assertThat(key.messages()).contains("the proxy has the key");
      assertThat(proxy.terminate()).isZero();
      assertThat(CommandRun.of("load", uri, "--time", "1").exitCode()).isEqualTo(ExitCodes.FAILURE);
    }
    assertThat(store.read(200_300, 5)).hasSize(5);
  }

  /** Other users of the machine have no token. */
  @Test
  void onLoopbackATokenIsAsked() throws Exception {
    TestStore store = TestStore.create(directory);
    Path tokens = directory.resolve("tokens");
    String token = directory.resolve("token").toString();
    ok(
        CommandRun.of(
            "server",
            "add-token",
            "--tokens",
            tokens.toString(),
            "--client",
            "me",
            "--out",
            token));
    try (ServerProcess proxy = serve(store, "--tokens", tokens.toString())) {
      String[] read = {"read", proxy.uri(), "--offset", "0", "--length", "9", "--out", "-"};
      CommandRun stranger = CommandRun.of(read);
      assertThat(stranger.exitCode()).isEqualTo(ExitCodes.FAILURE);
      assertThat(stranger.messages()).contains("not let in");
      List<String> line = new ArrayList<>(List.of(read));
      line.addAll(List.of("--token-file", token));
      assertThat(ok(CommandRun.of(line.toArray(String[]::new))).output()).hasSize(9);
      assertThat(proxy.terminate()).isZero();
    }
  }

  @Tag("gate")
  @Test
  void overTlsAtAConstantRate() throws Exception {
    TestStore store = TestStore.create(directory);
    Path certs = directory.resolve("certs");
    ok(
        CommandRun.of(
            "server",
            "init-certs",
            "--dir",
            certs.toString(),
            "--client",
            "me",
            "--client",
            "you"));
    try (ServerProcess proxy =
        serve(
            store, "--certs", certs.toString(), "--allow", "me", "--rate", "200", "--class", "2")) {
      List<String> line = new ArrayList<>(List.of("read", proxy.uri(), "--offset", "0"));
      line.addAll(
          List.of("--length", "9K", "--out", "-", "--ca", certs.resolve("ca.crt").toString()));
      // Of nine blocks, where accesses are of four: the client splits it.
      assertThat(ok(with(line, certs, "me")).output()).hasSize(9 << 10).containsOnly(0);
      CommandRun you = with(line, certs, "you");
      assertThat(you.exitCode()).isEqualTo(ExitCodes.FAILURE);
      assertThat(you.messages()).contains("not let in");
      assertThat(CommandRun.of(line.toArray(String[]::new)).exitCode())
          .isEqualTo(ExitCodes.FAILURE);
      assertThat(proxy.terminate()).isZero();
    }
  }

  private static CommandRun with(List<String> line, Path certs, String name) {
    List<String> all = new ArrayList<>(line);
    all.addAll(List.of("--client-cert", certs.resolve(name + ".crt").toString()));
    all.addAll(List.of("--client-key", certs.resolve(name + ".key").toString()));
    return CommandRun.of(all.toArray(String[]::new));
  }

  @Test
  void whatWouldShowOrBeOpenToAllIsRefused() {
    TestStore store = TestStore.create(directory);
    for (String[] wrong :
        new String[][] {
          {"--listen", "0.0.0.0:0"},
          {"--listen", "127.0.0.1:0"},
          {"--listen", "127.0.0.1:0", LOCAL, "--tokens", "t"},
          {"--listen", "127.0.0.1:0", LOCAL, "--metrics", "0.0.0.0:0"},
          {"--listen", "127.0.0.1:0", LOCAL, "--metrics", "0.0.0.0:0", "--metrics-readers", "me"},
          {"--listen", "0.0.0.0:0", "--certs", "c", "--metrics", "0.0.0.0:0"},
          {"--listen", "127.0.0.1:0", LOCAL, "--metrics-readers", "me"},
          {"--listen", "127.0.0.1:0", LOCAL, "--rate", "5"},
          {"--listen", "127.0.0.1:0", LOCAL, "--rate", "0", "--class", "1"},
          {"--listen", "127.0.0.1:0", LOCAL, "--rate", "5", "--class", "1", "--durability", "os"}
        }) {
      assertThat(store.run("proxy", wrong).exitCode()).isEqualTo(ExitCodes.USAGE);
    }
    CommandRun longClass =
        store.run("proxy", "--listen", "127.0.0.1:0", LOCAL, "--rate", "5", "--class", "9");
    assertThat(longClass.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(longClass.messages()).contains("must be 0 to 4");
  }
}
