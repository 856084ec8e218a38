package io.github.roram.bench.direct;

import io.github.roram.bench.direct.DirectContender.Device;
import io.github.roram.bench.experiment.Point;
import io.github.roram.paging.PageStore;
import io.github.roram.storage.Stores;
import io.github.roram.storage.device.IoCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Blocks written and read one at a time, in order and at random, on a device that was written once
 * from end to end, each pattern once before any is measured. Every answer is checked.
 *
 * @param blocks of the device
 * @param accesses of each pattern
 */
record BlockLoad(long blocks, int accesses) {

  /** The patterns, in the order in which they run. */
  enum Pattern {
    SEQUENTIAL_WRITES("sequential-writes", false, true),
    RANDOM_WRITES("random-writes", true, true),
    SEQUENTIAL_READS("sequential-reads", false, false),
    RANDOM_READS("random-reads", true, false);

    private final String id;
    private final boolean random;
    private final boolean writes;

    Pattern(String id, boolean random, boolean writes) {
      this.id = id;
      this.random = random;
      this.writes = writes;
    }

    String id() {
      return id;
    }

    boolean isWriting() {
      return writes;
    }

    String secondsFigure() {
      return id + " seconds";
    }

    String movedFigure() {
      return id + " bytes moved";
    }

    String writtenFigure() {
      return id + " bytes written";
    }
  }

  private static final double NANOS_PER_SECOND = 1e9;
  private static final int ACCESSES_BETWEEN_SIGNS = 16;

  Point run(Point.Key key, DirectContender contender, Path directory, Runnable alive)
      throws IOException {
    String uri = "file:" + directory.resolve("store");
    if (Stores.exists(uri)) {
      // An interrupted experiment left it.
      Stores.delete(uri);
    }
    Map<String, Double> figures = new HashMap<>();
    double seconds = 0;
    try (Device device = contender.create(uri, blocks)) {
      Content content = new Content(device.blocks(), (int) blocks);
      for (long block = 0; block < blocks; block++) {
        content.write(block);
        alive.run();
      }
      SplittableRandom random = new SplittableRandom(key.run());
      for (Pattern pattern : Pattern.values()) {
        access(content, pattern, random, accesses, alive);
      }
      device.blocks().flush();
      for (Pattern pattern : Pattern.values()) {
        device.store().reset();
        double took = access(content, pattern, random, accesses, alive) / NANOS_PER_SECOND;
        IoCounts io = device.store().total();
        figures.put(pattern.secondsFigure(), took);
        figures.put(pattern.movedFigure(), (double) io.bytes());
        figures.put(pattern.writtenFigure(), (double) io.bytesWritten());
        seconds += took;
      }
    }
    Stores.delete(uri);
    int all = Pattern.values().length * accesses;
    return Point.counted(key, all, all, seconds, Map.of()).withFigures(figures);
  }

  /** Nanoseconds of the accesses. */
  private long access(
      Content content, Pattern pattern, SplittableRandom random, int count, Runnable alive)
      throws IOException {
    long nanos = 0;
    for (int i = 0; i < count; i++) {
      long block = pattern.random ? random.nextLong(blocks) : i % blocks;
      nanos += pattern.writes ? content.write(block) : content.read(block);
      if (i % ACCESSES_BETWEEN_SIGNS == 0) {
        alive.run();
      }
    }
    return nanos;
  }

  /** What every block holds: its number, and how often it was written. */
  private static final class Content {
    private final PageStore blocks;
    private final long[] versions;
    private final byte[] bytes;
    private final ByteBuffer buffer;

    Content(PageStore blocks, int count) {
      this.blocks = blocks;
      versions = new long[count];
      bytes = new byte[blocks.pageBytes()];
      buffer = ByteBuffer.wrap(bytes);
    }

    long write(long block) throws IOException {
      long version = ++versions[(int) block];
      buffer.putLong(0, block).putLong(buffer.capacity() - Long.BYTES, version);
      long start = System.nanoTime();
      blocks.write(block, bytes);
      return System.nanoTime() - start;
    }

    long read(long block) throws IOException {
      long start = System.nanoTime();
      blocks.read(block, bytes);
      long nanos = System.nanoTime() - start;
      if (buffer.getLong(0) != block
          || buffer.getLong(buffer.capacity() - Long.BYTES) != versions[(int) block]) {
        throw new IllegalStateException(
            "block " + block + " was answered wrong; this is a bug, please report it");
      }
      return nanos;
    }
  }
}
