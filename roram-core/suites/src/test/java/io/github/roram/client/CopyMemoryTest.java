package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a store that is several times as large as all the memory of who makes them. */
@Tag("gate")
final class CopyMemoryTest {

  private static final int HEAP_MEGABYTES = 48;
  private static final int DIRECT_MEGABYTES = 16;
  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = 3 * (HEAP_MEGABYTES + DIRECT_MEGABYTES) * 256;

  private static final int WRITES = 200;

  @TempDir Path directory;

  @Test
  void backupRestoreAndCloneNeedMemoryForAPart() throws Exception {
    Path errors = directory.resolve("errors");
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx" + HEAP_MEGABYTES + "m",
                    "-XX:MaxDirectMemorySize=" + DIRECT_MEGABYTES + "m",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Copies.class.getName(),
                    directory.toString()))
            .redirectError(errors.toFile())
            .start();
    int status = process.waitFor();
    assertThat(Files.readString(errors)).isEmpty();
    assertThat(status).isZero();
  }

  /** The program: makes a store, and copies it in each way. */
  static final class Copies {
    private final Path directory;
    private final Roram roram;

    /** Of each block the number of times that it was written. */
    private final byte[] writes = new byte[BLOCKS];

    private Copies(Path directory) throws IOException {
      this.directory = directory;
      roram = at("store");
    }

    private Roram at(String name) {
      Path file = directory.resolve(name + ".key");
      Key key = Files.exists(file) ? Key.file(file) : Key.newFile(file);
      return Roram.at("file:" + directory.resolve(name)).key(key);
    }

    /** In this directory. */
    public static void main(String[] arguments) throws IOException {
      new Copies(Path.of(arguments[0])).run();
    }

    private void run() throws IOException {
      fill();
      Backup backup = Backup.in(directory.resolve("backup"));
      at("store").backUp(backup, 1, bytes -> {});
      Roram.FirstBlock asItIs = (block, blocks, copyBlocks) -> {};
      at("store")
          .cloneTo(at("clone"), OptionalLong.empty(), asItIs, scratch(), (load, done, of) -> {});
      check("clone");
      at("store").delete();
      at("store").restore(backup, 0, false, bytes -> {});
      check("store");
    }

    private Path scratch() throws IOException {
      return Files.createDirectories(directory.resolve("scratch"));
    }

    private void fill() throws IOException {
      Path source = directory.resolve("source");
      try (FileChannel file =
          FileChannel.open(
              source,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE)) {
        for (int block = 0; block < BLOCKS; block++) {
          file.write(content(block));
        }
        OramConfig config =
            OramConfig.builder(BLOCKS)
                .blockBytes(BLOCK_BYTES)
                .maxRangeBlocks(1)
                .trees(0)
                .treetopBytes(0)
                .build();
        try (Oram oram = roram.create(config)) {
          oram.bulkLoad(file, 1 << 22, bytes -> {});
        }
      }
      Files.delete(source);
      Random random = new Random(1);
      try (Oram oram = at("store").open()) {
        for (int i = 0; i < WRITES; i++) {
          int block = random.nextInt(BLOCKS);
          writes[block]++;
          oram.write(block, content(block));
        }
      }
    }

    private ByteBuffer content(int block) {
      ByteBuffer content = ByteBuffer.allocate(BLOCK_BYTES);
      new Random(block + (long) BLOCKS * writes[block]).nextBytes(content.array());
      return content;
    }

    private void check(String name) throws IOException {
      BitSet seen = new BitSet();
      try (Oram oram = at(name).open()) {
        oram.scan(
            (block, data) -> {
              seen.set((int) block);
              if (!data.equals(content((int) block))) {
                throw new IOException("block " + block + " of " + name + " is not as it was");
              }
            });
      }
      if (seen.cardinality() != BLOCKS) {
        throw new IOException(name + " has " + seen.cardinality() + " blocks");
      }
    }
  }
}
