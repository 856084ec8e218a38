package io.github.roram.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.client.Key;
import io.github.roram.client.Roram;
import io.github.roram.crypto.MasterKey;
import io.github.roram.storage.StoreOptions;
import io.github.roram.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients in processes of their own take a store over whose records are in the engine, too, while
 * the one before is killed, or stopped and later goes on, or the server is killed and started
 * again. What any of them acknowledged the next one has, and none acknowledges anything that the
 * next one does not have. {@code -Droram.kills=N} has N clients.
 */
@Tag("gate")
@Tag("crash")
final class KilledClientsTest {

  private static final int KILLS = Integer.getInteger("roram.kills", 3);
  private static final int BLOCKS = 60;
  private static final int BLOCK_BYTES = 512;
  private static final int MOST_WRITES = 60;

  @TempDir Path directory;

  private final Random random = new Random(5);

  /** What each block has. */
  private final Map<Integer, Long> acknowledged = new HashMap<>();

  private long writes;
  private int clients;

  @Test
  void ofADirectory() throws Exception {
    takeOver("objects:" + directory.resolve("store"), 0, () -> {});
  }

  @Test
  void ofS3Proxy() throws Exception {
    try (KillableS3 server = KillableS3.proxy(directory)) {
      takeOver(server);
    }
  }

  @Test
  void ofVersity() throws Exception {
    assumeTrue(KillableS3.versityProgram().isPresent(), "versitygw is not here");
    try (KillableS3 server = KillableS3.versity(KillableS3.versityProgram().get(), directory)) {
      takeOver(server);
    }
  }

  private void takeOver(KillableS3 server) throws Exception {
    int port = server.server().withBucket().endpoint().getPort();
    takeOver(
        "s3:" + S3Server.BUCKET + "/store",
        port,
        () -> {
          server.kill();
          server.start();
        });
  }

  /** Something that happens to the server. */
  private interface Trouble {
    void make() throws Exception;
  }

  private void takeOver(String uri, int port, Trouble trouble) throws Exception {
    Running old = new Running(uri, port);
    Running next = new Running(uri, port);
    try {
      old.open();
      for (int round = 0; round < KILLS; round++) {
        old.awaitWrites(1 + random.nextInt(MOST_WRITES));
        if (round % 3 == 1) {
          trouble.make();
          old.awaitWrites(1);
        }
        boolean stops = random.nextBoolean();
        old.signal(stops ? "STOP" : "KILL");
        next.open();
        next.check(old);
        if (stops) {
          old.signal("CONT");
        }
        old.awaitEnd(stops);
        old = next;
        next = new Running(uri, port);
      }
    } finally {
      old.process.destroyForcibly();
      next.process.destroyForcibly();
    }
    System.out.printf("%d clients replaced, %d writes acknowledged, none lost%n", KILLS, writes);
  }

  /** A client, and what it said. */
  private final class Running {
    private final Process process;
    private final BufferedReader lines;
    private int block = -1;
    private long stamp;

    Running(String uri, int port) throws IOException {
      process =
          JavaProcess.of(
                  Client.class,
                  List.of(
                      uri,
                      Integer.toString(port),
                      directory.resolve("client-" + clients++).toString()))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      lines = process.inputReader();
    }

    /** It takes the store from whoever has it. */
    void open() throws IOException {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    }

    /** The next thing that it says, word by word; nothing once it has ended. */
    private String[] next() throws IOException {
      String line = lines.readLine();
      String[] words = line == null ? new String[0] : line.split(" ", 3);
      if (words.length == 3 && words[0].equals("tries")) {
        block = Integer.parseInt(words[1]);
        stamp = Long.parseLong(words[2]);
      }
      return words;
    }

    void awaitWrites(int count) throws IOException {
      int done = 0;
      while (done < count) {
        String[] words = next();
        assertThat(words).as("what a client says that is not replaced").isNotEmpty();
        assertThat(words[0]).as(String.join(" ", words)).isNotEqualTo("ends");
        done += acknowledges(words) ? 1 : 0;
      }
    }

    private boolean acknowledges(String[] words) {
      boolean is = words.length == 1 && words[0].equals("done");
      if (is) {
        acknowledged.put(block, stamp);
        block = -1;
        writes++;
      }
      return is;
    }

