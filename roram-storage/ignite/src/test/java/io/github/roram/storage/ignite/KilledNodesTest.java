package io.github.roram.storage.ignite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.object.ObjectSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes of a cluster of three are killed while objects are written: of what was acknowledged
 * nothing is lost, and each object that several try to create is one's. {@code -Droram.kills=N}
 * kills one node after another so often.
 */
@Tag("gate")
@Tag("crash")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class KilledNodesTest {

  private static final int KILLS = Integer.getInteger("roram.kills", 1);
  private static final int WRITERS = 4;
  private static final int RACERS = 4;
  private static final int WRITES_A_KILL = 20;

  /** Objects that a writer has at a time. */
  private static final int KEPT = 200;

  private static final long PAUSE_NANOS = 10_000_000;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir static Path directory;
  private static ThreeNodes nodes;
  private static ObjectSpace objects;

  @BeforeAll
  static void start() throws Exception {
    nodes = new ThreeNodes(directory);
    objects = nodes.objects("t/killed", PATIENCE);
    nodes.awaitWhole();
  }

  @AfterAll
  static void stop() throws IOException {
    objects.close();
    nodes.close();
  }

  private static ByteBuffer content(String name) {
    Random random = new Random(name.hashCode());
    byte[] bytes = new byte[2000 + random.nextInt(100_000)];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  /** What was acknowledged, and how long nothing was. */
  private static final class Acknowledged {
    private final Map<String, Boolean> names = new ConcurrentSkipListMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong last = new AtomicLong(System.nanoTime());
    private final AtomicLong longestNanos = new AtomicLong();

    void add(String name) {
      long now = System.nanoTime();
      longestNanos.accumulateAndGet(now - last.getAndSet(now), Math::max);
      names.put(name, true);
      count.incrementAndGet();
    }

    void delete(String name) throws IOException {
      check(name);
      objects.delete(List.of(name));
      names.remove(name);
    }

    private static void check(String name) throws IOException {
      assertThat(ByteBuffer.wrap(objects.readWhole(name, 1 << 20)))
          .as(name)
          .isEqualTo(content(name));
    }

    void check() throws IOException {
      for (String name : names.keySet()) {
        check(name);
      }
      List<String> listed = new ArrayList<>();
      objects.forEach("", "", listed::add);
      assertThat(listed).containsAll(names.keySet());
    }

    String longestStall() {
      return longestNanos.get() / 1_000_000 + " ms";
    }
  }

  /** What is on this machine must leave processors to nodes that start. */
  private static void pause() {
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  /**
   * Writes on, whatever happens to nodes: data, and every third time an object once. What it wrote
   * long ago it reads and deletes, so that nodes have as much to fetch after each kill.
   */
  private static boolean write(String writer, BooleanSupplier until, Acknowledged acknowledged)
      throws IOException {
    for (int i = 0; !until.getAsBoolean(); i++) {
      String name = writer + "/" + i;
      if (i % 3 == 0) {
        assertThat(objects.createOnce(name, content(name))).as(name).isTrue();
      } else {
        objects.put(name, content(name));
      }
      acknowledged.add(name);
      if (i >= KEPT) {
        acknowledged.delete(writer + "/" + (i - KEPT));
      }
      pause();
    }
    return true;
  }

  /** Tries to create what all racers try to create. */
  private static boolean race(
      String of, int racer, BooleanSupplier until, Map<String, String> winners) throws IOException {
    for (int i = 0; !until.getAsBoolean(); i++) {
      String name = of + "/" + i;
      String me = name + " by " + racer;
      if (objects.createOnce(name, ByteBuffer.wrap(me.getBytes(UTF_8)))) {
        assertThat(winners.put(name, me)).as("two won " + name).isNull();
      }
      pause();
    }
    return true;
  }

  @Test
  @Order(1)
  void oneIsKilledAgainAndAgain() throws Exception {
    Acknowledged acknowledged = new Acknowledged();
    Map<String, String> winners = new ConcurrentHashMap<>();
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS + RACERS);
    try {
      List<Future<Boolean>> ends = new ArrayList<>();
      for (int w = 0; w < WRITERS; w++) {
        String writer = "w" + w;
        ends.add(threads.submit(() -> write(writer, done::get, acknowledged)));
      }
      for (int r = 0; r < RACERS; r++) {
        int racer = r;
        ends.add(threads.submit(() -> race("race", racer, done::get, winners)));
      }
      for (int kill = 0; kill < KILLS; kill++) {
        System.out.println(kill + " kills: " + acknowledged.count + " acknowledged");
        awaitMore(acknowledged, ends);
        nodes.kill(kill % ThreeNodes.NODES);
        awaitMore(acknowledged, ends);
        nodes.start(kill % ThreeNodes.NODES);
        nodes.awaitWhole();
      }
      done.set(true);
      for (Future<Boolean> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdownNow();
    }
    acknowledged.check();
    for (Map.Entry<String, String> winner : winners.entrySet()) {
      assertThat(objects.readWhole(winner.getKey(), 1 << 20))
          .asString(UTF_8)
          .isEqualTo(winner.getValue());
    }
    System.out.printf(
        "%d kills of a node: %d objects acknowledged, none lost; %d races of %d, one winner each;"
            + " longest time without any acknowledgement %s%n",
        KILLS, acknowledged.count.get(), winners.size(), RACERS, acknowledged.longestStall());
  }

  private static void awaitMore(Acknowledged acknowledged, List<Future<Boolean>> writers)
      throws InterruptedException {
    int enough = acknowledged.count.get() + WRITES_A_KILL;
    while (acknowledged.count.get() < enough && writers.stream().noneMatch(Future::isDone)) {
      Thread.sleep(1);
    }
  }

  @Test
  @Order(2)
  void allAreKilledAtOnce() throws Exception {
    Acknowledged acknowledged = new Acknowledged();
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<Boolean>> ends = new ArrayList<>();
      for (int w = 0; w < WRITERS; w++) {
        String writer = "all" + w;
        ends.add(threads.submit(() -> write(writer, done::get, acknowledged)));
      }
      awaitMore(acknowledged, ends);
      for (int node = 0; node < ThreeNodes.NODES; node++) {
        nodes.kill(node);
      }
      for (int node = 0; node < ThreeNodes.NODES; node++) {
        nodes.start(node);
      }
      nodes.awaitWhole();
      awaitMore(acknowledged, ends);
      done.set(true);
      for (Future<Boolean> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdownNow();
    }
    acknowledged.check();
    System.out.printf(
        "all nodes killed and started: %d objects acknowledged, none lost; longest time without"
            + " any acknowledgement %s%n",
        acknowledged.count.get(), acknowledged.longestStall());
  }

  /**
   * One that stands still is left behind. Once it goes on it neither takes anything nor answers
   * what is old: it was cut off, and does not know for how long.
   */
  @Test
  @Order(3)
  void oneThatStandsStillIsLeftBehind() throws Exception {
    try (ObjectSpace behind = nodes.objectsOf(0, "t/killed", Duration.ofSeconds(1))) {
      nodes.signal(0, "STOP");
      try {
        nodes.awaitSeen(List.of(1, 2), "2 whole");
        for (int i = 0; i < 4; i++) {
          assertThat(objects.createOnce("b/" + i, content("first"))).isTrue();
        }
      } finally {
        nodes.signal(0, "CONT");
      }
      for (int i = 0; i < 4; i++) {
        String name = "b/" + i;
        assertThat(creates(behind, name)).as("two won " + name).isFalse();
      }
    }
    for (int i = 0; i < 4; i++) {
      assertThat(ByteBuffer.wrap(objects.readWhole("b/" + i, 1 << 20))).isEqualTo(content("first"));
    }
    nodes.kill(0);
    nodes.start(0);
    nodes.awaitWhole();
  }

  private static boolean creates(ObjectSpace behind, String name) {
    try {
      return behind.createOnce(name, content("second"));
    } catch (IOException e) {
      return false;
    }
  }

  /** One of three, whatever it has itself, neither writes nor answers what may be old. */
  @Test
  @Order(4)
  void fewerThanHalfRefuse() throws Exception {
    AtomicInteger created = new AtomicInteger();
    objects.put("m/there", content("there"));
    try (ObjectSpace impatient = nodes.objects("t/killed", Duration.ofSeconds(1))) {
      nodes.kill(0);
      nodes.kill(1);
      nodes.awaitSeen(List.of(2), "1 whole");
      for (int i = 0; i < 4; i++) {
        String name = "m/" + i;
        assertThatThrownBy(() -> impatient.put(name, content(name)))
            .isInstanceOf(IOException.class);
        assertThatThrownBy(
                () -> {
                  impatient.createOnce(name, content(name));
                  created.incrementAndGet();
                })
            .isInstanceOf(IOException.class);
      }
      assertThatThrownBy(() -> impatient.readWhole("m/there", 10)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> impatient.list("", "")).isInstanceOf(IOException.class);
    }
    assertThat(created).hasValue(0);
    nodes.start(0);
    nodes.start(1);
    nodes.awaitWhole();
    // Who opens the place says that the copies which were away are back.
    nodes.objects("t/killed", PATIENCE).close();
    assertThat(ByteBuffer.wrap(objects.readWhole("m/there", 1 << 20))).isEqualTo(content("there"));
    assertThat(objects.createOnce("m/0", content("m/0"))).isTrue();
  }
}
