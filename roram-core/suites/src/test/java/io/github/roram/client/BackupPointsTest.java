package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store is restored to random ones of its points, each of which must equal what the store held
 * then. The long run has {@code roram.backup.blocks} blocks of 4 KiB, 1 GiB unless it is said.
 */
final class BackupPointsTest {

  private static final int LONG_BLOCKS = Integer.getInteger("roram.backup.blocks", 1 << 18);
  private static final int BLOCK_BYTES = 4096;
  private static final int POINTS = 20;

  @TempDir Path directory;

  private final Random random = new Random(33);

  @Tag("gate")
  @Test
  void aFewBlocks() throws IOException {
    restored(1 << 8);
  }

  @Tag("soak")
  @Test
  void manyBlocks() throws IOException {
    restored(LONG_BLOCKS);
  }

  private void restored(int blocks) throws IOException {
    try (MasterKey secret = MasterKey.generate();
        Backup backup = Backup.in(directory.resolve("backup"))) {
      Roram roram = Roram.at("file:" + directory.resolve("store")).key(Key.of(secret));
      OramConfig config =
          OramConfig.builder(blocks).blockBytes(BLOCK_BYTES).maxRangeBlocks(8).trees(0).build();
      long[] stamps = new long[blocks];
      try (Oram oram = roram.create(config)) {
        load(oram);
      }
      List<long[]> points = new ArrayList<>();
      for (int point = 0; point < POINTS; point++) {
        try (Oram oram = roram.open()) {
          for (int i = 0; i < blocks / 64; i++) {
            int block = random.nextInt(blocks);
            stamps[block] = random.nextLong();
            oram.write(block, content(stamps[block]));
          }
        }
        roram.backUp(backup, POINTS, bytes -> {});
        points.add(stamps.clone());
      }
      for (int i = 0; i < POINTS; i++) {
        int point = random.nextInt(POINTS);
        roram.restore(backup, point + 1, true, bytes -> {});
        check(roram, points.get(point));
        System.out.printf("point %d of %d blocks is as it was%n", point + 1, blocks);
      }
    }
  }

  private void load(Oram oram) throws IOException {
    Path zeros = directory.resolve("zeros");
    try (SeekableByteChannel source =
        FileChannel.open(
            zeros,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE,
            StandardOpenOption.READ,
            StandardOpenOption.SPARSE,
            StandardOpenOption.DELETE_ON_CLOSE)) {
      source.position(oram.config().bytes() - 1).write(ByteBuffer.allocate(1));
      source.position(0);
      oram.bulkLoad(source, 256 << 20, bytes -> {});
    }
  }

  private static void check(Roram roram, long[] stamps) throws IOException {
    boolean[] seen = new boolean[stamps.length];
    try (Oram oram = roram.open()) {
      oram.scan(
          (block, data) -> {
            assertThat(data).as("block %d", block).isEqualTo(content(stamps[(int) block]));
            seen[(int) block] = true;
          });
    }
    assertThat(seen).doesNotContain(false);
  }

  private static ByteBuffer content(long stamp) {
    ByteBuffer content = ByteBuffer.allocate(BLOCK_BYTES);
    while (stamp != 0 && content.hasRemaining()) {
      content.putLong(stamp);
    }
    return content.clear();
  }
}
