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
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;

/** Measures what each durability costs on the disk of a directory; prints a line for each. */
final class DurabilityCost {

  private static final int BLOCKS = 1 << 14;
  private static final int LEAST_ACCESSES = 120;

  /** Short ranges owe evictions only every few accesses, which must not be missed. */
  private static final int LEAST_BLOCKS = 1 << 13;

  private static final double NANOS_PER_SECOND = 1e9;

  private DurabilityCost() {}

  /**
   * Runs the measurement.
   *
   * @param arguments directory, and the length of the ranges in blocks
   */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    int range = Integer.parseInt(arguments[1]);
    for (int round = 0; round < 2; round++) {
      for (Durability durability : Durability.values()) {
        double perSecond = measure(directory, durability, range);
        System.out.printf("%s, ranges of %d: %.1f accesses/s%n", durability, range, perSecond);
      }
    }
  }

  private static double measure(Path directory, Durability durability, int range)
      throws IOException {
    OramConfig config = OramConfig.builder(BLOCKS).build();
    String uri = "file:" + directory.resolve("durability-cost");
    OpenOptions options = OpenOptions.defaults().withDurability(durability);
    try (MasterKey key = MasterKey.generate();
        OpenedStore opened = Stores.create(uri, Orams.storeBytes(config), StoreOptions.defaults());
        Oram oram = Orams.create(opened.store(), opened.vault(), config, key, options)) {
      int accesses = Math.max(LEAST_ACCESSES, LEAST_BLOCKS / range);
      access(oram, range, accesses / 3);
      long start = System.nanoTime();
      access(oram, range, accesses);
      return accesses * NANOS_PER_SECOND / (System.nanoTime() - start);
    } finally {
      Stores.delete(uri);
    }
  }

  /** Half of them writes. */
  private static void access(Oram oram, int range, int count) throws IOException {
    Random random = new Random(count);
    for (int i = 0; i < count; i++) {
      int block = random.nextInt(BLOCKS - range + 1);
      if (i % 2 == 0) {
        oram.write(block, ByteBuffer.allocate(range * oram.config().blockBytes()));
      } else {
        oram.read(block, range);
      }
    }
  }
}
