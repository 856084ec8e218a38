package io.github.roram.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.AsyncOram;
import io.github.roram.BlockProgram;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.crypto.MasterKey;
import io.github.roram.intake.IntakeLimits;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectStore;
import io.github.roram.object.ObjectVault;
import io.github.roram.open.Orams;
import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.proxy.client.ProxyClient;
import io.github.roram.proxy.client.ProxyException;
import io.github.roram.proxy.client.ProxyOptions;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of a proxy connect again by themselves, and nothing that they were told is wrong. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ProxyReconnectTest {

  private static final int BLOCK_BYTES = TestProxy.CONFIG.blockBytes();
  private static final long[] COUNTER = {7};

  private static final ProxyOptions ONCE = ProxyOptions.defaults().withAgain(Duration.ZERO);

  private final Random random = new Random(28);
  private final CutLine line = new CutLine();
  private final AsyncOram oram = TestProxy.newOram();
  private final TestProxy first = proxy(false);

  ProxyReconnectTest() throws IOException {}

  private TestProxy proxy(boolean durable) throws IOException {
    return TestProxy.of(oram, ProxyConfig.anyoneOnThisMachine(0).withDurable(durable));
  }

  @BeforeEach
  void lead() {
    line.leadTo(first.address());
  }

  @AfterEach
  void end() throws IOException {
    line.close();
    first.close();
  }

  private ProxyClient connect(Duration again) throws IOException {
    return ProxyClient.connect(line.address(), ProxyOptions.defaults().withAgain(again));
  }

  private ProxyClient connect() throws IOException {
    return connect(Duration.ofMinutes(1));
  }

  /** Many requests under way, over the same blocks: the answers are those of one sequence. */
  @Test
  void callsSeeNothingOfLostConnections() throws IOException {
    Map<Integer, Integer> model = new HashMap<>();
    List<CompletableFuture<Void>> futures = new ArrayList<>();
    AtomicInteger overtaken = new AtomicInteger();
    try (ProxyClient client = connect()) {
      for (int i = 0; i < 1000; i++) {
        int block = random.nextInt(10);
        ByteBuffer data = ByteBuffer.allocate(BLOCK_BYTES);
        if (random.nextBoolean()) {
          model.put(block, i);
          futures.add(client.write(block, data.putInt(0, i)));
        } else {
          int expected = model.getOrDefault(block, 0);
          futures.add(
              client
                  .read(block, 1, data)
                  .handle(
                      (read, failure) -> {
                        if (failure == null) {
                          assertThat(data.getInt(0)).isEqualTo(expected);
                        } else {
                          // Of the bytes of a write that this client made behind it.
                          assertThat(failure).hasStackTraceContaining("a later write");
                          overtaken.incrementAndGet();
                        }
                        return null;
                      }));
        }
        if (random.nextInt(100) == 0) {
          line.cut();
        }
      }
      CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).join();
    }
    assertThat(line.connections()).isGreaterThan(3);
    assertThat(overtaken.get()).isLessThan(500);
  }

  /** Whatever is lost, a program that succeeded counts once. */
  @Test
  void aProgramIsNotMadeTwice() throws IOException {
    int counted = 0;
    int unknown = 0;
    try (ProxyClient client = connect()) {
      for (int i = 0; i < 2000 && unknown < 2; i++) {
        List<CompletableFuture<Void>> cuts = new ArrayList<>();
        BlockProgram increment =
            blocks -> {
              blocks[0].putInt(0, blocks[0].getInt(0) + 1);
              cuts.add(CompletableFuture.runAsync(this::cutSoon));
            };
        boolean made = succeeds(client.access(COUNTER, 1, increment));
        cuts.forEach(CompletableFuture::join);
        int now = counter(client);
        assertThat(now).isBetween(made ? counted + 1 : counted, counted + 1);
        unknown += made ? 0 : 1;
        counted = now;
      }
    }
    assertThat(unknown).as("programs of which nobody knows").isPositive();
  }

  /** About when the answer to a write comes. */
  private void cutSoon() {
    LockSupport.parkNanos(random.nextInt(1_000_000));
    try {
      line.cut();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean succeeds(CompletableFuture<Void> done) {
    try {
      done.join();
      return true;
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(ProxyException.class);
      assertThat(e).hasMessageContaining("nobody knows whether this write was made");
      return false;
    }
  }

  private static int counter(ProxyClient client) {
    ByteBuffer data = ByteBuffer.allocate(BLOCK_BYTES);
    client.read(COUNTER[0], 1, data).join();
    return data.getInt(0);
  }

  private static ByteBuffer block() {
    return ByteBuffer.allocate(BLOCK_BYTES);
  }

  /** Else a write that was late could undo a later one. */
  @Test
  void nothingOfALostConnectionIsMadeBehindTheNextOne() throws Exception {
    HeldOram held = new HeldOram();
    held.open();
    ProxyOptions brief =
        ProxyOptions.defaults().withTimes(Duration.ofSeconds(1), Duration.ofMinutes(2));
    try (TestProxy slow = TestProxy.of(held, ProxyConfig.anyoneOnThisMachine(0))) {
      line.leadTo(slow.address());
      try (ProxyClient client = ProxyClient.connect(line.address(), brief)) {
        CompletableFuture<Void> write = client.write(3, block());
        held.await(1);
        line.cut();
        while (line.connections() < 4 && held.calls() == 1) {
          Thread.sleep(1); // attempts are not welcomed, and the next one follows
        }
        assertThat(held.calls()).isEqualTo(1);
        held.complete(1);
        held.complete(2);
        write.join();
      }
    }
  }

  /** An older write that is made again is not durable before the flush behind it is, too. */
  @Test
  void aFlushFollowsWritesThatAreMadeAgain() throws Exception {
    HeldOram held = new HeldOram();
    held.open();
    CountDownLatch latch = new CountDownLatch(1);
    held.holdStats(latch);
    try (TestProxy slow = TestProxy.of(held, ProxyConfig.anyoneOnThisMachine(0))) {
      line.leadTo(slow.address());
      try (ProxyClient client = connect()) {
        CompletableFuture<OramStats> stats = CompletableFuture.supplyAsync(client::stats);
        awaitRequests(slow, 1);
        List<CompletableFuture<Void>> behind =
            List.of(client.write(3, block()), client.write(3, block()), client.flush());
        held.complete(3);
        awaitRequests(slow, 1);
        line.cut();
        latch.countDown();
        stats.join();
        long write = 3L * BLOCK_BYTES;
        assertThat(held.complete(6)).containsExactly(write, write, -1L, write, write, -1L);
        behind.forEach(CompletableFuture::join);
      }
    }
  }

  private static void awaitRequests(TestProxy proxy, int requests) throws InterruptedException {
    while (proxy.server().requests() != requests) {
      Thread.sleep(1);
    }
  }

  /** The stage runs on the thread of the lost connection, which is closed meanwhile. */
  @Test
  void aStageOfWhatFailedMayCallTheClient() throws Exception {
    HeldOram held = new HeldOram();
    held.open();
    try (TestProxy slow = TestProxy.of(held, ProxyConfig.anyoneOnThisMachine(0))) {
      line.leadTo(slow.address());
      try (ProxyClient client = connect()) {
        CompletableFuture<CompletableFuture<Void>> next =
            client
                .read(3, 1, block())
                .handle(
                    (none, failure) -> {
                      completeAndWait(held);
                      return client.read(5, 1, block());
                    });
        CompletableFuture<Void> write = client.write(3, block());
        held.await(2);
        line.cut();
        assertThat(next).succeedsWithin(Duration.ofSeconds(10));
        held.complete(4);
        write.join();
        next.join().join();
      }
    }
  }

  /** The thread that connects again completes it, and would connect no more while it waits. */
  @Test
  void aStageOfALateFailureDoesNotWaitForRoom() throws Exception {
    HeldOram lost = new HeldOram();
    HeldOram held = new HeldOram();
    lost.open();
    held.open();
    try (TestProxy old = TestProxy.of(lost, ProxyConfig.anyoneOnThisMachine(0));
        TestProxy narrow = TestProxy.of(held, IntakeLimits.of(10, 1))) {
      line.leadTo(old.address());
      try (ProxyClient client = connect()) {
        CompletableFuture<Void> write = client.write(3, block());
        lost.complete(1);
        write.join();
        CompletableFuture<CompletableFuture<Void>> next =
            client.flush().handle((none, failure) -> client.read(6, 1, block()));
        CompletableFuture<Void> read = client.read(5, 1, block());
        lost.await(3);
        line.leadTo(narrow.address());
        line.cut();
        assertThat(next).succeedsWithin(Duration.ofSeconds(10));
        held.complete(1);
        held.complete(2);
        CompletableFuture.allOf(read, next.join()).join();
      }
      lost.complete(3);
    }
  }

  /** What was under way is done, so that the client is welcome, and has time to connect. */
  private static void completeAndWait(HeldOram held) {
    try {
      held.complete(1);
      Thread.sleep(500);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Of several attempts to connect again, while something of the first connection is under way. */
  @Test
  void anAttemptThatEndsBeforeItIsWelcomedLetsNobodyPass() {
    Succession succession = new Succession();
    Succession.Calls lost = succession.new Calls(() -> {});
    assertThat(lost.succeed(5)).isCompleted();
    assertThat(lost.begin()).isTrue();
    Succession.Calls attempt = succession.new Calls(() -> {});
    assertThat(attempt.succeed(5)).isNotDone();
    attempt.end();
    Succession.Calls next = succession.new Calls(() -> {});
    CompletableFuture<Void> welcome = next.succeed(5);
    assertThat(welcome).isNotDone();
    lost.done();
    assertThat(welcome).isCompleted();
    next.end();
    assertThat(succession.new Calls(() -> {}).succeed(5)).isCompleted();
  }

  @Test
  void aFlushSaysWhatAReplacedProxyMayHaveLost() throws IOException {
    try (ProxyClient client = connect();
        TestProxy second = proxy(false)) {
      client.write(3, block()).join();
      client.flush().join();
      client.write(4, block()).join();
      client.write(5, block()).join();
      line.leadTo(second.address());
      line.cut();
      client.read(4, 1, block()).join();
      assertThatThrownBy(() -> client.flush().join())
          .hasCauseInstanceOf(ProxyException.class)
          .hasMessageContaining("2 writes");
      assertThatCode(() -> client.flush().join()).doesNotThrowAnyException();
      // The connection alone was lost.
      client.write(4, block()).join();
      line.cut();
      assertThatCode(() -> client.flush().join()).doesNotThrowAnyException();
    }
  }

  @Test
  void aDurableProxyLosesNothing() throws IOException {
    try (TestProxy old = proxy(true);
        TestProxy replacement = proxy(true)) {
      line.leadTo(old.address());
      try (ProxyClient client = connect()) {
        client.write(4, block()).join();
        line.leadTo(replacement.address());
        line.cut();
        assertThatCode(() -> client.flush().join()).doesNotThrowAnyException();
      }
    }
  }

  /** A proxy that was stopped for long, say, and does not know that another serves now. */
  @Test
  void aReplacedProxySendsItsClientsToTheOther() throws IOException {
    OpenOptions options = OpenOptions.defaults().withDurability(Durability.SYNC);
    MemoryObjects engine = new MemoryObjects();
    ObjectVault.create(engine);
    MasterKey key = MasterKey.generate();
    AsyncOram old =
        Orams.queued(
            Orams.create(ObjectStore.create(engine), taken(engine), TestProxy.CONFIG, key, options),
            64);
    ProxyServer replaced = ProxyServer.start(ProxyConfig.anyoneOnThisMachine(0), old);
    try (replaced) {
      line.leadTo(TestProxy.address(replaced));
      ProxyClient client = connect();
      client.write(4, block().putInt(0, 1)).join();
      try (AsyncOram next =
              Orams.queued(Orams.open(new ObjectStore(engine), taken(engine), key, options), 64);
          TestProxy other = TestProxy.of(next, ProxyConfig.anyoneOnThisMachine(0))) {
        CompletableFuture<Void> led =
            replaced.replaced().thenRun(() -> line.leadTo(other.address()));
        client.write(5, block().putInt(0, 2)).join();
        assertThat(led).isCompleted();
        assertThatThrownBy(() -> ProxyClient.connect(TestProxy.address(replaced), ONCE))
            .isInstanceOf(ProxyException.class);
        ByteBuffer found = ByteBuffer.allocate(2 * BLOCK_BYTES);
        client.read(4, 2, found).join();
        assertThat(found.getInt(0)).isEqualTo(1);
        assertThat(found.getInt(BLOCK_BYTES)).isEqualTo(2);
        client.close();
      }
    }
    assertThat(replaced.isDrained()).isTrue();
    assertThatThrownBy(old::close).isInstanceOf(IOException.class);
  }

  private static ObjectVault taken(MemoryObjects engine) throws IOException {
    return ObjectVault.open(engine, "test", new ObjectVault.Tenancy(true, 0));
  }

  @Test
  void itGivesUpInTime() throws IOException {
    ProxyClient client = connect(Duration.ofMillis(200));
    line.close();
    assertThatThrownBy(() -> client.read(0, 1, block()).join())
        .hasCauseInstanceOf(ProxyException.class)
        .hasMessageContaining("connect again");
    assertThatThrownBy(() -> client.write(0, block()).join())
        .hasCauseInstanceOf(ProxyException.class);
    client.close();
  }

  /** Nobody asked for anything in between, so no answer could show that the first loss was over. */
  @Test
  void anIdleClientConnectsAgainHoweverOften() throws Exception {
    try (ProxyClient client = connect(Duration.ofMillis(500))) {
      line.cut();
      awaitConnections(2);
      Thread.sleep(700);
      line.cut();
      assertThatCode(() -> client.read(0, 1, block()).join()).doesNotThrowAnyException();
    }
  }

  /** It welcomes the client each time, and answers nothing. */
  @Test
  void aCallDoesNotWaitForAProxyThatHangsUpForEver() throws Exception {
    HeldOram held = new HeldOram();
    try (TestProxy busy = TestProxy.of(held, ProxyConfig.anyoneOnThisMachine(0));
        ProxyClient other = busy.connect()) {
      CompletableFuture<Void> before = other.read(0, 1, block());
      held.await(1);
      line.leadTo(busy.address());
      try (ProxyClient client = connect(Duration.ofSeconds(1))) {
        CompletableFuture<Void> read = client.read(1, 1, block());
        while (!read.isDone()) {
          line.cut();
          Thread.sleep(20);
        }
        assertThatThrownBy(read::join).hasMessageContaining("connect again");
      }
      held.complete(1);
      before.join();
    }
  }

  /** Stopped, say: its machine takes connections, and nothing comes of them. */
  @Test
  void aProxyThatHangsIsLeftForAnother() throws Exception {
    ProxyOptions options =
        ProxyOptions.defaults()
            .withTimes(Duration.ofSeconds(1), Duration.ofMinutes(2))
            .withAgain(Duration.ofSeconds(10));
    try (ServerSocket hanging = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        ProxyClient client = ProxyClient.connect(line.address(), options)) {
      line.leadTo(new ProxyAddress("127.0.0.1", hanging.getLocalPort()));
      line.cut();
      awaitConnections(2);
      line.leadTo(first.address());
      assertThat(client.read(0, 1, block())).succeedsWithin(Duration.ofSeconds(10));
    }
  }

  private void awaitConnections(int connections) throws InterruptedException {
    while (line.connections() < connections) {
      Thread.sleep(1);
    }
  }

  /** It has its new size, and what was under way goes on. */
  @Test
  void theStoreMayHaveGrown() throws IOException {
    OramConfig config = TestProxy.CONFIG;
    long larger = 2 * config.blocks();
    MemoryStore store = new MemoryStore(Orams.storeBytes(config));
    try (MasterKey key = MasterKey.generate();
        Oram growing = Orams.create(store, ClientVault.inMemory(), config, key);
        ProxyServer server =
            ProxyServer.start(ProxyConfig.anyoneOnThisMachine(0), Orams.queued(growing, 64))) {
      line.leadTo(TestProxy.address(server));
      try (ProxyClient client = connect(Duration.ofSeconds(5))) {
        client.write(3, block().putInt(0, 1)).join();
        growing.grow(larger);
        line.cut();
        ByteBuffer found = block();
        client.read(3, 1, found).join();
        assertThat(found.getInt(0)).isEqualTo(1);
        assertThat(client.config()).isEqualTo(growing.config());
        client.write(larger - 1, block().putInt(0, 2)).join();
      }
    }
  }

  @Test
  void anotherStoreIsNoReplacement() throws IOException {
    OramConfig other = OramConfig.builder(91).blockBytes(512).maxRangeBlocks(8).build();
    try (MasterKey key = MasterKey.generate();
        AsyncOram foreign =
            Orams.queued(
                Orams.create(
                    new MemoryStore(Orams.storeBytes(other)), ClientVault.inMemory(), other, key),
                64);
        TestProxy wrong = TestProxy.of(foreign, ProxyConfig.anyoneOnThisMachine(0));
        ProxyClient client = connect(Duration.ofSeconds(2))) {
      line.leadTo(wrong.address());
      line.cut();
      assertThatThrownBy(() -> client.write(0, block()).join())
          .hasCauseInstanceOf(ProxyException.class)
          .hasMessageContaining(" now, not ");
      ByteBuffer untouched = block();
      foreign.read(0, 1, untouched).join();
      assertThat(untouched).isEqualTo(block().limit(BLOCK_BYTES));
    }
  }
}
