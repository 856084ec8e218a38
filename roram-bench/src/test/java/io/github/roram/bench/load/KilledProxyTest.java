package io.github.roram.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.AsyncOram;
import io.github.roram.bench.load.LoadCheck.Operation;
import io.github.roram.proxy.client.ProxyAddress;
import io.github.roram.proxy.client.ProxyClient;
import io.github.roram.proxy.client.ProxyOptions;
import io.github.roram.testkit.JavaProcess;
import io.github.roram.testkit.Ports;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A proxy is killed under sixteen clients: what was acknowledged is there afterwards, what was
 * under way is there or not, and it stays so; whether it starts again, or another stood by. The
 * long run kills as often as {@code roram.kills} says.
 */
final class KilledProxyTest {

  private static final int LONG_KILLS = Integer.getInteger("roram.kills", 100);
  private static final int CLIENTS = 16;
  private static final int BLOCKS = KilledProxyMain.BLOCKS;
  private static final int BLOCK_BYTES = KilledProxyMain.CONFIG.blockBytes();

  private static final int SPARE_KILLS = 30;

  /** For how long a large store is used, and another proxy stands by, before a kill. */
  private static final long USED_MILLIS = Long.getLong("roram.used.millis", 20_000);

  /** After which nothing that a killed proxy answered is on its way any more. */
  private static final long ANSWERS_MILLIS = 20;

  private static final ProxyOptions ONE_CONNECTION =
      ProxyOptions.defaults().withAgain(Duration.ZERO);

  /** Of all blocks, as many as are used. */
  private static final int USED_BLOCKS = (int) Math.min(KilledProxyMain.CONFIG.blocks(), 2048);

  private final LoadCheck check = new LoadCheck(4711, BLOCK_BYTES);
  private final Random random = new Random(14);
  @TempDir private Path directory;
  private @Nullable Process process;

  @Tag("gate")
  @Test
  void aKill() throws Exception {
    kill(1);
  }

  @Tag("crash")
  @Test
  void manyKills() throws Exception {
    kill(LONG_KILLS);
  }

