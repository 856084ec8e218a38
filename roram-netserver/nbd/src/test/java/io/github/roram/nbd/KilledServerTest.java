package io.github.roram.nbd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A server is killed while a client writes, zeroes, flushes and writes through (FUA), several
 * requests at a time. Everything that was flushed or written through is there; of the rest, each
 * block is as one of the requests since left it. The long run kills as often as {@code roram.kills}
 * says.
 */
final class KilledServerTest {

  private static final int LONG_KILLS = Integer.getInteger("roram.kills", 100);
  private static final int BLOCK_BYTES = 4096;

  /** Few, so that they are written again and again. */
  private static final int BLOCKS = 256;

  private static final int IN_FLIGHT = 8;

  private Path directory;
  private final Random random = new Random(17);

  /** Stamp of the newest durable content of a block, and of the newest that was asked for. */
  private final long[] durable = new long[BLOCKS];

  private final long[] answered = new long[BLOCKS];
  private final long[] asked = new long[BLOCKS];

  /** Stamp of the newest request that zeroes a block. */
  private final long[] zeros = new long[BLOCKS];

  private long stamp;

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createTempDirectory(Path.of("/tmp"), "nbd");
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void aFewKills() throws Exception {
    kill(2);
  }

  @Tag("crash")
  @Test
  void manyKills() throws Exception {
    kill(LONG_KILLS);
  }

  private void kill(int kills) throws Exception {
    for (int i = 0; i < kills; i++) {
      Process process = start();
      try (NbdClient client =
          new NbdClient(UnixDomainSocketAddress.of(directory.resolve("s"))).go("", false)) {
        check(client);
        use(client, 100 + random.nextInt(400), process);
      }
      process.waitFor();
    }
    Process process = start();
    try (NbdClient client =
        new NbdClient(UnixDomainSocketAddress.of(directory.resolve("s"))).go("", false)) {
      check(client);
    }
    process.destroyForcibly().waitFor();
  }

  private Process start() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledServerMain.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader lines = process.inputReader();
    String line = lines.readLine();
    while (line != null && !line.equals("ready")) {
      line = lines.readLine();
    }
    assertThat(line).as("what a server says").isNotNull();
    return process;
  }

  /** Each block is as it was flushed, or as something later left it. */
  private void check(NbdClient client) throws IOException {
    for (int block = 0; block < BLOCKS; block++) {
      byte[] found = client.read((long) block * BLOCK_BYTES, BLOCK_BYTES);
      long first = ByteBuffer.wrap(found).getLong();
      ByteBuffer all = ByteBuffer.wrap(found);
      while (all.hasRemaining()) {
        assertThat(all.getLong()).as("block %d is whole", block).isEqualTo(first);
      }
      // Zeros are what the newest request left that zeroed it, or nothing ever.
      long value = first == 0 ? zeros[block] : first;
      assertThat(value)
          .as("block %d, of which %d was durable", block, durable[block])
          .isBetween(durable[block], asked[block]);
      durable[block] = value;
      answered[block] = value;
      asked[block] = value;
    }
    assertThat(client.call(0, TransmissionDescriptor.FLUSH, 0, 0)).isZero();
  }

  /** Rounds of requests at a time, each to blocks of its own; killed at the end of the last. */
  private void use(NbdClient client, int rounds, Process process) throws IOException {
    for (int round = 0; round < rounds; round++) {
      int flags = random.nextInt(4) == 0 ? TransmissionDescriptor.FUA : 0;
      int[] blocks = random.ints(0, BLOCKS).distinct().limit(IN_FLIGHT).toArray();
      boolean[] zero = new boolean[IN_FLIGHT];
      for (int i = 0; i < IN_FLIGHT; i++) {
        zero[i] = random.nextInt(5) == 0;
        send(client, flags, i, blocks[i], zero[i]);
      }
      if (round == rounds - 1) {
        process.destroyForcibly();
        return;
      }
      for (int i = 0; i < IN_FLIGHT; i++) {
        ByteBuffer reply = client.receive(16);
        assertThat(reply.getInt(4)).isZero();
        int block = blocks[(int) reply.getLong(8)];
        answered[block] = asked[block];
        if (flags != 0) {
          durable[block] = asked[block];
        }
      }
      if (random.nextInt(10) == 0) {
        assertThat(client.call(0, TransmissionDescriptor.FLUSH, 0, 0)).isZero();
        System.arraycopy(answered, 0, durable, 0, BLOCKS);
      }
    }
  }

  private void send(NbdClient client, int flags, int cookie, int block, boolean zero)
      throws IOException {
    stamp++;
    asked[block] = stamp;
    long offset = (long) block * BLOCK_BYTES;
    if (zero) {
      zeros[block] = stamp;
      client.send(
          NbdClient.request(
              flags, TransmissionDescriptor.WRITE_ZEROES, cookie, offset, BLOCK_BYTES));
      return;
    }
    client.send(
        NbdClient.request(flags, TransmissionDescriptor.WRITE, cookie, offset, BLOCK_BYTES));
    byte[] data = new byte[BLOCK_BYTES];
    ByteBuffer.wrap(data).asLongBuffer().put(stamps());
    client.send(ByteBuffer.wrap(data));
  }

  private long[] stamps() {
    long[] stamps = new long[BLOCK_BYTES / Long.BYTES];
    Arrays.fill(stamps, stamp);
    return stamps;
  }
}
