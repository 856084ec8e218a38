package io.github.roram.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.roram.object.ObjectSpace;
import io.github.roram.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers and clients are killed while objects are written: of what was acknowledged nothing is
 * lost, and what one client created once is never another's. {@code -Droram.kills=N} kills each
 * server so often.
 */
@Tag("gate")
@Tag("crash")
final class KilledS3Test {

  private static final int KILLS = Integer.getInteger("roram.kills", 1);
  private static final int WRITERS = 4;
  private static final int WRITES_A_KILL = 40;

  @TempDir Path directory;

  @Test
  void proxyIsKilled() throws Exception {
    try (KillableS3 server = KillableS3.proxy(directory)) {
      server.server().withBucket();
      killed(server);
    }
  }

  @Test
  void versityIsKilled() throws Exception {
    assumeTrue(KillableS3.versityProgram().isPresent(), "versitygw is not here");
    try (KillableS3 server = KillableS3.versity(KillableS3.versityProgram().get(), directory)) {
      server.server().withBucket();
      killed(server);
    }
  }

  /** An object of some kilobytes that only its name tells. */
  private static ByteBuffer content(String name) {
    Random random = new Random(name.hashCode());
    byte[] bytes = new byte[2000 + random.nextInt(20_000)];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  /** Writes on, whatever happens to the server: data, and every third time an object once. */
  private static void write(ObjectSpace objects, String writer, int count, Queue<String> written)
      throws IOException {
    for (int i = 0; i < count; i++) {
      String name = writer + "/" + i;
      if (i % 3 == 0) {
        assertThat(objects.createOnce(name, content(name))).as(name).isTrue();
      } else {
        objects.put(name, content(name));
      }
      written.add(name);
    }
  }

  private static void killed(KillableS3 server) throws Exception {
    Queue<String> written = new ConcurrentLinkedQueue<>();
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try (ObjectSpace objects = server.server().objects(S3Server.BUCKET, "killed")) {
      List<Future<?>> ends = new ArrayList<>();
      for (int w = 0; w < WRITERS; w++) {
        String writer = "w" + w;
        ends.add(
            writers.submit(
                () -> {
                  write(objects, writer, KILLS * WRITES_A_KILL, written);
                  return true;
                }));
      }
      Random random = new Random();
      for (int kill = 0; kill < KILLS; kill++) {
        int until = kill * WRITERS * WRITES_A_KILL + 1 + random.nextInt(WRITES_A_KILL);
        while (written.size() < until && ends.stream().noneMatch(Future::isDone)) {
          Thread.sleep(1);
        }
        server.kill();
        server.start();
      }
      for (Future<?> end : ends) {
        end.get();
      }
      checkAll(objects, written);
    } finally {
      writers.shutdownNow();
    }
    assertThat(written).hasSize(WRITERS * KILLS * WRITES_A_KILL);
  }

  private static void checkAll(ObjectSpace objects, Iterable<String> names) throws IOException {
    for (String name : names) {
      assertThat(ByteBuffer.wrap(objects.readWhole(name, 1 << 16)))
          .as(name)
          .isEqualTo(content(name));
    }
  }

  @Test
  void clientIsKilled() throws Exception {
    try (KillableS3 server = KillableS3.proxy(directory)) {
      server.server().withBucket();
      for (int kill = 0; kill < KILLS; kill++) {
        List<String> said = new ArrayList<>();
        Process client = client(server.server(), "c" + kill);
        try (BufferedReader lines = client.inputReader()) {
          int enough = 1 + new Random().nextInt(WRITES_A_KILL);
          while (said.size() < enough) {
            said.add(lines.readLine());
          }
          // Unlike the process itself, its handle leaves what it has said to be read.
          client.toHandle().destroyForcibly();
          lines.lines().forEach(said::add);
        }
        client.waitFor();
        try (ObjectSpace objects = server.server().objects(S3Server.BUCKET, "killed")) {
          checkAll(objects, said);
        }
      }
    }
  }

  private static Process client(S3Server server, String writer) throws IOException {
    return JavaProcess.of(
            Client.class, List.of(Integer.toString(server.endpoint().getPort()), writer))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Writes until it is killed, and says of each object that it was acknowledged. */
  static final class Client {
    public static void main(String[] arguments) throws IOException {
      S3Server server = S3Server.at(Integer.parseInt(arguments[0]));
      try (ObjectSpace objects = server.objects(S3Server.BUCKET, "killed")) {
        for (int i = 0; i < 100_000; i++) {
          String name = arguments[1] + "/" + i;
          objects.put(name, content(name));
          System.out.println(name);
        }
      }
    }
  }
}
