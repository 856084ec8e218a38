package io.github.roram.suites.crash;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.Stores;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures how long accesses wait for checkpoints, on the disk of a directory: the longest wait of
 * any single access for each checkpoint, as the library logs it, and their median and maximum.
 */
final class CheckpointPause {

  private static final Pattern PAUSE =
      Pattern.compile("checkpoint of (\\d+) bytes: accesses waited at most (\\d+) us");

  /** So many ranges share a page of the position map. */
  private static final int PAGE_RANGES = 1024;

  private static final int MAX_RANGE = 256;
  private static final long CHECKPOINT_BYTES = 1L << 20;
  private static final double NANOS_PER_MICRO = 1000;

  private final PrintStream out = System.out;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final int blocks;
  private final int range;
  private final int accesses;

  private CheckpointPause(int blocks, int range, int accesses) {
    this.blocks = blocks;
    this.range = range;
    this.accesses = accesses;
  }

  /**
   * Runs the measurement. A tree for each size class up to {@value #MAX_RANGE} blocks of 4 KB; the
   * position maps are filled first.
   *
   * @param arguments directory, log2 of the number of blocks, blocks of an access, accesses
   */
  public static void main(String[] arguments) throws IOException {
    int blocks = 1 << Integer.parseInt(arguments[1]);
    int range = Integer.parseInt(arguments[2]);
    int accesses = Integer.parseInt(arguments[3]);
    new CheckpointPause(blocks, range, accesses).run(Path.of(arguments[0]));
  }

  private void run(Path directory) throws IOException {
    // What the library logs goes to the standard error stream as it is when logging begins.
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    OramConfig config =
        OramConfig.builder(blocks)
            .maxRangeBlocks(MAX_RANGE)
            .sizeClasses(0, 1, 2, 3, 4, 5, 6, 7, 8)
            .build();
    String uri = "file:" + directory.resolve("checkpoint-pause");
    OpenOptions options = OpenOptions.defaults();
    try (MasterKey key = MasterKey.generate();
        OpenedStore opened =
            Stores.create(uri, Orams.storeBytes(config), StoreOptions.defaults())) {
      try (Oram oram =
          Orams.create(
              opened.store(),
              opened.vault(),
              config,
              key,
              options.withDurability(Durability.NONE))) {
        for (int block = 0; block < blocks; block += PAGE_RANGES) {
          oram.write(block, ByteBuffer.allocate(config.blockBytes()));
        }
      }
      try (Oram oram =
          Orams.open(
              opened.store(), opened.vault(), key, options.withCheckpointBytes(CHECKPOINT_BYTES))) {
        access(oram);
      }
    } finally {
      Stores.delete(uri);
    }
    reportPauses();
  }

  /** Half of them writes. */
  private void access(Oram oram) throws IOException {
    Random random = new Random(accesses);
    long[] nanos = new long[accesses];
    for (int i = 0; i < accesses; i++) {
      int block = random.nextInt(blocks - range + 1);
      long start = System.nanoTime();
      if (i % 2 == 0) {
        oram.write(block, ByteBuffer.allocate(range * oram.config().blockBytes()));
      } else {
        oram.read(block, range);
      }
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    out.printf(
        Locale.ROOT,
        "%d accesses of %d blocks: median %.0f us, max %.0f us%n",
        accesses,
        range,
        nanos[accesses / 2] / NANOS_PER_MICRO,
        nanos[accesses - 1] / NANOS_PER_MICRO);
  }

  private void reportPauses() {
    long[] micros = new long[accesses];
    int checkpoints = 0;
    long bytes = 0;
    Matcher lines = PAUSE.matcher(log.toString(StandardCharsets.UTF_8));
    while (lines.find()) {
      bytes = Math.max(bytes, Long.parseLong(lines.group(1)));
      micros[checkpoints++] = Long.parseLong(lines.group(2));
    }
    Arrays.sort(micros, 0, checkpoints);
    out.printf(
        Locale.ROOT,
        "%d checkpoints of up to %d bytes; longest wait of an access: median %d us, max %d us%n",
        checkpoints,
        bytes,
        checkpoints == 0 ? 0 : micros[checkpoints / 2],
        checkpoints == 0 ? 0 : micros[checkpoints - 1]);
  }
}
