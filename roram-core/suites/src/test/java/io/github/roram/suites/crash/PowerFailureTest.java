package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.Preset;
import io.github.roram.Scheme;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.IoPhase;
import io.github.roram.testkit.ArrayChannel;
import io.github.roram.testkit.DiskStore;
import io.github.roram.testkit.DiskVault;
import io.github.roram.testkit.RecordingStore;
import io.github.roram.testkit.RecordingStore.Extent;
import io.github.roram.testkit.RecordingStore.Request;
import io.github.roram.testkit.SimulatedDisk;
import io.github.roram.testkit.SimulatedDisk.Loss;
import io.github.roram.testkit.TestOrams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the modes of durability say of a power failure ({@code docs/durability.md}): with {@code
 * sync} and {@code flush} no label is ever shown for a second reason; with {@code os} some are,
 * since intents may be lost, and the store comes back as it was at some earlier moment, or with an
 * error.
 */
final class PowerFailureTest {

  private static final int BLOCK_BYTES = 512;
  private static final int LIVES = 30;
  private static final int FAILURES = 12;
  private static final int MOST_FAILURES = 200;
  private static final int HOT_BLOCKS = 5;

  private SimulatedDisk disk = new SimulatedDisk();
  private int labelsDrawn;

  /** How often the first read of a life repeated the one that the failure interrupted. */
  private int repetitions;

  /** How often any other read showed a label that was shown before. */
  private int secondReasons;

  /** As many labels as a tree has, each once: what is shown twice is no coincidence. */
  private final LabelSource labels =
      leaves -> {
        assertThat(labelsDrawn).isLessThan(leaves);
        return labelsDrawn++;
      };

  @Test
  void withSyncNoLabelIsShownForASecondReason() throws IOException {
    countLabelsShownTwice(Durability.SYNC);
    assertThat(secondReasons).isZero();
    assertThat(repetitions).as("reads that were interrupted").isPositive();
  }

  /** Accesses are lost, but never the intent of one that the store has seen. */
  @Test
  void withFlushNoLabelIsShownForASecondReason() throws IOException {
    countLabelsShownTwice(Durability.FLUSH);
    assertThat(secondReasons).isZero();
    assertThat(repetitions).as("reads that were interrupted or lost").isPositive();
  }

  /** If this fails because there are none: see what the documents say of the mode. */
  @Test
  void withOsSomeLabelsAreShownForASecondReason() throws IOException {
    countLabelsShownTwice(Durability.OS);
    assertThat(secondReasons).isPositive();
  }

  /** Nothing is evicted, so that a label is always in the same places. */
  private void countLabelsShownTwice(Durability durability) throws IOException {
    OramConfig config =
        OramConfig.builder(1024)
            .preset(Preset.PAPER)
            .maxRangeBlocks(1)
            .blockBytes(BLOCK_BYTES)
            .windowBlocks(1 << 16)
            .treetopBytes(0)
            .build();
    OpenOptions options = OpenOptions.defaults().withDurability(durability);
    Random random = new Random(1);
    try (MasterKey key = MasterKey.generate()) {
      DiskStore store = new DiskStore(disk, Orams.storeBytes(config));
      Oram oram = TestOrams.create(store, new DiskVault(disk), config, key, options, labels);
      byte[] content = new byte[(int) config.bytes()];
      oram.bulkLoad(new ArrayChannel(content), content.length, bytes -> {});
      for (int block = 0; block < HOT_BLOCKS; block++) {
        oram.read(block, 1);
      }
      oram.close();
      Set<List<Extent>> shown = new HashSet<>();
      for (int life = 0; life < LIVES; life++) {
        RecordingStore view = new RecordingStore(new DiskStore(disk, 0));
        ProcessStore process = new ProcessStore(view, disk);
        oram = TestOrams.open(process, new DiskVault(disk), config, key, options, labels);
        boolean repeats = oram.recovery().pendingRead();
        disk.crashAt(disk.changes() + 1 + random.nextInt(30), Loss.ALL, life);
        accessUntilPowerFails(oram, random);
        count(view, repeats, shown);
        disk = disk.restarted();
      }
    }
  }

