package io.github.roram.client;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.storage.StoreOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;

/**
 * Takes points of a store without end, with a round of writes before each, or restores one after
 * another; says so. What a round writes follows from its number, which stands in block 0 once all
 * else of it is written, so what a point must hold follows from that block.
 */
final class KilledBackupMain {

  static final int BLOCKS = 600;
  static final int BLOCK_BYTES = 512;
  static final int KEEP = 4;
  private static final int WRITES = 60;

  private KilledBackupMain() {}

  /** What is to be done: "backup" or "restore", the store's URI, the key file and the target. */
  public static void main(String[] arguments) throws IOException {
    Roram roram = at(arguments[1], arguments[2]);
    try (Backup backup = Backup.at(arguments[3], StoreOptions.defaults())) {
      System.out.println("ready");
      if (arguments[0].equals("restore")) {
        restore(roram, backup);
      } else {
        backUp(roram, arguments[1], backup);
      }
    }
  }

  static Roram at(String uri, String keyFile) {
    return Roram.at(uri).key(Key.file(Path.of(keyFile)));
  }

  static OramConfig config() {
    return OramConfig.builder(BLOCKS)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(8)
        .trees(0, 3)
        .treetopBytes(0)
        .chunkPaths(8)
        .windowBlocks(0)
        .build();
  }

  private static void backUp(Roram roram, String uri, Backup backup) throws IOException {
    try (Oram oram = roram.open()) {
      int round = round(oram.readBytes(0, BLOCK_BYTES));
      while (true) {
        round++;
        byte[] block = new byte[BLOCK_BYTES];
        Random random = new Random(round);
        for (int i = 0; i < WRITES; i++) {
          oram.write(next(random, block), ByteBuffer.wrap(block));
        }
        oram.write(0, ByteBuffer.wrap(first(round)));
        Backup.Taken taken = backup.take(oram, uri, KEEP, bytes -> {});
        System.out.println("point " + taken.number() + " " + round);
      }
    }
  }

  private static void restore(Roram roram, Backup backup) throws IOException {
    while (true) {
      for (int point : backup.points().keySet()) {
        roram.restore(backup, point, true, bytes -> {});
        System.out.println("restored " + point);
      }
    }
  }

  private static int next(Random random, byte[] block) {
    random.nextBytes(block);
    return 1 + random.nextInt(BLOCKS - 1);
  }

  private static byte[] first(int round) {
    return ByteBuffer.allocate(BLOCK_BYTES).putInt(round).array();
  }

  static int round(byte[] content) {
    return ByteBuffer.wrap(content).getInt();
  }

  /** All bytes after so many rounds. */
  static byte[] content(int rounds) {
    byte[] content = new byte[BLOCKS * BLOCK_BYTES];
    byte[] block = new byte[BLOCK_BYTES];
    for (int round = 1; round <= rounds; round++) {
      Random random = new Random(round);
      for (int i = 0; i < WRITES; i++) {
        int at = next(random, block);
        System.arraycopy(block, 0, content, at * BLOCK_BYTES, BLOCK_BYTES);
      }
    }
    System.arraycopy(first(rounds), 0, content, 0, BLOCK_BYTES);
    return content;
  }
}