    /** All is there that the one before acknowledged; what it was about to write is, or is not. */
    void check(Running before) throws IOException {
      long[] found = new long[BLOCKS];
      for (int at = 0; at < BLOCKS; at++) {
        String[] words = next();
        assertThat(words).as("what the next client finds").hasSize(3);
        found[at] = Long.parseLong(words[2]);
      }
      // Not sooner: one that was just killed or stopped may say something yet.
      before.readOut();
      for (int at = 0; at < BLOCKS; at++) {
        long has = acknowledged.getOrDefault(at, 0L);
        if (found[at] != has) {
          assertThat(List.of((long) at, found[at]))
              .as("block, and what it has instead of %d, which was acknowledged", has)
              .isEqualTo(List.of((long) before.block, before.stamp));
          acknowledged.put(at, found[at]);
        }
      }
    }

    /** What it said before it was killed or stopped. */
    private void readOut() throws IOException {
      while (process.isAlive() ? lines.ready() : true) {
        String[] words = next();
        if (words.length == 0) {
          return;
        }
        acknowledges(words);
      }
    }

    /** It acknowledges nothing any more that is not there. */
    void awaitEnd(boolean isTold) throws IOException, InterruptedException {
      String last = "";
      for (String[] words = next(); words.length > 0; words = next()) {
        if (words[0].equals("done")) {
          assertThat(acknowledged.get(block)).as("acknowledged too late").isEqualTo(stamp);
        }
        last = String.join(" ", words);
      }
      process.waitFor();
      if (isTold) {
        assertThat(last).startsWith("ends").contains("another client");
      }
    }

    void signal(String name) throws IOException, InterruptedException {
      String pid = Long.toString(process.pid());
      int result = new ProcessBuilder("kill", "-" + name, pid).start().waitFor();
      assertThat(result)
          .as(
              "a client that nobody replaced has ended: %s",
              result == 0 ? "" : lines.lines().toList())
          .isZero();
    }
  }

  /** Takes a store over once it is told to, says what it finds, and writes until it is replaced. */
  static final class Client {

    private Client() {}

    public static void main(String[] arguments) throws IOException {
      int port = Integer.parseInt(arguments[1]);
      String uri = arguments[0];
      StoreOptions options = port == 0 ? StoreOptions.defaults() : S3Server.at(port).options();
      Roram at =
          Roram.at(uri)
              .store(options.with(StoreOptions.VAULT, uri).with(StoreOptions.TAKE_OVER, true))
              .stateDirectory(Path.of(arguments[2]))
              .key(Key.of(MasterKey.copyOf(new byte[MasterKey.BYTES])))
              .options(OpenOptions.defaults().withDurability(Durability.SYNC));
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)).readLine();
      boolean isThere = at.exists();
      Oram oram =
          isThere
              ? at.open()
              : at.create(
                  OramConfig.builder(BLOCKS)
                      .blockBytes(BLOCK_BYTES)
                      .maxRangeBlocks(4)
                      .treetopBytes(1 << 12)
                      .chunkPaths(4)
                      .windowBlocks(12)
                      .build());
      for (int block = 0; isThere && block < BLOCKS; block++) {
        say("has " + block + " " + oram.read(block, 1).getLong(0));
      }
      Random random = new Random();
      while (write(oram, random.nextInt(BLOCKS), random.nextLong())) {
        say("done");
      }
      // Not closed, an ORAM has threads that go on.
      Runtime.getRuntime().halt(0);
    }

    /** Until it is acknowledged, or this client is told that it was replaced. */
    private static boolean write(Oram oram, int block, long stamp) {
      say("tries " + block + " " + stamp);
      while (true) {
        try {
          oram.write(block, ByteBuffer.allocate(BLOCK_BYTES).putLong(0, stamp));
          return true;
        } catch (IOException | OramException e) {
          // What it is about to read may be deleted by whoever replaced it, before it is told.
          if (Stream.of("taken over by another client", "another client took the store over")
              .anyMatch(part -> String.valueOf(e.getMessage()).contains(part))) {
            say("ends " + e.getMessage());
            return false;
          }
          say("fails: " + e);
        }
      }
    }

    private static void say(String what) {
      System.out.println(what);
      System.out.flush();
    }
  }
}
