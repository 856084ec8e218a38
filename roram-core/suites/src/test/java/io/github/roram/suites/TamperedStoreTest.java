package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.suites.StoreMap.Level;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A store that returns anything but what was last written is found out, with a message that says
 * where and what; no answer is ever wrong; and once the store is as it was, all is well again.
 */
final class TamperedStoreTest {

  /** Fields take turns. */
  private static final int BYTES_A_LEVEL = 4;

  private static final int AROUND = 20;
  private static final int FLIPS = 12;
  private static final int MOST_FLIPS = 25;

  static Stream<OramConfig> configurations() {
    return Stream.of(
        OramConfig.builder(150).scheme("path").blockBytes(512).maxRangeBlocks(4).build(),
        OramConfig.builder(1100)
            .scheme("path")
            .recursivePositionMap(true)
            .treetopBytes(140_000)
            .blockBytes(512)
            .maxRangeBlocks(4)
            .build(),
        OramConfig.builder(150)
            .scheme("path-batched")
            .preset(Preset.PROVEN)
            .blockBytes(512)
            .maxRangeBlocks(4)
            .chunkPaths(5)
            .build(),
        OramConfig.builder(150)
            .scheme("roram")
            .blockBytes(512)
            .maxRangeBlocks(4)
            .sizeClasses(0, 2)
            .chunkPaths(7)
            .windowBlocks(0)
            .treetopBytes(20_000)
            .build(),
        OramConfig.builder(150)
            .scheme("roram")
            .blockBytes(512)
            .maxRangeBlocks(4)
            .trees(0, 2)
            .chunkPaths(4)
            .windowBlocks(3)
            .positionMap("recursive")
            .set("blocksPerMapBlock", 4)
            .set("clientLabels", 16)
            .build());
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aFlippedBitAnywhereInABucket(OramConfig config) throws IOException {
    try (TamperedStore tampered = new TamperedStore(config)) {
      int turn = 0;
      for (Level level : tampered.map().levels()) {
        int[] bytes = bytesOfEachField(level.bucketBytes());
        for (int i = 0; i < BYTES_A_LEVEL; i++) {
          int byteInBucket = bytes[turn++ % bytes.length];
          int bit = tampered.random().nextInt(8);
          tampered.tamperLevel(
              level,
              bucket -> {
                bucket[byteInBucket] ^= (byte) (1 << bit);
                return bucket;
              });
          tampered.assertDetected(place(level));
        }
      }
    }
  }

  /** Format, level, tree, epoch and number of the eviction; ciphertext; tag. */
  private static int[] bytesOfEachField(int bucketBytes) {
    return new int[] {0, 1, 3, 7, 15, 16, bucketBytes / 2, bucketBytes - 17, bucketBytes - 1};
  }

  private static String place(Level level) {
    return "bucket at tree " + level.tree() + ", level " + level.level();
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aScanEndsAtTheFirstBucketThatIsNotAsWritten(OramConfig config) throws IOException {
    try (TamperedStore tampered = new TamperedStore(config)) {
      List<Integer> scanned = new ArrayList<>();
      for (Level level : tampered.map().levels()) {
        tampered.tamperLevel(
            level,
            bucket -> {
              bucket[bucket.length / 2] ^= 1;
              return bucket;
            });
        try {
          tampered.oram().checkScan();
        } catch (IntegrityException e) {
          assertThat(e).hasMessageContaining(place(level));
          scanned.add(level.tree());
        }
        tampered.undo();
      }
      // All levels of one tree, and no others: a scan of another tree has the same blocks.
      int tree = scanned.get(0);
      assertThat(scanned)
          .containsOnly(tree)
          .hasSize((int) tampered.map().levels().stream().filter(l -> l.tree() == tree).count());
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void oneFlippedBitNeverMakesAWrongAnswer(OramConfig config) throws IOException {
    try (TamperedStore tampered = new TamperedStore(config)) {
      int bytes = tampered.snapshot().length;
      int detected = 0;
      for (int i = 0; i < FLIPS || (detected == 0 && i < MOST_FLIPS); i++) {
        long offset = 4096L + tampered.random().nextInt(bytes - 4096);
        // Some bytes around it as well, which tell whether the ORAM has written the bucket since.
        long from = Math.max(4096, offset - AROUND);
        long to = Math.min(bytes, offset + AROUND);
        byte[] flipped = tampered.store().snapshot(from, (int) (to - from));
        flipped[(int) (offset - from)] ^= (byte) (1 << tampered.random().nextInt(8));
        tampered.tamper(from, flipped);
        if (tampered.useUntilDetected() != null) {
          detected++;
        }
        tampered.undo();
      }
      // Those in places of old versions, or written over before they were read, do no harm.
      assertThat(detected).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aBucketMovedWithinItsLevel(OramConfig config) throws IOException {
    try (TamperedStore tampered = new TamperedStore(config)) {
      for (Level level : tampered.map().levels()) {
        if (level.places() > 1) {
          int unit = level.bucketBytes();
          byte[] stored = tampered.store().snapshot(level.offset(), (int) (level.places() * unit));
          byte[] rotated = new byte[stored.length];
          System.arraycopy(stored, unit, rotated, 0, stored.length - unit);
          System.arraycopy(stored, 0, rotated, stored.length - unit, unit);
          tampered.tamper(level.offset(), rotated);
          tampered.assertDetected(place(level));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aBucketOfAnotherLevelOrTree(OramConfig config) throws IOException {
    try (TamperedStore tampered = new TamperedStore(config)) {
      List<Level> levels = tampered.map().levels();
      for (Level level : levels) {
        int number = levels.indexOf(level);
        for (int distance : new int[] {1, levels.size() / 2}) {
          Level other = levels.get((number + distance) % levels.size());
          if (!other.equals(level)) {
            byte[] foreign = tampered.store().snapshot(other.offset(), other.bucketBytes());
            tampered.tamperLevel(level, bucket -> Arrays.copyOf(foreign, bucket.length));
            tampered.assertDetected(
                place(level),
                foreign[0] == 0
                    ? "missing"
                    : "moved, this is a bucket of tree "
                        + other.tree()
                        + ", level "
                        + other.level());
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void anErasedBucket(OramConfig config) throws IOException {
    try (TamperedStore tampered = new TamperedStore(config)) {
      for (Level level : tampered.map().levels()) {
        tampered.tamperLevel(level, bucket -> new byte[bucket.length]);
        tampered.assertDetected(place(level), "missing, the store returned zeros");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aLevelRolledBack(OramConfig config) throws IOException {
    try (TamperedStore tampered = new TamperedStore(config)) {
      for (Level level : tampered.map().levels()) {
        int bytes = (int) (level.places() * level.bucketBytes());
        byte[] old = tampered.store().snapshot(level.offset(), bytes);
        tampered.use(100);
        tampered.tamper(level.offset(), old);
        tampered.assertDetected(place(level), "rolled back, in its place is an older one");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void anOlderStoreUnderANewerClient(OramConfig config) throws IOException {
    try (TamperedStore tampered = new TamperedStore(config)) {
      tampered.oram().reopen();
      byte[] old = tampered.snapshot();
      tampered.use(100);
      tampered.oram().reopen();
      tampered.tamper(0, old);
      tampered.assertDetected("rolled back");
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aFlippedBitInTheSuperblock(OramConfig config) throws IOException {
    try (TamperedStore tampered = new TamperedStore(config)) {
      tampered.oram().oram().close();
      List<Integer> offsets = new ArrayList<>();
      for (int offset = 0; offset < 4096; offset += offset < 160 ? 1 : 97) {
        offsets.add(offset);
      }
      offsets.add(4095);
      for (int offset : offsets) {
        int bit = tampered.random().nextInt(8);
        tampered.store().flipBit(offset, bit);
        byte[] before = tampered.store().snapshot(0, 8192);
        assertThatThrownBy(tampered.oram()::reopen)
            .isInstanceOf(IntegrityException.class)
            .hasMessageContaining("superblock");
        assertThat(tampered.store().snapshot(0, 8192)).isEqualTo(before);
        tampered.store().flipBit(offset, bit);
      }
      tampered.oram().reopen();
    }
  }
}
