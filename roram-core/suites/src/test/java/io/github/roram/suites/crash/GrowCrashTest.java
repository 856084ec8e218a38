package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.state.GrowthRecord;
import io.github.roram.state.Superblock;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.suites.NonceWatch;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Growing is cut at its n-th change of a file, for every n, and so are the next openings, which
 * finish it. The store is as large as it was, or as it was to be; all that was acknowledged is
 * there, it verifies, and it can grow. No key and nonce ever sealed two contents.
 *
 * <p>The normal run takes one point in {@value #STRIDE}; tag {@code crash} takes all, about an
 * hour: {@code -Droram.crash.parts=n -Droram.crash.part=i} takes every n-th case, from the i-th on.
 */
final class GrowCrashTest {

  private static final int STRIDE = 61;
  private static final int ACCESSES = 20;
  private static final int GROWTHS = 3;
  private static final int PARTS = Integer.getInteger("roram.crash.parts", 1);
  private static final int PART = Integer.getInteger("roram.crash.part", 0);

  static Stream<Arguments> cases() {
    return Stream.concat(
        CrashPointsTest.configurations()
            .filter(GrowCrashTest::canGrow)
            .flatMap(config -> CrashPointsTest.cases(config, Media.ONE)),
        CrashPointsTest.inUnits()
            .filter(GrowCrashTest::canGrow)
            .flatMap(config -> CrashPointsTest.cases(config, Media.OBJECTS_ALONE)));
  }

  private static boolean canGrow(OramConfig config) {
    return config.scheme().equals("roram") || config.scheme().equals("path-batched");
  }

  static Stream<Arguments> someCases() {
    return everyNth(3, 0);
  }

  static Stream<Arguments> allCases() {
    return everyNth(PARTS, PART);
  }

  private static Stream<Arguments> everyNth(int n, int first) {
    List<Arguments> all = cases().toList();
    return IntStream.range(0, all.size()).filter(i -> i % n == first).mapToObj(all::get);
  }

  @ParameterizedTest
  @MethodSource("someCases")
  void somePoints(OramConfig config, Media media, Loss loss) throws IOException {
    cutEverywhere(config, media, loss, STRIDE, 0);
  }

  @Tag("crash")
  @ParameterizedTest
  @MethodSource("allCases")
  void allPoints(OramConfig config, Media media, Loss loss) throws IOException {
    for (int seed = 1; seed < 2 + CrashPointsTest.SEEDS; seed++) {
      cutEverywhere(config, media, loss, 1, seed);
    }
  }

  @Test
  void theSuperblockThatADeadProcessLeftInMemoryIsDurableOnceItIsFinished() throws IOException {
    OramConfig config = OramConfig.builder(60).blockBytes(512).maxRangeBlocks(4).build();
    long bytes = Orams.storeBytes(config);
    SimulatedDisk disk = new SimulatedDisk();
    try (MasterKey key = MasterKey.generate()) {
      DiskStore store = new DiskStore(disk, bytes);
      DiskVault vault = new DiskVault(disk);
      Orams.create(store, vault, config, key).close();
      byte[] grown = Superblock.read(store);
      Superblock.write(store, new byte[grown.length]);
      BlockStore dying =
          new FilterBlockStore(store) {
            @Override
            public void sync() throws IOException {
              throw new IOException("killed");
            }
          };
      assertThatThrownBy(() -> GrowthRecord.replace(dying, vault, grown)).hasMessage("killed");
      SimulatedDisk next = disk.afterProcessDied();
      GrowthRecord.finish(new DiskStore(next, bytes), new DiskVault(next), key);
      next.crashNow(Loss.ALL, 1);
      assertThat(Superblock.read(new DiskStore(next.restarted(), bytes))).isEqualTo(grown);
    }
  }

  private static void cutEverywhere(OramConfig config, Media media, Loss loss, int stride, int seed)
      throws IOException {
    try (Subject subject = new Subject(config, media, loss, seed)) {
      int cuts = CutPoints.of(stride, seed, config, loss).each(subject::cutAt);
      assertThat(cuts).as("points at which it was cut").isPositive();
    }
  }

  /** A store that grew before, from which each cut starts. */
  private static final class Subject implements AutoCloseable {
    private final MasterKey key = MasterKey.generate();
    private final OpenOptions options;
    private final Media media;
    private final Loss loss;
    private final int seed;
    private final SimulatedDisk start = new SimulatedDisk();
    private final NonceWatch before;
    private byte[] model;
    private final long larger;

    Subject(OramConfig config, Media media, Loss loss, int seed) throws IOException {
      this.media = media;
      this.loss = loss;
      this.seed = seed;
      options = media.options(loss);
      model = new byte[Math.toIntExact(config.bytes())];
      // The disk has room for what it grows to.
      long bytes = Orams.storeBytes(config) << (2 * GROWTHS);
      before = new NonceWatch(media.open(start, bytes));
      Random random = new Random(seed);
      Oram oram = Orams.create(before, media.vault(start), config, key, options);
      write(oram, random);
      for (int growth = 0; growth < seed % GROWTHS; growth++) {
        oram.grow(oram.config().blocks() * 2);
        model = Arrays.copyOf(model, (int) oram.config().bytes());
        write(oram, random);
      }
      larger = oram.config().blocks() * 3 / 2;
      start.crashNow(Loss.NONE, seed);
    }

    private void write(Oram oram, Random random) throws IOException {
      OramConfig config = oram.config();
      for (int i = 0; i < ACCESSES; i++) {
        int count = 1 + random.nextInt(config.maxRangeBlocks());
        int block = random.nextInt((int) config.blocks() - count + 1);
        byte[] content = new byte[count * config.blockBytes()];
        random.nextBytes(content);
        oram.write(block, ByteBuffer.wrap(content));
        System.arraycopy(content, 0, model, block * config.blockBytes(), content.length);
      }
    }

    /** Whether growing had so many points. */
    boolean cutAt(int point) throws IOException {
      Random random = new Random(31L * point + seed);
      SimulatedDisk disk = start.restarted();
      disk.crashAt(point, loss, random.nextLong());
      NonceWatch watch = before.goingOn(store(disk));
      boolean cut = isCut(disk, watch);
      for (int again = random.nextInt(3); cut && again > 0; again--) {
        disk = disk.restarted();
        disk.crashAt(1 + random.nextInt(20), loss, random.nextLong());
        watch = watch.goingOn(store(disk));
        if (!isCut(disk, watch)) {
          disk.crashNow(loss, random.nextLong());
          break;
        }
      }
      if (cut) {
        disk = disk.restarted();
        watch = watch.goingOn(store(disk));
        grow(disk, watch);
      } else {
        disk.crashAt(Long.MAX_VALUE, loss, 0);
      }
      check(disk, watch);
      return cut;
    }

    private BlockStore store(SimulatedDisk disk) throws IOException {
      return media.open(disk, 0);
    }

    /** Grows if it has not, and does a few accesses. */
    private void grow(SimulatedDisk disk, NonceWatch watch) throws IOException {
      Oram oram = Orams.open(watch, media.vault(disk), key, options);
      if (oram.config().blocks() < larger) {
        oram.grow(larger);
      }
      oram.read(0, 1);
      oram.close();
    }

    private boolean isCut(SimulatedDisk disk, NonceWatch watch) throws IOException {
      try {
        grow(disk, watch);
        return disk.crashed();
      } catch (IOException | OramException e) {
        if (!disk.crashed()) {
          throw e;
        }
        return true;
      }
    }

    private void check(SimulatedDisk disk, NonceWatch watch) throws IOException {
      ClientVault vault = media.vault(disk);
      for (int opening = 0; opening < 2; opening++) {
        try (Oram oram = Orams.open(watch, vault, key, options)) {
          OramConfig config = oram.config();
          assertThat(config.blocks()).isEqualTo(larger);
          assertThat(oram.verify((done, total) -> {}).findings()).isEmpty();
          byte[] expected = Arrays.copyOf(model, (int) config.bytes());
          for (int block = 0; block < larger; block++) {
            int bytes = config.blockBytes();
            assertThat(oram.read(block, 1))
                .isEqualTo(ByteBuffer.wrap(expected, block * bytes, bytes));
          }
        }
      }
    }

    @Override
    public void close() {
      key.close();
    }
  }
}
