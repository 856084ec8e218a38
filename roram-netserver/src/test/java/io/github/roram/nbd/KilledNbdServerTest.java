package io.github.roram.nbd;

import static io.github.roram.nbd.Programs.need;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server is killed in the middle of requests: what {@link LoggedWrites} noted is there. In the
 * middle of fio, too, on another part of the device, which verifies afterwards all that it was told
 * was written: the death of a process loses nothing that was answered. The long run kills as often
 * as {@code roram.kills} says.
 */
@ParameterizedClass
@ValueSource(booleans = {true, false})
final class KilledNbdServerTest {

  private static final int LONG_KILLS = Integer.getInteger("roram.kills", 100);

  /** Whether accesses of the device overlap. */
  @Parameter boolean overlaps;

  private final Random random = new Random(18);
  private final LoggedWrites writes = new LoggedWrites();
  private KilledServer server;

  @BeforeEach
  void makeServer() throws IOException {
    server = new KilledServer(overlaps);
  }

  @AfterEach
  void endServer() throws IOException {
    server.close();
  }

  @Tag("gate")
  @Test
  void aKillBetweenRequests() throws Exception {
    kill(1, 40);
  }

  @Tag("crash")
  @Test
  void manyKills() throws Exception {
    kill(LONG_KILLS, 200);
  }

  @Tag("gate")
  @Test
  void aKillUnderFio() throws Exception {
    need("fio");
    killUnderFio(1, 400);
  }

  @Tag("crash")
  @Test
  void manyKillsUnderFio() throws Exception {
    need("fio");
    killUnderFio(LONG_KILLS, 1500);
  }

  private void kill(int kills, int mostRounds) throws Exception {
    for (int i = 0; i < kills; i++) {
      server.start();
      try (RawClient client = server.connect()) {
        writes.check(client);
        writes.use(client, mostRounds / 4 + random.nextInt(mostRounds));
        writes.leave(client);
        server.kill();
      }
    }
    checkAfterStart();
  }

  private void checkAfterStart() throws Exception {
    server.start();
    try (RawClient client = server.connect()) {
      writes.check(client);
    }
  }

  /** When its requests fail, fio saves what it knows of those that were answered. */
  private void killUnderFio(int kills, int mostMillis) throws Exception {
    for (int i = 0; i < kills; i++) {
      server.start();
      byte[] before;
      try (RawClient client = server.connect()) {
        writes.check(client);
        before = someOfFio(client);
      }
      Path printed = server.directory().resolve("printed");
      Process fio =
          Programs.builder(fio(i, "--time_based", "--runtime=600"))
              .directory(server.directory().toFile())
              .redirectOutput(printed.toFile())
              .start();
      try (RawClient client = server.connect()) {
        while (fio.isAlive() && !Files.readString(printed).contains("connected")) {
          Thread.sleep(10);
        }
        long end = System.nanoTime() + (200 + random.nextInt(mostMillis)) * 1_000_000L;
        do {
          writes.use(client, 1);
        } while (System.nanoTime() < end
            || (fio.isAlive() && Arrays.equals(someOfFio(client), before)));
        writes.use(client, 1); // fio is told meanwhile
        writes.leave(client);
        assertThat(fio.isAlive()).as("fio runs: %s", Files.readString(printed)).isTrue();
        server.kill();
      }
      assertThat(fio.waitFor()).as("fio was told of the death").isNotZero();
      assertThat(written(Files.readString(printed))).isPositive();
      checkAfterStart();
      Programs.run(
          server.directory(),
          fio(i, "--verify_state_load=1", "--verify_only=1", "--verify_fatal=1"));
      server.kill();
    }
  }

  /** A part of what fio writes at random. */
  private static byte[] someOfFio(RawClient client) throws IOException {
    return client.read(LoggedWrites.BYTES, 64 * 4096);
  }

  private String[] fio(int seed, String... more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "fio",
                "--name=v",
                "--ioengine=nbd",
                "--uri=" + server.uri(),
                "--rw=randwrite",
                "--bsrange=4k-16k",
                "--offset=" + LoggedWrites.BYTES,
                "--size=" + ((long) KilledServerMain.BLOCKS * 4096 - LoggedWrites.BYTES),
                "--iodepth=8",
                "--fsync=32",
                "--verify=crc32c",
                "--verify_state_save=1",
                "--do_verify=0",
                "--randseed=" + (seed + 1),
                "--output-format=terse"));
    command.addAll(List.of(more));
    return command.toArray(String[]::new);
  }

  /** KiB that fio wrote, by its terse output. */
  private static long written(String terse) {
    String line = terse.lines().filter(each -> each.startsWith("3;")).findFirst().orElseThrow();
    return Long.parseLong(line.split(";", -1)[46]);
  }
}
