package io.github.roram.jmh.file;

import io.github.roram.storage.file.FileOptions;
import io.github.roram.storage.file.SegmentFileStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Reads batches of random extents from a store in files, by the number of concurrent reads. All
 * depths take turns in short rounds of one run; the results are medians, and the median of the
 * ratios to depth 1 in the same round.
 *
 * <pre>java -cp roram-bench/jmh/target/benchmarks.jar io.github.roram.jmh.file.ReadDepth DIR</pre>
 *
 * <p>There are three media: {@code direct} bypasses the page cache; {@code cold} goes through it,
 * after {@code dd} has dropped the files from it; {@code cached} reads again what it holds. The
 * store, of 8 GiB ({@code -Droram.gigabytes}), is created in the directory first and stays for the
 * next run.
 */
public final class ReadDepth {

  private static final int ROUNDS = Integer.getInteger("roram.rounds", 9);
  private static final long ROUND_NANOS = 400_000_000L;
  private static final int[] DEPTHS = depths(System.getProperty("roram.depths", "1,2,4,8,16"));
  private static final int UNIT_BYTES = 16_480;
  private static final long CACHED_BYTES = 256L << 20;
  private static final int FILL_UNITS = 512;

  private final Path directory;
  private final long capacityBytes;
  private final SplittableRandom random = new SplittableRandom(1);
  private final ExtentBatch batch = new ExtentBatch();
  private final byte[] taken = new byte[UNIT_BYTES];

  private ReadDepth(Path directory, long capacityBytes) {
    this.directory = directory;
    this.capacityBytes = capacityBytes;
  }

  /** What a batch asks for. */
  private enum Load {
    TEN_BUCKETS("10 x 16 KB", 10, 1),
    RANGE("20 of 16 KB to 4 MB", 20, 256),
    THOUSAND_BUCKETS("1000 x 16 KB", 1000, 1);

    private final String title;
    private final int extents;
    private final int mostUnits;

    Load(String title, int extents, int mostUnits) {
      this.title = title;
      this.extents = extents;
      this.mostUnits = mostUnits;
    }

    /** Returns two extents of each power of two, then single units. */
    int units(int extent) {
      int doubled = 1 << Math.min(20, extent / 2);
      return doubled <= mostUnits ? doubled : 1;
    }
  }

  private enum Medium {
    DIRECT,
    COLD,
    CACHED
  }

  /** Measures every medium and load. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path directory = Path.of(arguments[0]);
    long capacityBytes = Long.getLong("roram.gigabytes", 8L) << 30;
    if (!SegmentFileStore.exists(directory)) {
      fill(directory, capacityBytes);
    }
    ReadDepth readDepth = new ReadDepth(directory, capacityBytes);
    String media = System.getProperty("roram.media", Arrays.toString(Medium.values()));
    for (Medium medium : Medium.values()) {
      if (!media.contains(medium.name())) {
        continue;
      }
      for (Load load : Load.values()) {
        readDepth.measure(medium, load);
      }
    }
  }

  private static int[] depths(String list) {
    return Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).toArray();
  }

  private static void fill(Path directory, long capacityBytes) throws IOException {
    SplittableRandom random = new SplittableRandom(2);
    byte[] noise = new byte[FILL_UNITS * UNIT_BYTES];
    try (SegmentFileStore store =
        SegmentFileStore.create(directory, capacityBytes, FileOptions.defaults())) {
      ExtentBatch batch = new ExtentBatch();
      for (long at = 0; at + noise.length <= capacityBytes; at += noise.length) {
        random.nextBytes(noise);
        batch.reset(IoPhase.BULK_LOAD, 0, UNIT_BYTES).add(at, FILL_UNITS);
        store.write(
            batch, (first, units) -> units.put(noise, first * UNIT_BYTES, units.remaining()));
      }
      store.sync();
    }
  }

  private void measure(Medium medium, Load load) throws IOException, InterruptedException {
    double[][] millis = new double[DEPTHS.length][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
      for (int i = 0; i < DEPTHS.length; i++) {
        double measured = millisForBatch(medium, load, DEPTHS[i]);
        if (round >= 0) {
          millis[i][round] = measured;
        }
      }
    }
    for (int i = 0; i < DEPTHS.length; i++) {
      double[] ratios = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        ratios[round] = millis[0][round] / millis[i][round];
      }
      System.out.printf(
          Locale.ROOT,
          "%-6s  %-20s  depth %2d: %8.3f ms a batch, %5.2f times as fast as depth %d%n",
          medium,
          load.title,
          DEPTHS[i],
          median(millis[i]),
          median(ratios),
          DEPTHS[0]);
    }
  }

  private double millisForBatch(Medium medium, Load load, int depth)
      throws IOException, InterruptedException {
    FileOptions options =
        FileOptions.defaults().withDirectIo(medium == Medium.DIRECT).withReadDepth(depth);
    try (SegmentFileStore store = SegmentFileStore.open(directory, options)) {
      long areaBytes = medium == Medium.CACHED ? CACHED_BYTES : capacityBytes;
      if (medium == Medium.COLD) {
        dropCache();
      } else if (medium == Medium.CACHED) {
        batch.reset(IoPhase.READ, 0, UNIT_BYTES).add(0, (int) (areaBytes / UNIT_BYTES));
        store.read(batch, this::take);
      }
      long start = System.nanoTime();
      int batches = 0;
      do {
        draw(load, areaBytes);
        store.read(batch, this::take);
        batches++;
      } while (System.nanoTime() - start < ROUND_NANOS);
      return (System.nanoTime() - start) / 1e6 / batches;
    }
  }

  private void draw(Load load, long areaBytes) {
    batch.reset(IoPhase.READ, 0, UNIT_BYTES);
    for (int extent = 0; extent < load.extents; extent++) {
      int units = load.units(extent);
      batch.add(random.nextLong(areaBytes / UNIT_BYTES - units) * UNIT_BYTES, units);
    }
  }

  /** Copies, as every user of a store does. */
  private void take(int firstUnit, ByteBuffer units) {
    while (units.hasRemaining()) {
      units.get(taken);
    }
  }

  private void dropCache() throws IOException, InterruptedException {
    List<Process> drops = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "segment-*")) {
      for (Path file : files) {
        drops.add(
            new ProcessBuilder(
                    "dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
      }
    }
    for (Process drop : drops) {
      if (drop.waitFor() != 0) {
        throw new IOException("dd failed to drop the page cache");
      }
    }
  }

  private static double median(double[] values) {
    return StatUtils.percentile(values, 50);
  }
}
