package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.cipher.LabelSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.Engine;
import io.github.roram.engine.Overlap;
import io.github.roram.engine.Overlapping;
import io.github.roram.engine.Transfer;
import io.github.roram.engine.TrimmedBlocks;
import io.github.roram.open.Orams;
import io.github.roram.session.OpenOram;
import io.github.roram.session.StoreOpening;
import io.github.roram.store.StoreParts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An access that an error ends in its middle, as a lack of memory may: what the client knows then
 * is neither used nor saved, and the next opening has all that was acknowledged.
 */
class TornAccessTest {

  private static final int BLOCK_BYTES = 512;

  @ParameterizedTest
  @CsvSource({
    "roram, 1, true",
    "roram, 1, false",
    "roram, 4, true",
    "path-batched, 1, true",
    "ring, 1, true",
    "ring, 1, false",
    "ring, 4, true",
    "tao, 1, true",
    "tao, 1, false",
    "tao, 4, true",
    "tao, 4, false"
  })
  void whatWasAcknowledgedIsThere(String scheme, int inFlight, boolean closes)
      throws IOException, InterruptedException {
    OramConfig config = OramConfig.builder(64).blockBytes(BLOCK_BYTES).scheme(scheme).build();
    OpenOptions options = OpenOptions.defaults().withInFlight(inFlight);
    KeptVault vault = new KeptVault();
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    try (MasterKey key = MasterKey.generate()) {
      OpenOram oram =
          new StoreOpening(store, vault, key, LabelSource.secure()).create(config, options);
      oram.write(1, one(7));
      tear(oram);
      for (int block = 1; block < 4; block++) {
        int other = block;
        assertThatThrownBy(() -> oram.write(other, one(8)))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("open it again");
      }
      if (closes) {
        assertThatThrownBy(oram::close).hasMessageContaining("open it again");
      }
      try (Oram after = Orams.open(store, KeptVault.of(vault.contents()), key, options)) {
        assertThat(after.read(1, 1).getInt(0)).isEqualTo(7);
        assertThat(after.read(2, 1).getInt(0)).isZero();
        after.write(3, one(9));
        assertThat(after.verify((done, total) -> {}).findings()).isEmpty();
      }
    }
  }

  /** The journal says that the store has grown, and the client goes on with what it was. */
  @ParameterizedTest
  @CsvSource({"roram, 1", "roram, 4", "path-batched, 1"})
  void aGrowthThatAnErrorEndedIsDoneByTheNextOpening(String scheme, int inFlight)
      throws IOException {
    OramConfig config = OramConfig.builder(64).blockBytes(BLOCK_BYTES).scheme(scheme).build();
    OpenOptions options = OpenOptions.defaults().withInFlight(inFlight);
    KeptVault vault = new KeptVault();
    AtomicBoolean isShort = new AtomicBoolean();
    HeapStore store =
        new HeapStore(Orams.storeBytes(config)) {
          @Override
          public void arrange(StoreParts parts) {
            if (isShort.getAndSet(false)) {
              throw new OutOfMemoryError("injected");
            }
          }
        };
    try (MasterKey key = MasterKey.generate()) {
      Oram oram = Orams.create(store, vault, config, key, options);
      oram.write(1, one(7));
      isShort.set(true);
      assertThatThrownBy(() -> oram.grow(256)).isInstanceOf(OutOfMemoryError.class);
      assertThat(isShort).isFalse();
      assertThatThrownBy(() -> oram.write(2, one(8))).hasMessageContaining("open it again");
      assertThatThrownBy(() -> oram.grow(256)).hasMessageContaining("open it again");
      assertThatThrownBy(oram::close).hasMessageContaining("open it again");
      try (Oram after = Orams.open(store, KeptVault.of(vault.contents()), key, options)) {
        assertThat(after.config().blocks()).isEqualTo(256);
        assertThat(after.read(1, 1).getInt(0)).isEqualTo(7);
        after.write(255, one(9));
        assertThat(after.verify((done, total) -> {}).findings()).isEmpty();
      }
    }
  }

  /** Without a journal nothing has what was acknowledged: it ends as if the client was killed. */
  @ParameterizedTest
  @CsvSource({
    "roram, 1",
    "roram, 4",
    "path-batched, 1",
    "ring, 1",
    "ring, 4",
    "tao, 1",
    "tao, 4",
    "path, 1",
    "path, 4"
  })
  void withoutAJournalItCanBeClosed(String scheme, int inFlight)
      throws IOException, InterruptedException {
    OramConfig config = OramConfig.builder(64).blockBytes(BLOCK_BYTES).scheme(scheme).build();
    OpenOptions options =
        OpenOptions.defaults().withDurability(Durability.NONE).withInFlight(inFlight);
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    AtomicBoolean isClosed = new AtomicBoolean();
    try (MasterKey key = MasterKey.generate()) {
      StoreOpening opening = new StoreOpening(store, new KeptVault(), key, LabelSource.secure());
      OpenOram oram = opening.create(config, options);
      oram.owns(() -> isClosed.set(true));
      oram.write(1, one(7));
      tear(oram);
      byte[] before = store.copy();
      assertThatThrownBy(() -> oram.read(1, 1)).hasMessageContaining("durability NONE");
      assertThatThrownBy(() -> oram.write(2, one(8))).hasMessageContaining("durability NONE");
      assertThatThrownBy(oram::close).hasMessageContaining("durability NONE");
      assertThat(store.copy()).isEqualTo(before);
      assertThat(isClosed).isTrue();
      oram.close();
      assertThatThrownBy(() -> opening.open(config, options))
          .isInstanceOf(UncleanShutdownException.class);
    }
  }

  private static ByteBuffer one(int content) {
    return ByteBuffer.allocate(BLOCK_BYTES).putInt(0, content);
  }

  /** An access to block 2 fails when its blocks are with the client, and before its record. */
  private static void tear(OpenOram oram) throws IOException, InterruptedException {
    Transfer failing =
        Transfer.into(
            oram.context(), new TrimmedBlocks(0), 2 * BLOCK_BYTES, BLOCK_BYTES, one(8), 1);
    if (!oram.overlaps()) {
      Engine engine = oram.able(Engine.class, "is none");
      assertThatThrownBy(() -> engine.access(failing))
          .isInstanceOf(ArrayIndexOutOfBoundsException.class);
      return;
    }
    BlockingQueue<Runnable> turns = new LinkedBlockingQueue<>();
    Overlap overlap = oram.able(Overlapping.class, "is none").overlap(turns::add, () -> {});
    Overlap.Read read = overlap.begin(failing, 0);
    read.start();
    while (!read.hasArrived()) {
      turns.take().run();
    }
    assertThatThrownBy(read::complete).isInstanceOf(ArrayIndexOutOfBoundsException.class);
    overlap.close();
  }
}