  @AfterEach
  void end() throws InterruptedException {
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  private void kill(int kills) throws Exception {
    long acknowledged = 0;
    // On a busy machine a proxy may die before it answered anything: that alone shows nothing.
    for (int i = 0; i < kills || (acknowledged == 0 && i < kills + SPARE_KILLS); i++) {
      ProxyAddress address = start();
      readAll(address);
      acknowledged += use(address, 50 + random.nextInt(400));
      assertThat(check.mismatches()).as("after %s kills", i).isZero();
    }
    readAll(start());
    assertThat(check.mismatches()).isZero();
    assertThat(acknowledged).isPositive();
  }

  /** Another proxy stands by, and then a third. */
  @Tag("gate")
  @Test
  void whoStandsByGoesOn() throws Exception {
    standBy(1);
  }

  @Tag("crash")
  @Test
  void manyStandBy() throws Exception {
    standBy(LONG_KILLS);
  }

  private void standBy(int kills) throws Exception {
    long acknowledged = 0;
    Process standing = started("0");
    for (int i = 0; i < kills || (acknowledged == 0 && i < kills + SPARE_KILLS); i++) {
      process = standing;
      ProxyAddress address = address(standing);
      standing = started(Integer.toString(i + 1));
      try {
        readAll(address);
        acknowledged += use(address, 50 + random.nextInt(400));
        assertThat(check.mismatches()).as("after %s kills", i).isZero();
      } finally {
        process = standing;
      }
    }
    readAll(address(standing));
    assertThat(check.mismatches()).isZero();
    assertThat(acknowledged).isPositive();
  }

  /** Clients that see nothing of it but the time that it takes. */
  @Tag("gate")
  @Test
  void clientsGoOnByThemselves() throws Exception {
    goOn(1);
  }

  @Tag("crash")
  @Test
  void clientsGoOnForLong() throws Exception {
    goOn(LONG_KILLS);
  }

  private void goOn(int kills) throws Exception {
    String port = Integer.toString(Ports.free(1));
    Process working = started("0", port);
    process = working;
    ProxyAddress address = address(working);
    AtomicLong acknowledged = new AtomicLong();
    AtomicBoolean ends = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      ProxyClient client = ProxyClient.connect(address, ProxyOptions.defaults());
      Random own = new Random(random.nextLong());
      Thread thread =
          new Thread(
              () -> {
                try (client) {
                  while (!ends.get() && step(client, own)) {
                    acknowledged.incrementAndGet();
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    List<Long> firstAnswers = new ArrayList<>();
    for (int i = 1; i <= kills; i++) {
      await(acknowledged, threads);
      Process standing = started(Integer.toString(i), port);
      try {
        if (BLOCKS > 0) {
          Thread.sleep(USED_MILLIS);
        }
        long killed = System.nanoTime();
        System.out.println(
            System.currentTimeMillis() + " kills after " + acknowledged.get() + " answers");
        working.destroyForcibly().waitFor();
        Thread.sleep(ANSWERS_MILLIS);
        firstAnswers.add(millisUntilMore(acknowledged, killed));
      } finally {
        working = standing;
        process = standing;
      }
      assertThat(address(standing)).isEqualTo(address);
      await(acknowledged, threads);
      assertThat(check.mismatches()).as("after %s kills", i).isZero();
    }
    System.out.println("milliseconds from the kill to the first answer: " + firstAnswers);
    ends.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    readAll(address);
    assertThat(check.mismatches()).isZero();
  }

  private static long millisUntilMore(AtomicLong acknowledged, long sinceNanos)
      throws InterruptedException {
    long before = acknowledged.get();
    while (acknowledged.get() == before
        && System.nanoTime() - sinceNanos < Duration.ofMinutes(1).toNanos()) {
      Thread.sleep(1);
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos);
  }

  /** Until each client may have been answered once more. */
  private static void await(AtomicLong acknowledged, List<Thread> threads)
      throws InterruptedException {
    long enough = acknowledged.get() + 10 * CLIENTS;
    while (acknowledged.get() < enough) {
      assertThat(threads).as("clients that met no failure").allMatch(Thread::isAlive);
      Thread.sleep(10);
    }
  }

  private ProxyAddress start() throws IOException {
    Process started = started();
    process = started;
    return address(started);
  }

  private static ProxyAddress address(Process proxy) throws IOException {
    return new ProxyAddress("127.0.0.1", Integer.parseInt(awaitSaid(proxy, "ready ")));
  }

  /** Until a proxy says something; what it says after that. */
  private static String awaitSaid(Process proxy, String what) throws IOException {
    while (true) {
      String line = proxy.inputReader().readLine();
      assertThat(line).as("while \"%s\" was awaited", what).isNotNull();
      System.out.println(proxy.pid() + " " + line);
      int at = line.indexOf(what);
      if (at >= 0) {
        return line.substring(at + what.length());
      }
    }
  }

  private Process started(String... number) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(directory.toString()));
    arguments.addAll(List.of(number));
    String classPath = System.getProperty("java.class.path");
    ProcessBuilder builder =
        JavaProcess.of(BLOCKS > 0 ? 2048 : 256, classPath, KilledProxyMain.class, arguments)
            .redirectError(directory.resolve("errors").toFile());
    List<String> command = builder.command();
    command.add(1, "-Droram.blocks=" + BLOCKS);
    if (BLOCKS > 0) {
      command.add(command.indexOf("-cp"), "-XX:TieredStopAtLevel=4");
    }
    return builder.start();
  }

  private void readAll(ProxyAddress address) throws IOException {
    int most = KilledProxyMain.CONFIG.maxRangeBlocks();
    try (ProxyClient client = ProxyClient.connect(address, ONE_CONNECTION)) {
      for (long block = 0; block < USED_BLOCKS; block += most) {
        int count = (int) Math.min(most, USED_BLOCKS - block);
        assertThat(read(client, block, count)).isTrue();
      }
    }
  }

  /** Clients at work until the proxy is killed; how many requests were acknowledged. */
  private long use(ProxyAddress address, int millis) throws Exception {
    AtomicLong acknowledged = new AtomicLong();
    List<ProxyClient> clients = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(ProxyClient.connect(address, ONE_CONNECTION));
    }
    for (ProxyClient client : clients) {
      long seed = random.nextLong();
      Thread thread = new Thread(() -> acknowledged.addAndGet(work(client, new Random(seed))));
      threads.add(thread);
      thread.start();
    }
    Thread.sleep(millis);
    Objects.requireNonNull(process, "a proxy").destroyForcibly().waitFor();
    for (Thread thread : threads) {
      thread.join();
    }
    clients.forEach(ProxyClient::close);
    return acknowledged.get();
  }

  /** Reads and writes at places where others do, too, until the connection is lost. */
  private long work(AsyncOram client, Random own) {
    long done = 0;
    boolean alive = true;
    while (alive) {
      alive = step(client, own);
      done += alive ? 1 : 0;
    }
    return done;
  }

  /** A read or a write; false if it failed. */
  private boolean step(AsyncOram client, Random own) {
    int count = 1 + own.nextInt(4);
    long block = own.nextInt(USED_BLOCKS - count);
    return own.nextBoolean() ? read(client, block, count) : write(client, block, count);
  }

  private boolean read(AsyncOram client, long block, int count) {
    byte[] data = new byte[count * BLOCK_BYTES];
    Operation read = check.startRead(block, count);
    try {
      client.read(block, count, ByteBuffer.wrap(data)).join();
    } catch (CompletionException e) {
      check.failed(read);
      return false;
    }
    check.endRead(read, data);
    return true;
  }

  private boolean write(AsyncOram client, long block, int count) {
    byte[] data = new byte[count * BLOCK_BYTES];
    Operation write = check.startWrite(block, count, data);
    try {
      client.write(block, ByteBuffer.wrap(data)).join();
    } catch (CompletionException e) {
      check.failed(write);
      return false;
    }
    check.endWrite(write);
    return true;
  }
}
