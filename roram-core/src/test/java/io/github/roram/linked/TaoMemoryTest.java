package io.github.roram.linked;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.ClientMemory;
import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.range.HeldStore;
import io.github.roram.session.AsyncView;
import io.github.roram.session.InOneThread;
import io.github.roram.session.OpenOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.ClientVault;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client holds when a write-back does not end, and as much was read as may be. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TaoMemoryTest {

  private static final int BLOCKS = 2048;
  private static final int BLOCK_BYTES = 512;

  @ParameterizedTest
  @CsvSource({"4, 1, 0", "4, 8, 0", "16, 8, 20000", "1, 32, 0"})
  void noMoreThanWasPromisedAndAThirdOfItAtLeast(int paths, int inFlight, long treetopBytes)
      throws IOException {
    OramConfig config =
        OramConfig.builder(BLOCKS)
            .scheme("tao")
            .blockBytes(BLOCK_BYTES)
            .chunkPaths(paths)
            .treetopBytes(treetopBytes)
            .build();
    OpenOptions options =
        OpenOptions.defaults().withDurability(Durability.OS).withThreads(1).withInFlight(inFlight);
    ClientMemory promised = Scheme.of("tao").clientMemory(config, options).orElseThrow();
    HeldStore store = new HeldStore(Orams.storeBytes(config));
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    try (MasterKey key = MasterKey.generate()) {
      OpenOram below =
          new StoreOpening(store, ClientVault.inMemory(), key, LabelSource.secure())
              .create(config, options);
      AsyncView oram = new AsyncView(below, new InOneThread(), new InOneThread());
      for (int block = 0; block < BLOCKS; block++) {
        oram.write(block, ByteBuffer.allocate(BLOCK_BYTES)).join();
      }
      store.hold(IoPhase.EVICT_WRITE);
      for (int waiting = 0; waiting < 3 * paths - 1; waiting++) {
        calls.add(oram.read(waiting, 1, ByteBuffer.allocate(BLOCK_BYTES)));
      }
      store.hold(IoPhase.READ);
      for (int reading = 0; reading < inFlight; reading++) {
        calls.add(oram.read(1000 + reading, 1, ByteBuffer.allocate(BLOCK_BYTES)));
      }
      assertThat(store.held(IoPhase.READ)).as("reads under way").isEqualTo(inFlight);
      store.take(IoPhase.READ).forEach(HeldStore.Held::letThrough);
      calls.add(oram.read(999, 1, ByteBuffer.allocate(BLOCK_BYTES)));
      assertThat(store.held(IoPhase.READ)).as("there is no room for more").isZero();

      ClientMemory now = oram.clientMemory();
      for (ClientMemory.Item item : now.items()) {
        assertThat(item.bytes())
            .as("%s of %s", item, promised)
            .isLessThanOrEqualTo(promised.bytes(item.name()));
      }
      // What is promised takes the paths to share as little as paths can.
      assertThat(now.bytes(LinkedMemory.SUBTREE))
          .isGreaterThan(promised.bytes(LinkedMemory.SUBTREE) / 3);
      store.letAllThrough();
      calls.forEach(CompletableFuture::join);
      oram.close();
    }
  }
}
