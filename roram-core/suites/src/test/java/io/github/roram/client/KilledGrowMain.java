package io.github.roram.client;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.storage.StoreOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Grows a store again and again, with some writes in between; says what it is about to do, and what
 * is done.
 */
final class KilledGrowMain {

  static final int BLOCKS = 60;
  static final int BLOCK_BYTES = 512;

  /** A store of so many is large enough. */
  static final long MOST_BLOCKS = 1500;

  private static final int WRITES = 3;

  private KilledGrowMain() {}

  /** The store's URI, a directory that holds the key and is the client's, and the first stamp. */
  public static void main(String[] arguments) throws IOException {
    long stamp = Long.parseLong(arguments[2]);
    Random random = new Random(stamp);
    try (Oram oram = at(arguments[0], Path.of(arguments[1])).open()) {
      say("ready");
      while (true) {
        long blocks = oram.config().blocks();
        for (int i = 0; i < WRITES; i++) {
          long block = random.nextLong(blocks);
          stamp++;
          say("write " + block + " " + stamp);
          oram.write(block, ByteBuffer.wrap(content(stamp)));
          say("written " + block + " " + stamp);
        }
        if (blocks < MOST_BLOCKS) {
          long larger = blocks + 1 + random.nextLong(blocks);
          say("grow " + larger);
          oram.grow(larger);
          say("grown " + larger);
        }
      }
    }
  }

  private static void say(String what) {
    System.out.println(what);
  }

  /** A store of which the client's half is where the store is, too, if it is one of objects. */
  static Roram at(String uri, Path directory) {
    StoreOptions options = StoreOptions.defaults();
    if (uri.startsWith("objects:")) {
      options =
          options
              .withStateDirectory(directory.resolve("state"))
              .with(StoreOptions.VAULT, uri)
              .with(StoreOptions.TAKE_OVER, true);
    }
    Path key = directory.resolve("key");
    return Roram.at(uri).store(options).key(Files.exists(key) ? Key.file(key) : Key.newFile(key));
  }

  static OramConfig config(String map) {
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

  /** What a write of that stamp wrote; zeros for 0. */
  static byte[] content(long stamp) {
    byte[] content = new byte[BLOCK_BYTES];
    if (stamp > 0) {
      new Random(stamp).nextBytes(content);
    }
    return content;
  }
}
