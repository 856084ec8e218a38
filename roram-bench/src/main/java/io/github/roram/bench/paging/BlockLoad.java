package io.github.roram.bench.paging;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bench.experiment.Point;
import io.github.roram.bench.paging.PageContender.Pages;
import io.github.roram.bench.replay.StoredTarget;
import io.github.roram.paging.PageStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.device.IoCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Blocks written and read one at a time, in order and at random, on a device that was written once
 * from end to end, each pattern once before any is measured; in turn with as many on a sealed disk,
 * so that whatever else the machine does falls on both. Every answer is checked.
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

    /** Of as many accesses of the sealed disk, in turn with them. */
    String diskSecondsFigure() {
      return id + " disk seconds";
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

  /** Accesses of a device before it is the disk's turn. */
  private static final int TURN = 500;

  Point run(Point.Key key, PageContender contender, Path directory, Runnable alive)
      throws IOException {
    String uri = fresh(directory.resolve("store"));
    String diskUri = fresh(directory.resolve("disk"));
    Map<String, Double> figures = new HashMap<>();
    double seconds = 0;
    try (Pages device = create(contender, uri, blocks);
        Pages disk = create(PageContender.SEALED_DISK, diskUri, blocks)) {
      Content[] both = {filled(device, alive), filled(disk, alive)};
      SplittableRandom random = new SplittableRandom(key.run());
      for (Pattern pattern : Pattern.values()) {
        accessInTurn(both, pattern, random, alive);
      }
      device.pages().flush();
      disk.pages().flush();
      for (Pattern pattern : Pattern.values()) {
        device.store().reset();
        long[] nanos = accessInTurn(both, pattern, random, alive);
        double took = nanos[0] / NANOS_PER_SECOND;
        IoCounts io = device.store().total();
        figures.put(pattern.secondsFigure(), took);
        figures.put(pattern.diskSecondsFigure(), nanos[1] / NANOS_PER_SECOND);
        figures.put(pattern.movedFigure(), (double) io.bytes());
        figures.put(pattern.writtenFigure(), (double) io.bytesWritten());
        seconds += took;
      }
    }
    int all = Pattern.values().length * accesses;
    return Point.counted(key, all, all, seconds, Map.of()).withFigures(figures);
  }

  private static Pages create(PageContender contender, String uri, long blocks) throws IOException {
    OpenOptions open =
        contender.isOram()
            ? OpenOptions.defaults().withDurability(durability(contender))
            : OpenOptions.defaults();
    return contender.create(uri, blocks, OramConfig.builder(blocks), open);
  }

  /** What was acknowledged survives the process, where the scheme has a journal. */
  private static Durability durability(PageContender contender) {
    boolean journal = Scheme.of(contender.scheme()).traits().contains(Scheme.Trait.JOURNALLED);
    return journal ? Durability.OS : Durability.NONE;
  }

  /** All parameters, as points are told apart by them. */
  static String describe(PageContender contender, long blocks) {
    return contender.isOram()
        ? contender.config(OramConfig.builder(blocks)) + " " + durability(contender)
        : "sealed blocks=" + blocks;
  }

  /** A URI of a place where nothing is. */
  private static String fresh(Path directory) throws IOException {
    String uri = "file:" + directory;
    // An interrupted experiment may have left it.
    StoredTarget.deleteIfThere(uri, StoreOptions.defaults());
    return uri;
  }

  private Content filled(Pages device, Runnable alive) throws IOException {
    Content content = new Content(device.pages(), (int) blocks);
    for (long block = 0; block < blocks; block++) {
      content.write(block);
      alive.run();
    }
    return content;
  }

  /** Nanoseconds of all accesses, on each device. */
  private long[] accessInTurn(
      Content[] devices, Pattern pattern, SplittableRandom random, Runnable alive)
      throws IOException {
    long[] nanos = new long[devices.length];
    for (int done = 0; done < accesses; done += TURN) {
      int end = Math.min(accesses, done + TURN);
      for (int i = 0; i < devices.length; i++) {
        nanos[i] += access(devices[i], pattern, random, done, end, alive);
      }
    }
    return nanos;
  }

  private long access(
      Content content, Pattern pattern, SplittableRandom random, int first, int end, Runnable alive)
      throws IOException {
    long nanos = 0;
    for (int i = first; i < end; i++) {
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