  private void accessUntilPowerFails(Oram oram, Random random) throws IOException {
    try {
      while (!disk.crashed()) {
        oram.read(random.nextInt(HOT_BLOCKS), 1);
      }
    } catch (IOException | OramException e) {
      if (!disk.crashed()) {
        throw e;
      }
    }
  }

  private void count(RecordingStore view, boolean repeats, Set<List<Extent>> shown) {
    boolean first = repeats;
    for (Request request : view.requests()) {
      if (request.phase() == IoPhase.READ) {
        boolean again = !shown.add(request.extents());
        repetitions += again && first ? 1 : 0;
        secondReasons += again && !first ? 1 : 0;
        first = false;
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.github.roram.suites.crash.CrashPointsTest#configurations")
  void withOsTheStoreComesBackAsItWasOrNotAtAll(OramConfig config) throws IOException {
    int recovered = 0;
    int refused = 0;
    // More where by chance one of the two has not been met yet.
    for (int seed = 1; seed <= MOST_FAILURES; seed++) {
      if (seed > FAILURES && recovered > 0 && refused > 0) {
        break;
      }
      Loss loss = List.of(Loss.ALL, Loss.PREFIX, Loss.ANY).get(seed % 3);
      if (comesBack(config, loss, new Random(seed))) {
        recovered++;
      } else {
        refused++;
      }
    }
    assertThat(recovered).isPositive();
    assertThat(refused).isPositive();
  }

  /** Whether it comes back after a power failure; then as it was at one moment. */
  private static boolean comesBack(OramConfig config, Loss loss, Random random) throws IOException {
    OpenOptions options =
        OpenOptions.defaults()
            .withDurability(Durability.OS)
            .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);
    SimulatedDisk disk = new SimulatedDisk();
    try (MasterKey key = MasterKey.generate()) {
      DiskStore store = new DiskStore(disk, Orams.storeBytes(config));
      Oram oram =
          Orams.create(new ProcessStore(store, disk), new DiskVault(disk), config, key, options);
      disk.crashAt(disk.changes() + 1 + random.nextInt(300), loss, random.nextLong());
      List<byte[]> moments = writeUntilPowerFails(oram, disk, random);
      SimulatedDisk restarted = disk.restarted();
      byte[] found;
      try {
        Oram again =
            Orams.open(new DiskStore(restarted, 0), new DiskVault(restarted), key, options);
        found = readAll(again);
      } catch (OramException e) {
        return false;
      }
      assertThat(moments.stream().anyMatch(moment -> Arrays.equals(moment, found)))
          .as("what is there was there at one moment")
          .isTrue();
      return true;
    }
  }

  /** What the store held after each write, the one that was cut short included. */
  private static List<byte[]> writeUntilPowerFails(Oram oram, SimulatedDisk disk, Random random)
      throws IOException {
    OramConfig config = oram.config();
    // To Path ORAM a range is many accesses.
    int most = config.has(Scheme.Trait.WHOLE_RANGES) ? config.maxRangeBlocks() : 1;
    byte[] model = new byte[(int) config.bytes()];
    List<byte[]> moments = new ArrayList<>(List.of(model));
    while (!disk.crashed()) {
      byte[] content = new byte[(1 + random.nextInt(most)) * BLOCK_BYTES];
      random.nextBytes(content);
      int block = random.nextInt((int) config.blocks() - content.length / BLOCK_BYTES + 1);
      model = model.clone();
      System.arraycopy(content, 0, model, block * BLOCK_BYTES, content.length);
      moments.add(model);
      try {
        oram.write(block, ByteBuffer.wrap(content));
      } catch (IOException | OramException e) {
        if (!disk.crashed()) {
          throw e;
        }
      }
    }
    return moments;
  }

  private static byte[] readAll(Oram oram) throws IOException {
    byte[] all = new byte[(int) oram.config().bytes()];
    for (int block = 0; block < oram.config().blocks(); block++) {
      oram.read(block, 1).get(all, block * BLOCK_BYTES, BLOCK_BYTES);
    }
    return all;
  }
}
