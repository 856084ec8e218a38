package io.github.roram.range;

import io.github.roram.OramConfig;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.session.AsyncView;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.ClientVault;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/** What tests have in common whose accesses overlap on a store that they answer for. */
abstract class OverlapByHand {

  static final int BLOCK_BYTES = 512;

  final MasterKey key = MasterKey.generate();
  final ClientVault vault = ClientVault.inMemory();
  final HeldStore store = new HeldStore(Orams.storeBytes(config()));

  static OramConfig config() {
    return OramConfig.builder(100)
        .blockBytes(BLOCK_BYTES)
        .maxRangeBlocks(1)
        .chunkPaths(4)
        .windowBlocks(30)
        .treetopBytes(0)
        .build();
  }

  /** Seeded, so that no two of the few labels that a test compares are the same by chance. */
  final StoreOpening opening() {
    Random labels = new Random(1);
    LabelSource source = labels::nextInt;
    return new StoreOpening(store, vault, key, source);
  }

  @AfterEach
  final void forgetKey() {
    key.close();
  }

  /** Waits until all has been done that can be. */
  static void settle(AsyncView oram) {
    for (int i = 0; i < 50; i++) {
      oram.stats();
    }
  }
}
