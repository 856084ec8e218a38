package io.github.roram.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.BlockProgram;
import io.github.roram.ConfigurationException;
import io.github.roram.map.EntryShape;
import io.github.roram.map.ObliviousMap;
import io.github.roram.netserver.AccessPolicy;
import io.github.roram.netserver.Authenticator;
import io.github.roram.netserver.ClientIdentity;
import io.github.roram.netserver.ServerObserver;
import io.github.roram.netserver.access.ClientAuthenticator;
import io.github.roram.netserver.access.TokenFile;
import io.github.roram.open.Orams;
import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.proxy.client.ProxyClient;
import io.github.roram.proxy.client.ProxyException;
import io.github.roram.proxy.client.ProxyOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of one proxy, who share what is there. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ProxyServerTest {

  @Test
  void clientsSeeWhatOthersWrote() throws IOException {
    try (TestProxy proxy = TestProxy.of(TestProxy.newOram(), ProxyConfig.defaultLimits());
        ProxyClient first = proxy.connect();
        ProxyClient second = proxy.connect()) {
      first.update(1000, ByteBuffer.wrap(new byte[] {1, 2, 3})).join();
      byte[] found = new byte[5];
      second.readBytes(999, 1, ByteBuffer.wrap(found)).join();
      assertThat(found).containsExactly(0, 1, 2, 3, 0);
      second.flush().join();
      assertThat(second.stats().accesses()).isEqualTo(2);
      assertThat(proxy.server().connections()).isEqualTo(2);
    }
  }

  @Test
  void theByteViewIsThatOfTheOram() throws IOException {
    byte[] content = new byte[(int) TestProxy.CONFIG.bytes() - 700];
    new Random(1).nextBytes(content);
    try (TestProxy proxy = TestProxy.of(TestProxy.newOram(), ProxyConfig.defaultLimits());
        ProxyClient client = proxy.connect();
        SeekableByteChannel channel = client.channel()) {
      assertThat(channel.position(300).write(ByteBuffer.wrap(content))).isEqualTo(content.length);
      assertThat(channel.position()).isEqualTo(300 + content.length);
      byte[] found = new byte[content.length];
      assertThat(channel.position(300).read(ByteBuffer.wrap(found))).isEqualTo(found.length);
      assertThat(found).isEqualTo(content);
      assertThat(channel.read(ByteBuffer.allocate(1000))).isEqualTo(400);
      assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
  }

  /** Money goes between accounts of scattered blocks: nothing is lost, made, or half paid. */
  @Test
  void programsOfSeveralClientsAreAtomic() throws Exception {
    long[] accounts = {3, 17, 40, 89};
    try (TestProxy proxy = TestProxy.of(TestProxy.newOram(), ProxyConfig.defaultLimits());
        ProxyClient bank = proxy.connect()) {
      for (long account : accounts) {
        bank.update(account * 512, ByteBuffer.allocate(4).putInt(0, 100)).join();
      }
      List<CompletableFuture<Void>> payers = new ArrayList<>();
      for (int client = 0; client < 4; client++) {
        Random random = new Random(client);
        payers.add(CompletableFuture.runAsync(() -> pay(proxy, accounts, random)));
      }
      CompletableFuture.allOf(payers.toArray(CompletableFuture[]::new)).join();
      int sum = 0;
      for (long account : accounts) {
        ByteBuffer found = ByteBuffer.allocate(4);
        bank.readBytes(account * 512, 1, found).join();
        sum += found.getInt(0);
      }
      assertThat(sum).isEqualTo(100 * accounts.length);
    }
  }

  private static void pay(TestProxy proxy, long[] accounts, Random random) {
    try (ProxyClient client = proxy.connect()) {
      for (int i = 0; i < 50; i++) {
        int from = random.nextInt(accounts.length);
        int to = (from + 1 + random.nextInt(accounts.length - 1)) % accounts.length;
        int amount = random.nextInt(10);
        client
            .access(
                new long[] {accounts[from], accounts[to]},
                1,
                both -> {
                  both[0].putInt(0, both[0].getInt(0) - amount);
                  both[1].putInt(0, both[1].getInt(0) + amount);
                })
            .join();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What an access to scattered blocks does to them does not show, nor where they are. */
  @Test
  void aProgramIsTwoAccessesWhateverItDoes() throws IOException {
    try (TestProxy proxy = TestProxy.of(TestProxy.newOram(), ProxyConfig.defaultLimits());
        ProxyClient client = proxy.connect()) {
      for (BlockProgram program :
          List.<BlockProgram>of(blocks -> {}, blocks -> blocks[1].putLong(0, 5))) {
        long before = client.stats().accesses();
        client.access(new long[] {5, 77}, 4, program).join();
        assertThat(client.stats().accesses() - before).isEqualTo(2);
      }
      long before = client.stats().accesses();
      assertThatThrownBy(
              () ->
                  client
                      .access(
                          new long[] {5, 77},
                          1,
                          blocks -> {
                            blocks[0].putInt(0, 9);
                            throw new IllegalStateException("no");
                          })
                      .join())
          .hasRootCauseMessage("no");
      assertThat(client.stats().accesses() - before).isEqualTo(2);
      assertThatThrownBy(() -> client.access(new long[] {5, 5}, 1, blocks -> {}))
          .isInstanceOf(IllegalArgumentException.class);
      byte[] found = new byte[4];
      client.readBytes(5 * 512, 1, ByteBuffer.wrap(found)).join();
      assertThat(found).containsOnly(0);
    }
  }

  @Test
  void aMapIsSharedByClientsOfAProxy() throws IOException {
    try (TestProxy proxy = TestProxy.of(TestProxy.newOram(), ProxyConfig.defaultLimits());
        ProxyClient first = proxy.connect();
        ProxyClient second = proxy.connect()) {
      ObliviousMap.create(first, new EntryShape(8, 8)).put(new byte[] {1}, new byte[] {2});
      ObliviousMap map = ObliviousMap.open(second);
      assertThat(map.get(new byte[] {1})).hasValue(new byte[] {2});
      assertThat(map.remove(new byte[] {1})).isPresent();
      assertThat(map.get(new byte[] {1})).isEmpty();
    }
  }

  /** Requests of two connections come in any order: those that are to come first are awaited. */
  private static void awaitRequests(TestProxy proxy, int requests) {
    while (proxy.server().requests() < requests) {
      Thread.onSpinWait();
    }
  }

  /** One with many requests and one with few: each has every second turn. */
  @Test
  void aGreedyClientDoesNotHoldUpAnother() throws Exception {
    HeldOram held = new HeldOram();
    try (TestProxy proxy = TestProxy.of(held, ProxyConfig.defaultLimits());
        ProxyClient greedy = proxy.connect();
        ProxyClient modest = proxy.connect()) {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        all.add(greedy.readBytes(i, 1, ByteBuffer.allocate(1)));
      }
      held.await(1);
      awaitRequests(proxy, 40);
      for (int i = 0; i < 3; i++) {
        all.add(modest.readBytes(1000 + i, 1, ByteBuffer.allocate(1)));
      }
      awaitRequests(proxy, 43);
      held.open();
      List<Long> offsets = held.complete(43);
      all.forEach(CompletableFuture::join);
      assertThat(offsets.subList(0, 8)).containsExactly(0L, 1L, 1000L, 2L, 1001L, 3L, 1002L, 4L);
    }
  }

  @Test
  void aStageMustNotCloseItsClient() throws Exception {
    HeldOram held = new HeldOram();
    held.open();
    try (TestProxy proxy = TestProxy.of(held, ProxyConfig.defaultLimits());
        ProxyClient client = proxy.connect()) {
      CompletableFuture<Void> closed = client.flush().thenRun(client::close);
      held.complete(1);
      assertThatThrownBy(closed::join).hasCauseInstanceOf(IllegalStateException.class);
      assertThat(client.stats().accesses()).isZero();
    }
  }

  @Test
  void requestsUnderWayAreAnsweredBeforeTheEnd() throws Exception {
    HeldOram held = new HeldOram();
    held.open();
    TestProxy proxy = TestProxy.of(held, ProxyConfig.defaultLimits());
    try (ProxyClient client = proxy.connect()) {
      CompletableFuture<Void> write = client.updateBytes(7, 1, ByteBuffer.allocate(1));
      held.await(1);
      CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> closeUnchecked(proxy));
      assertThat(write).isNotDone();
      held.complete(1);
      write.join();
      closed.join();
      assertThat(proxy.server().isDrained()).isTrue();
      assertThatThrownBy(() -> client.flush().join()).hasCauseInstanceOf(ProxyException.class);
      assertThatThrownBy(client::stats).hasMessageContaining("connect again");
    }
    assertThatThrownBy(proxy::connect).isInstanceOf(ProxyException.class);
  }

  private static void closeUnchecked(TestProxy proxy) {
    try {
      proxy.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String token(Path file, String name) throws IOException {
    return TokenFile.add(file, new ClientIdentity(name));
  }

  @Test
  void whoMayNotIsNotLetIn(@TempDir Path directory) throws Exception {
    Path tokens = directory.resolve("tokens");
    Path alice = Files.writeString(directory.resolve("alice"), token(tokens, "alice"));
    Path bob = Files.writeString(directory.resolve("bob"), token(tokens, "bob"));
    AccessPolicy onlyAlice = (client, volume, action) -> client.name().equals("alice");
    AtomicLong denied = new AtomicLong();
    ProxyConfig config =
        ProxyConfig.anyoneOnThisMachine(0)
            .withAccess(null, new ClientAuthenticator(TokenFile.read(tokens), false), onlyAlice)
            .withObserver(
                new ServerObserver() {
                  @Override
                  public void accessDenied() {
                    denied.incrementAndGet();
                  }
                });
    try (TestProxy proxy = TestProxy.of(TestProxy.newOram(), config)) {
      ProxyOptions options = ProxyOptions.defaults();
      ProxyClient.connect(proxy.address(), options.withTokenFile(alice)).close();
      for (ProxyOptions refused : List.of(options, options.withTokenFile(bob))) {
        assertThatThrownBy(() -> ProxyClient.connect(proxy.address(), refused))
            .isInstanceOf(ProxyException.class)
            .hasMessageContaining("not let in");
      }
      assertThat(denied).hasValue(2);
    }
  }

  @Test
  void nothingIsUnderWayOfWhomAnAuthenticatorFailed() throws Exception {
    ProxyConfig config = ProxyConfig.anyoneOnThisMachine(0);
    Authenticator failing =
        credentials -> {
          throw new IllegalStateException("no list");
        };
    try (TestProxy proxy =
        TestProxy.of(TestProxy.newOram(), config.withAccess(null, failing, config.access()))) {
      assertThatThrownBy(proxy::connect).isInstanceOf(IOException.class);
      assertThat(proxy.server().requests()).isZero();
    }
  }

  /** Who waits for nothing is not lost, who waits in vain is. */
  @Test
  void aSilentProxyIsGivenUp() throws Exception {
    HeldOram held = new HeldOram();
    held.open();
    ProxyOptions impatient =
        ProxyOptions.defaults()
            .withTimes(Duration.ofSeconds(10), Duration.ofSeconds(1))
            .withAgain(Duration.ZERO);
    try (TestProxy proxy = TestProxy.of(held, ProxyConfig.defaultLimits())) {
      ProxyClient idle = ProxyClient.connect(proxy.address(), impatient);
      ProxyClient client = ProxyClient.connect(proxy.address(), impatient);
      assertThatThrownBy(() -> client.flush().join())
          .hasCauseInstanceOf(ProxyException.class)
          .hasMessageContaining("no answer came for long");
      client.close();
      assertThat(idle.stats().accesses()).isZero();
      idle.close();
      held.complete(1);
    }
  }

  @Test
  void nothingGoesOverANetworkInTheClear() throws IOException {
    InetSocketAddress everywhere = new InetSocketAddress("0.0.0.0", 0);
    ProxyConfig loopback = ProxyConfig.anyoneOnThisMachine(0);
    assertThatThrownBy(
            () ->
                new ProxyConfig(
                    everywhere,
                    null,
                    loopback.authenticator(),
                    loopback.access(),
                    loopback.limits(),
                    loopback.observer(),
                    false))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("init-certs");
    ProxyAddress elsewhere = ProxyAddress.parse("proxy://192.0.2.1:7430");
    assertThatThrownBy(() -> ProxyClient.connect(elsewhere, ProxyOptions.defaults()))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("in the clear");
    assertThat(InetAddress.getByName("192.0.2.1").isLoopbackAddress()).isFalse();
  }

  @Test
  void addressesAreReadAsPeopleWriteThem() {
    assertThat(ProxyAddress.parse("proxy://[::1]:7430").toString()).isEqualTo("proxy://[::1]:7430");
    assertThat(ProxyAddress.parse("proxy:localhost:1")).isEqualTo(new ProxyAddress("localhost", 1));
    for (String wrong : new String[] {"proxy://a", "proxy://a:0", "proxy://a:65536", "tcp://a:1"}) {
      assertThatThrownBy(() -> ProxyAddress.parse(wrong))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining(wrong);
    }
  }

  /** Beyond the ORAM's own bounds the proxy refuses, and goes on. */
  @Test
  void anOramAtAConstantRateIsSharedAsOthersAre() throws IOException {
    AsyncOram oram = Orams.atConstantRate(TestProxy.newOram(), 2000, 1, 8);
    try (TestProxy proxy = TestProxy.of(oram, ProxyConfig.defaultLimits());
        ProxyClient client = proxy.connect()) {
      client.updateBytes(512, 1, ByteBuffer.wrap(new byte[] {5})).join();
      ByteBuffer found = ByteBuffer.allocate(1);
      client.readBytes(512, 1, found).join();
      assertThat(found.get(0)).isEqualTo((byte) 5);
      assertThatThrownBy(() -> client.readBytes(0, 3, ByteBuffer.allocate(1)).join())
          .hasCauseInstanceOf(ProxyException.class)
          .hasMessageContaining("all here are of 2");
      client.flush().join();
    }
  }
}
