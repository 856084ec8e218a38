package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import io.github.roram.suites.ServerView.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The public write share (construction, section 7). */
final class WriteShareTest {

  private static final int BLOCKS = 600;
  private static final int BLOCK_BYTES = 512;
  private static final int RANGE = 16;
  private static final int ACCESSES = 120;

  private static OramConfig config(double share) {
    return OramConfig.builder(BLOCKS)
        .scheme("roram")
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(RANGE)
        .treetopBytes(0)
        .windowBlocks(24)
        .writeShare(share)
        .build();
  }

  /** Within the share, one access in eight that writes or none: the store sees no difference. */
  @Test
  @Tag("server-view")
  void readsAndWritesWithinTheShareLookTheSame() throws IOException {
    List<Shape> expected = shapes(ACCESSES + 1);
    assertThat(shapes(8)).isEqualTo(expected);
    assertThat(shapes(4)).isEqualTo(expected);
  }

  /** Writing always does not stay within a quarter: the padding shows, as documented. */
  @Test
  @Tag("server-view")
  void whatExceedsTheShareIsSeen() throws IOException {
    assertThat(shapes(1)).isNotEqualTo(shapes(ACCESSES + 1));
  }

  private static List<Shape> shapes(int everyNthWrites) throws IOException {
    try (ServerView view = new ServerView(config(0.25), LabelSource.secure())) {
      Random sizes = new Random(1);
      Random places = new Random(everyNthWrites);
      for (int i = 1; i <= ACCESSES; i++) {
        Requests requests =
            i % everyNthWrites == 0 ? Requests.RANDOM_WRITES : Requests.RANDOM_READS;
        requests.make(view.oram(), new int[] {1 << sizes.nextInt(5)}, places);
      }
      return view.shapes();
    }
  }

  @Test
  void aSmallShareMovesFewerBytesAndLosesNothing() throws IOException {
    long whole = evictedBytes(1, 8);
    long eighth = evictedBytes(0.125, 8);
    // 4 other trees at 16 blocks each and the own one at 32: 96 against 40 blocks an access.
    assertThat((double) eighth / whole).isLessThan(0.6);
  }

  /** Everything is written at a share of an eighth: padding keeps the client's memory bounded. */
  @Test
  void whatIsWrittenBeyondTheShareIsPaidOffAndCounted() throws IOException {
    assertThat(evictedBytes(0.125, 1)).isPositive();
  }

  private static long evictedBytes(double share, int everyNthWrites) throws IOException {
    OramConfig config = config(share);
    byte[] model = new byte[BLOCKS * BLOCK_BYTES];
    Random random = new Random(everyNthWrites);
    ClientVault vault = ClientVault.inMemory();
    try (MasterKey key = MasterKey.generate();
        CountingStore store = new CountingStore(new MemoryStore(Orams.storeBytes(config)))) {
      Oram oram = Orams.create(store, vault, config, key);
      long padding = 0;
      for (int i = 0; i < 300; i++) {
        byte[] data = new byte[RANGE * BLOCK_BYTES];
        int block = random.nextInt(BLOCKS - RANGE + 1);
        if (i % everyNthWrites == 0) {
          random.nextBytes(data);
          oram.write(block, ByteBuffer.wrap(data));
          System.arraycopy(data, 0, model, block * BLOCK_BYTES, data.length);
        } else {
          oram.read(block, RANGE, ByteBuffer.wrap(data));
          assertThat(ByteBuffer.wrap(data))
              .isEqualTo(ByteBuffer.wrap(model, block * BLOCK_BYTES, data.length));
        }
        if (i % 100 == 99) {
          padding += oram.stats().paddingBlocks();
          assertHeldWithinBounds(oram);
          oram.close();
          oram = Orams.open(store, vault, config, key);
        }
      }
      oram.close();
      assertThat(padding > 0).isEqualTo(share < 1 && everyNthWrites == 1);
      return store.of(IoPhase.EVICT_WRITE).bytes();
    }
  }

  /** What the journal makes of the share's account is what it was: the evictions go on the same. */
  @Test
  void aCrashChangesNothingOfWhatIsOwed() throws IOException {
    assertThat(evictionsWithCrashEvery(7)).isEqualTo(evictionsWithCrashEvery(1000));
  }

  private static List<Long> evictionsWithCrashEvery(int accesses) throws IOException {
    OramConfig config = config(0.125);
    Random random = new Random(5);
    ClientVault vault = ClientVault.inMemory();
    try (MasterKey key = MasterKey.generate();
        MemoryStore store = new MemoryStore(Orams.storeBytes(config))) {
      Oram oram = Orams.create(store, vault, config, key);
      for (int i = 1; i <= 300; i++) {
        int count = 1 + random.nextInt(RANGE);
        ByteBuffer data = ByteBuffer.allocate(count * BLOCK_BYTES);
        oram.write(random.nextInt(BLOCKS - count + 1), data);
        if (i % accesses == 0) {
          // Nobody closes it: the journal is all there is.
          oram = Orams.open(store, vault, config, key);
        }
      }
      oram.close();
      oram = Orams.open(store, vault, config, key);
      return oram.stats().trees().stream().map(tree -> tree.evictions()).toList();
    }
  }

  private static void assertHeldWithinBounds(Oram oram) {
    OramConfig config = oram.config();
    int most =
        TreeParameters.of(config).windowBlocks()
            + TreeParameters.of(config).backlogBlocks()
            + 4 * RANGE
            + 200;
    assertThat(oram.stats().trees()).allMatch(tree -> tree.heldBlocks() <= most);
  }
}
