package io.github.roram.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A store, a model of what it holds, and a directory for its backups. */
abstract class BackupFixture {

  static final int BLOCKS = 120;
  static final int BLOCK_BYTES = 512;

  @TempDir Path directory;

  final Random random = new Random(5);
  final byte[] model = new byte[BLOCKS * BLOCK_BYTES];
  final MasterKey secret = MasterKey.generate();
  final MemoryObjects memory = new MemoryObjects();
  Roram roram;
  Backup backup;

  @BeforeEach
  void name() {
    roram = Roram.at("file:" + directory.resolve("store")).key(Key.of(secret));
    backup = Backup.in(directory.resolve("backup"), 4000, 9000);
  }

  @AfterEach
  void wipe() {
    secret.close();
  }

  void create(String map) throws IOException {
    roram.create(config(map)).close();
  }

  static OramConfig config(String map) {
    if (map.equals("ring")) {
      return OramConfig.builder(BLOCKS)
          .scheme("ring")
          .blockBytes(BLOCK_BYTES)
          .maxRangeBlocks(8)
          .set("treetopLevels", 0)
          .build();
    }
    return OramConfig.builder(BLOCKS)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(8)
        .trees(0, 3)
        .treetopBytes(0)
        .chunkPaths(8)
        .windowBlocks(0)
        .positionMap(map)
        .build();
  }

  void write(Oram oram, int accesses) throws IOException {
    for (int i = 0; i < accesses; i++) {
      int count = 1 + random.nextInt(8);
      int block = random.nextInt(BLOCKS - count + 1);
      byte[] data = new byte[count * BLOCK_BYTES];
      random.nextBytes(data);
      oram.write(block, ByteBuffer.wrap(data));
      System.arraycopy(data, 0, model, block * BLOCK_BYTES, data.length);
    }
  }

  void write(int accesses) throws IOException {
    try (Oram oram = roram.open()) {
      write(oram, accesses);
    }
  }

  byte[] all() throws IOException {
    try (Oram oram = roram.open()) {
      assertThat(oram.verify((done, total) -> {}).clean()).isTrue();
      return oram.readBytes(0, BLOCKS * BLOCK_BYTES);
    }
  }

  Backup.Taken take(int keep) throws IOException {
    return roram.backUp(backup, keep, bytes -> {});
  }

  void restore(int point) throws IOException {
    roram.restore(backup, point, true, bytes -> {});
  }

  static Backup in(ObjectSpace objects) {
    return Backup.in(objects, 4000, 9000);
  }
}
