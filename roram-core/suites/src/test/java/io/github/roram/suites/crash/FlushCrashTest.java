package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.Scheme;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The mode {@code flush}, cut at its n-th change of a file, for every n, and cut again while it
 * recovers: the store comes back as it was after one of the writes, that of the last flush or a
 * later one. So nothing that was flushed is lost, and what is lost is the last of what came after.
 * The death of the process alone loses nothing that was acknowledged. Blocks are trimmed in half of
 * the runs: to be there from the next access or flush on.
 *
 * <p>The normal run takes one point in {@value #STRIDE} with one loss, {@code .ci/run} with each;
 * all of them as in {@link CrashPointsTest}. That no label is shown for a second reason is in
 * {@link PowerFailureTest}.
 */
final class FlushCrashTest {

  private static final int STRIDE = 797;
  private static final int ACCESSES = 40;
  private static final int BLOCK_BYTES = 512;

  static Stream<Arguments> cases() {
    return CrashPointsTest.onOneFile();
  }

  static Stream<Arguments> casesInTurn() {
    return CrashPointsTest.onOneFileInTurn();
  }

  @ParameterizedTest
  @MethodSource("casesInTurn")
  void aPoint(OramConfig config, Loss loss) throws IOException {
    cutEverywhere(config, loss, STRIDE, 0);
  }

  @Tag("gate")
  @ParameterizedTest
  @MethodSource("cases")
  void somePoints(OramConfig config, Loss loss) throws IOException {
    cutEverywhere(config, loss, STRIDE, 1);
  }

  @Tag("crash")
  @ParameterizedTest
  @MethodSource("cases")
  void allPoints(OramConfig config, Loss loss) throws IOException {
    for (int seed = 2; seed < 2 + CrashPointsTest.SEEDS; seed++) {
      int lost = cutEverywhere(config, loss, 1, seed);
      assertThat(lost > 0)
          .as("%d acknowledged writes were lost that were not flushed", lost)
          .isEqualTo(loss != Loss.NONE);
    }
  }

  static Stream<OramConfig> configurations() {
    return CrashPointsTest.configurations();
  }

  /** The system goes on to show what a failed sync was for, and may never write it. */
  @ParameterizedTest
  @MethodSource("configurations")
  void whatAFailedSyncLeftIsNotTakenForDurable(OramConfig config) throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      for (int change = 1; change <= 6; change++) {
        new User(config, Loss.ALL, key, change).failsToFlushAt(change);
      }
    }
  }

  /** A client dies, the next one makes no access and closes, and the power fails. */
  @ParameterizedTest
  @MethodSource("configurations")
  void closingMakesDurableWhatAnEarlierProcessLeft(OramConfig config) throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      new User(config, Loss.ALL, key, 1).closesAfterADeath();
    }
  }

  /** Returns how many acknowledged writes were lost. */
  private static int cutEverywhere(OramConfig config, Loss loss, int stride, int seed)
      throws IOException {
    int[] lost = {0};
    try (MasterKey key = MasterKey.generate()) {
      CutPoints.of(stride, seed, config, loss)
          .allOrOne(
              point -> {
                User user = new User(config, loss, key, 31L * point + seed);
                boolean cut = user.cutAt(point);
                lost[0] += user.lost;
                return cut;
              });
    }
    return lost[0];
  }

  /** Writes and flushes, and knows what may be lost. */
  private static final class User {
    private final OramConfig config;
    private final Loss loss;
    private final MasterKey key;
    private final OpenOptions options;
    private final Random random;
    private SimulatedDisk disk = new SimulatedDisk();

    /** What the store held after each write since it was opened, a write cut short included. */
    private List<byte[]> moments = new ArrayList<>();

    /** Number of the last moment that was acknowledged, and of the last that was flushed. */
    private int acknowledged;

    private int flushed;
    private int lost;

    User(OramConfig config, Loss loss, MasterKey key, long seed) {
      this.config = config;
      this.loss = loss;
      this.key = key;
      random = new Random(seed);
      moments.add(new byte[(int) config.bytes()]);
      options =
          OpenOptions.defaults()
              .withDurability(Durability.FLUSH)
              .withTrims(random.nextBoolean() && config.has(Scheme.Trait.TRIMS))
              .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);
    }

    void closesAfterADeath() throws IOException {
      DiskStore store = new DiskStore(disk, Orams.storeBytes(config));
      Oram oram = Orams.create(store, new DiskVault(disk), config, key, options);
      oram.write(3, ByteBuffer.allocate(BLOCK_BYTES).put(0, (byte) 1));
      disk = disk.afterProcessDied();
      open().close();
      disk.crashNow(Loss.ALL, 1);
      disk = disk.restarted();
      try (Oram last = open()) {
        assertThat(last.read(3, 1).get(0)).isEqualTo((byte) 1);
      }
    }

    private Oram open() throws IOException {
      DiskStore store = new DiskStore(disk, Orams.storeBytes(config));
      return Orams.open(store, new DiskVault(disk), key, options);
    }

    /** Whether the disk had so many changes. */
    boolean cutAt(int point) throws IOException {
      DiskStore store = new DiskStore(disk, Orams.storeBytes(config));
      ProcessStore process = new ProcessStore(store, disk);
      Oram oram = Orams.create(process, new DiskVault(disk), config, key, options);
      disk.crashAt(disk.changes() + point, loss, random.nextLong());
      use(oram, ACCESSES);
      boolean cut = disk.crashed();
      for (int again = random.nextInt(4); again > 0; again--) {
        crash();
        disk.crashAt(1 + random.nextInt(30), loss, random.nextLong());
        useAgain(3);
      }
      crash();
      useAgain(6).close();
      return cut;
    }

    /** A change of a flush fails, and the process dies of it; its successor flushes. */
    void failsToFlushAt(int change) throws IOException {
      DiskStore store = new DiskStore(disk, Orams.storeBytes(config));
      Oram failing = Orams.create(store, new DiskVault(disk), config, key, options);
      use(failing, 12);
      write(failing);
      disk.fail(disk.changes() + change, disk.changes() + change + 1, random.nextLong());
      try {
        failing.flush();
        flushed = moments.size() - 1;
      } catch (IOException e) {
        // What was not flushed may be there or not.
      }
      disk = disk.afterProcessDied();
      useAgain(2).flush();
      flushed = moments.size() - 1;
      acknowledged = flushed;
      crash();
      useAgain(6).close();
    }

    private void crash() {
      if (!disk.crashed()) {
        disk.crashNow(loss, random.nextLong());
      }
      disk = disk.restarted();
    }

    /** Opens it, finds one of the moments, and goes on from that, unless the disk stops before. */
    private Oram useAgain(int accesses) throws IOException {
      ProcessStore process = new ProcessStore(new DiskStore(disk, 0), disk);
      Oram oram = Orams.open(process, new DiskVault(disk), key, options);
      try {
        if (random.nextBoolean()) {
          oram.flush();
        }
        find(readAll(oram));
      } catch (IOException | OramException e) {
        if (!disk.crashed()) {
          throw e;
        }
        return oram;
      }
      use(oram, accesses);
      return oram;
    }

    private byte[] readAll(Oram oram) throws IOException {
      byte[] all = new byte[(int) config.bytes()];
      int most = config.maxRangeBlocks();
      for (int block = 0; block < config.blocks(); block += most) {
        int count = (int) Math.min(most, config.blocks() - block);
        oram.read(block, count).get(all, block * BLOCK_BYTES, count * BLOCK_BYTES);
      }
      return all;
    }

    private void find(byte[] found) {
      int moment = moments.size() - 1;
      while (moment >= 0 && !Arrays.equals(moments.get(moment), found)) {
        moment--;
      }
      assertThat(moment)
          .as("moment that is there; %d was flushed, %d acknowledged", flushed, acknowledged)
          .isGreaterThanOrEqualTo(loss == Loss.NONE ? acknowledged : flushed);
      lost += Math.max(0, acknowledged - moment);
      // An access began it anew with a checkpoint, so this is durable.
      moments = new ArrayList<>(List.of(found));
      acknowledged = 0;
      flushed = 0;
    }

    /** Accesses and flushes until the disk stops, or all are done. */
    private void use(Oram oram, int accesses) throws IOException {
      try {
        for (int i = 0; i < accesses; i++) {
          switch (random.nextInt(8)) {
            case 0 -> {
              oram.flush();
              flushed = moments.size() - 1;
              acknowledged = flushed;
            }
            case 2 -> trim(oram);
            case 1 -> read(oram);
            default -> write(oram);
          }
        }
      } catch (IOException | OramException e) {
        if (!disk.crashed()) {
          throw e;
        }
      }
    }

    private void read(Oram oram) throws IOException {
      int block = random.nextInt((int) config.blocks());
      byte[] newest = moments.get(moments.size() - 1);
      assertThat(oram.read(block, 1))
          .isEqualTo(ByteBuffer.wrap(newest, block * BLOCK_BYTES, BLOCK_BYTES));
    }

    /** Recorded, and so acknowledged, by what comes next. */
    private void trim(Oram oram) throws IOException {
      int count = 1 + random.nextInt((int) config.blocks() / 4);
      int block = random.nextInt((int) config.blocks() - count + 1);
      if (options.trims() && oram.trim(block, count)) {
        byte[] next = moments.get(moments.size() - 1).clone();
        Arrays.fill(next, block * BLOCK_BYTES, (block + count) * BLOCK_BYTES, (byte) 0);
        moments.add(next);
      }
    }

    private void write(Oram oram) throws IOException {
      // To Path ORAM a range is many accesses.
      int most = config.has(Scheme.Trait.WHOLE_RANGES) ? config.maxRangeBlocks() : 1;
      byte[] content = new byte[(1 + random.nextInt(most)) * BLOCK_BYTES];
      random.nextBytes(content);
      int block = random.nextInt((int) config.blocks() - content.length / BLOCK_BYTES + 1);
      byte[] next = moments.get(moments.size() - 1).clone();
      System.arraycopy(content, 0, next, block * BLOCK_BYTES, content.length);
      moments.add(next);
      oram.write(block, ByteBuffer.wrap(content));
      acknowledged = moments.size() - 1;
    }
  }
}
