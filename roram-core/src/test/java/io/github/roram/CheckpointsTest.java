package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

  /** As a backup does, again and again; a crash at any moment finds every write. */
  @Test
  void aCopyForABackupSpoilsNoCheckpointThatIsBeingCopied() throws IOException {
    int blocks = 512;
    int blockBytes = 4096;
    OramConfig config =
        OramConfig.builder(blocks)
            .blockBytes(blockBytes)
            .maxRangeBlocks(RANGE)
            .treetopBytes(8 << 20) // so that a copy takes many accesses
            .build();
    OpenOptions options =
        OpenOptions.defaults()
            .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES)
            .withBackgroundCheckpoints(false);
    KeptVault vault = new KeptVault();
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    Random random = new Random(3);
    byte[] model = new byte[blocks];
    try (MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, vault, config, key, options)) {
      for (int i = 1; i <= 200; i++) {
        int first = random.nextInt(blocks - RANGE + 1);
        byte[] content = new byte[RANGE * blockBytes];
        Arrays.fill(content, (byte) i);
        Arrays.fill(model, first, first + RANGE, (byte) i);
        oram.write(first, ByteBuffer.wrap(content));
        if (i % 7 == 0) {
          Orams.hold(oram, image -> image.saveTo(ClientVault.inMemory()));
        }
        if (i % 5 == 0) {
          HeapStore left = new HeapStore(store.capacityBytes());
          left.restore(store.copy());
          Oram recovered = Orams.open(left, vault.afterCrash(), key, options);
          byte[] found = new byte[blocks];
          recovered.scan((block, data) -> found[(int) block] = data.get());
          assertThat(found).as("after %d writes", i).isEqualTo(model);
        }
      }
      assertThat(vault.states()).hasSizeGreaterThan(5);
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
