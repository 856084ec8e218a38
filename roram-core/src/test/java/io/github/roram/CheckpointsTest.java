package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints in the background keep the journal short, however long a store is used. */
final class CheckpointsTest {

  private static final int RANGE = 16;

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theJournalStaysShort() throws IOException {
    OramConfig config = OramConfig.builder(256).blockBytes(512).maxRangeBlocks(RANGE).build();
    OpenOptions options =
        OpenOptions.defaults().withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);
    ClientVault vault = ClientVault.inMemory();
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    try (MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, vault, config, key, options)) {
      long recorded = 0;
      for (int i = 0; i < 400; i++) {
        oram.write(i % (256 - RANGE), ByteBuffer.allocate(RANGE * 512));
        recorded += RANGE * 512;
      }
      // What is recorded while a checkpoint is made goes to the generation that follows it.
      assertThat(recorded).isGreaterThan(40 * OpenOptions.MIN_CHECKPOINT_BYTES);
      // On a busy machine that may be much, until the checkpoint's thread has had its turn.
      while (bytes(vault) >= recorded / 2 || vault.logs().contains("journal-0")) {
        oram.write(0, ByteBuffer.allocate(RANGE * 512));
      }
      assertThat(vault.logs()).hasSizeLessThanOrEqualTo(3);
    }
    assertThat(vault.logs()).isEmpty();
  }

  /** A point of a backup is a copy of the same state. */
  @ParameterizedTest
  @ValueSource(strings = {"roram", "ring"})
  void aCopyOfTheStateLeavesACheckpointThatIsBeingMadeWhole(String scheme) throws IOException {
    OramConfig config =
        OramConfig.builder(4096).blockBytes(512).maxRangeBlocks(RANGE).scheme(scheme).build();
    OpenOptions options =
        OpenOptions.defaults()
            .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
            .withBackgroundCheckpoints(false);
    KeptVault vault = new KeptVault();
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    byte[] content = new byte[4096 * 512];
    Random random = new Random(1);
    try (MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, vault, config, key, options)) {
      for (int block = 0; block < 4096; block += RANGE) {
        write(oram, block, content, random);
      }
      writeUntil(oram, content, random, false);
      writeUntil(oram, content, random, true);
      Orams.hold(oram, image -> image.saveTo(ClientVault.inMemory()));
      writeUntil(oram, content, random, false);

      KeptVault left = KeptVault.of(vault.contents());
      HeapStore medium = new HeapStore(Orams.storeBytes(config));
      medium.restore(store.copy());
      try (Oram after = Orams.open(medium, left, key, options)) {
        for (int block = 0; block < 4096; block += RANGE) {
          ByteBuffer expected = ByteBuffer.wrap(content, block * 512, RANGE * 512);
          assertThat(after.read(block, RANGE)).as("blocks from %d on", block).isEqualTo(expected);
        }
      }
    }
  }

  private static void write(Oram oram, int block, byte[] content, Random random)
      throws IOException {
    byte[] data = new byte[RANGE * 512];
    random.nextBytes(data);
    System.arraycopy(data, 0, content, block * 512, data.length);
    oram.write(block, ByteBuffer.wrap(data));
  }

  /** Writes until a checkpoint is being copied, or is not. */
  private static void writeUntil(Oram oram, byte[] content, Random random, boolean copied)
      throws IOException {
    while (oram.clientMemory().bytes(ClientMemory.COPY) > 0 != copied) {
      write(oram, random.nextInt(4096 - RANGE), content, random);
    }
  }

  private static long bytes(ClientVault vault) throws IOException {
    long bytes = 0;
    for (String name : vault.logs()) {
      try (AppendLog log = vault.openLog(name)) {
        bytes += log.bytes();
      }
    }
    return bytes;
  }
}
