package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.StaleRecordsException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.HeldVault;
import io.github.roram.storage.remote.RemoteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client is killed, and another one comes with an older copy of its records: the server, which
 * was killed and started again, has the watermark that came with the last request.
 */
final class RemoteStaleRecordsTest extends ServerTest {

  private static final int BLOCK_BYTES = 512;
  private static final String NONE = "none";

  private static ByteBuffer block(int value) {
    return ByteBuffer.allocate(BLOCK_BYTES).put(0, (byte) value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "path-batched", "tao"})
  void anAccessThatAskedTheServerIsNoticed(String scheme) throws IOException {
    OramConfig config =
        OramConfig.builder(64)
            .scheme(scheme)
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(4)
            .chunkPaths(2)
            .treetopBytes(0)
            .build();
    HeldVault vault = new HeldVault();
    try (MasterKey key = MasterKey.generate()) {
      HeldVault older;
      try (RemoteStore store = open(OPTIONS)) {
        Oram killed = Orams.create(store, vault, config, key);
        for (int access = 0; access < 40; access++) {
          killed.write(access, block(access));
        }
        older = vault.withoutLog(NONE);
        long asked = store.counts().roundTrips();
        killed.write(1, block(-1));
        assertThat(store.counts().roundTrips()).isGreaterThan(asked);
        restart();
      }
      try (RemoteStore other = open(OPTIONS.withTakeOver(true))) {
        assertThatThrownBy(() -> Orams.open(other, older, key))
            .isInstanceOf(StaleRecordsException.class);
        try (Oram newest = Orams.open(other, vault, key)) {
          assertThat(newest.read(1, 1).get(0)).isEqualTo((byte) -1);
        }
      }
    }
  }
}
