package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
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
