package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.suites.NonceWatch;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A change of keys is cut at its n-th change of a file, for every n, and so is what goes on with
 * it; then it goes through. The store has the new key and all of its contents, verifies, and no key
 * and nonce ever sealed two contents. Half of the stores were not closed before.
 *
 * <p>The normal run takes one point in {@value #STRIDE} with one loss, on one of two media in turn;
 * {@code .ci/run} with two on each; tag {@code crash} takes all.
 */
final class RekeyCrashTest {

  private static final int STRIDE = 400;
  private static final int ACCESSES = 40;

  static Stream<Arguments> cases() {
    return CrashPointsTest.cases();
  }

  static Stream<Arguments> someCases() {
    return CrashPointsTest.withTwoLosses(cases());
  }

  static Stream<Arguments> casesInTurn() {
    return CrashPointsTest.inTurn(CrashPointsTest.casesInTurn(), 2);
  }

  @ParameterizedTest
  @MethodSource("casesInTurn")
  void aPoint(OramConfig config, Media media, Loss loss) throws IOException {
    somePoints(config, media, loss);
  }

  @SuppressWarnings("EnumOrdinal") // in turn
  @Tag("gate")
  @ParameterizedTest
  @MethodSource("someCases")
  void somePoints(OramConfig config, Media media, Loss loss) throws IOException {
    // With some losses closed before, with the others not.
    int seed = (int) (config.blocks() / 10 + loss.ordinal()) % 2;
    cutEverywhere(config, media, loss, STRIDE, seed);
  }

  @Tag("crash")
  @ParameterizedTest
  @MethodSource("cases")
  void allPoints(OramConfig config, Media media, Loss loss) throws IOException {
    for (int seed = 2; seed < 3 + CrashPointsTest.SEEDS; seed++) {
      cutEverywhere(config, media, loss, 1, seed);
    }
  }

  private static void cutEverywhere(OramConfig config, Media media, Loss loss, int stride, int seed)
      throws IOException {
    try (Subject subject = new Subject(config, media, loss, seed)) {
      int cuts = CutPoints.of(stride, seed, config, loss).allOrOne(subject::cutAt);
      assertThat(cuts).as("points at which it was cut").isPositive();
    }
  }

  /** A store with the old key, from which each cut starts. */
  private static final class Subject implements AutoCloseable {
    private final MasterKey oldKey = MasterKey.generate();
    private final MasterKey newKey = MasterKey.generate();
    private final OramConfig config;
    private final OpenOptions options;
    private final Media media;
    private final Loss loss;
    private final int seed;
    private final byte[] model;
    private final SimulatedDisk start = new SimulatedDisk();
    private final NonceWatch before;

    Subject(OramConfig config, Media media, Loss loss, int seed) throws IOException {
      this.config = config;
      this.media = media;
      this.loss = loss;
      this.seed = seed;
      options = media.options(loss);
      model = new byte[Math.toIntExact(config.bytes())];
      before = new NonceWatch(media.open(start, Orams.storeBytes(config)));
      Oram oram = Orams.create(before, media.vault(start), config, oldKey, options);
      Random random = new Random(seed);
      for (int i = 0; i < ACCESSES; i++) {
        write(oram, random);
      }
      if (seed % 2 == 1) {
        oram.close();
      }
      start.crashNow(Loss.NONE, seed);
    }

    private void write(Oram oram, Random random) throws IOException {
      int count = 1 + random.nextInt(config.maxRangeBlocks());
      int block = random.nextInt((int) config.blocks() - count + 1);
      byte[] content = new byte[count * config.blockBytes()];
      random.nextBytes(content);
      oram.write(block, ByteBuffer.wrap(content));
      System.arraycopy(content, 0, model, block * config.blockBytes(), content.length);
    }

    /** Whether the change had so many points. */
    boolean cutAt(int point) throws IOException {
      Random random = new Random(31L * point + seed);
      SimulatedDisk disk = start.restarted();
      disk.crashAt(point, loss, random.nextLong());
      NonceWatch watch = before.goingOn(store(disk));
      boolean cut = isCut(disk, watch);
      for (int again = random.nextInt(4); cut && again > 0; again--) {
        disk = disk.restarted();
        disk.crashAt(1 + random.nextInt(20), loss, random.nextLong());
        watch = watch.goingOn(store(disk));
        if (!isCut(disk, watch)) {
          disk.crashNow(loss, random.nextLong());
          break;
        }
      }
      if (!cut) {
        disk.crashAt(Long.MAX_VALUE, loss, 0);
      } else {
        disk = disk.restarted();
        watch = watch.goingOn(store(disk));
        if (!isDone(disk, watch)) {
          rekey(disk, watch);
        }
      }
      check(disk, watch);
      return cut;
    }

    private BlockStore store(SimulatedDisk disk) throws IOException {
      return media.open(disk, 0);
    }

    private void rekey(SimulatedDisk disk, NonceWatch watch) throws IOException {
      Orams.rekey(watch, media.vault(disk), oldKey, newKey, options, bytes -> {});
    }

    private boolean isCut(SimulatedDisk disk, NonceWatch watch) throws IOException {
      try {
        if (!isDone(disk, watch)) {
          rekey(disk, watch);
        }
        return disk.crashed();
      } catch (IOException | OramException e) {
        if (!disk.crashed()) {
          throw e;
        }
        return true;
      }
    }

    /** As the command finds out: opening changes nothing. */
    private boolean isDone(SimulatedDisk disk, NonceWatch watch) throws IOException {
      try {
        Orams.open(watch, media.vault(disk), newKey, options).close();
        return true;
      } catch (OramException e) {
        return false;
      }
    }

    private void check(SimulatedDisk disk, NonceWatch watch) throws IOException {
      ClientVault vault = media.vault(disk);
      for (int opening = 0; opening < 2; opening++) {
        try (Oram oram = Orams.open(watch, vault, newKey, options)) {
          assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
          int step = config.maxRangeBlocks();
          for (int block = 0; block + step <= config.blocks(); block += step) {
            int bytes = step * config.blockBytes();
            assertThat(oram.read(block, step))
                .isEqualTo(ByteBuffer.wrap(model, block * config.blockBytes(), bytes));
          }
        }
      }
    }

    @Override
    public void close() {
      oldKey.close();
      newKey.close();
    }
  }
}
