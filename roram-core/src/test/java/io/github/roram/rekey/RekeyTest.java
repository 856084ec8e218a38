package io.github.roram.rekey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.HeapStore;
import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.UncleanShutdownException;
import io.github.roram.WrongKeyException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.Crc32c;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RekeyTest {

  private static final int BLOCKS = 300;
  private static final int SUPERBLOCK_BYTES = 4096;
  private static final int TRAITS_OFFSET = 10;

  private final MasterKey oldKey = MasterKey.generate();
  private final MasterKey newKey = MasterKey.generate();
  private final ClientVault vault = ClientVault.inMemory();
  private final byte[] model = new byte[BLOCKS * 512];

  @AfterEach
  void wipe() {
    oldKey.close();
    newKey.close();
  }

  private HeapStore usedStore(String scheme, boolean close) throws IOException {
    OramConfig config =
        OramConfig.builder(BLOCKS)
            .scheme(scheme)
            .blockBytes(512)
            .maxRangeBlocks(16)
            .treetopBytes(0)
            .build();
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    Oram oram = Orams.create(store, vault, config, oldKey);
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      byte[] data = new byte[512 * (1 + random.nextInt(16))];
      random.nextBytes(data);
      int block = random.nextInt(BLOCKS - data.length / 512 + 1);
      oram.write(block, ByteBuffer.wrap(data));
      System.arraycopy(data, 0, model, block * 512, data.length);
    }
    if (close) {
      oram.close();
    }
    return store;
  }

  private void assertReadableWithNewKeyOnly(HeapStore store) throws IOException {
    assertThatThrownBy(() -> Orams.open(store, vault, oldKey))
        .isInstanceOf(WrongKeyException.class);
    try (Oram oram = Orams.open(store, vault, newKey)) {
      for (int block = 0; block + 10 <= BLOCKS; block += 10) {
        assertThat(oram.read(block, 10)).isEqualTo(ByteBuffer.wrap(model, block * 512, 5120));
      }
    }
    try (Oram oram = Orams.open(store, vault, newKey)) {
      assertThat(oram.read(0, 10)).isEqualTo(ByteBuffer.wrap(model, 0, 5120));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "tao"})
  void theNewKeyOpensWhatTheOldOneWrote(String scheme) throws IOException {
    HeapStore store = usedStore(scheme, true);
    long[] bytes = new long[1];
    Orams.rekey(store, vault, oldKey, newKey, n -> bytes[0] += n);
    assertThat(bytes[0]).isPositive();
    assertReadableWithNewKeyOnly(store);
  }

  @ParameterizedTest
  @ValueSource(strings = {"path-batched", "tao"})
  void aStoreThatWasNotClosedIsRecoveredFirst(String scheme) throws IOException {
    HeapStore store = usedStore(scheme, false);
    Orams.rekey(store, vault, oldKey, newKey, n -> {});
    assertReadableWithNewKeyOnly(store);
  }

  @ParameterizedTest
  @ValueSource(strings = {"roram", "tao"})
  void isTakenUpWhereverItBreaksOff(String scheme) throws IOException {
    HeapStore store = usedStore(scheme, true);
    int interruptions = 0;
    for (int calls = 1; ; calls++) {
      BreakingStore breaking = new BreakingStore(store, calls % 7 + 1);
      try {
        Orams.rekey(breaking, vault, oldKey, newKey, n -> {});
        break;
      } catch (IOException e) {
        interruptions++;
        assertThat(e).hasMessage("injected");
        if (interruptions > 8) {
          // By now buckets are being rewritten.
          assertThatThrownBy(() -> Orams.open(store, vault, oldKey))
              .isInstanceOf(UncleanShutdownException.class)
              .hasMessageContaining("rekey");
        }
      }
    }
    // A level of a tree is a batch at least; in rORAM there are five trees, in TaORAM one.
    assertThat(interruptions).isGreaterThan("tao".equals(scheme) ? 2 : 10);
    assertReadableWithNewKeyOnly(store);
    MasterKey third = MasterKey.generate();
    Orams.rekey(store, vault, newKey, third, n -> {});
    try (Oram oram = Orams.open(store, vault, third)) {
      assertThat(oram.read(100, 10)).isEqualTo(ByteBuffer.wrap(model, 51200, 5120));
    }
    third.close();
  }

  @Test
  void refusesWhatItCannotDo() throws IOException {
    HeapStore path = usedStore("path", true);
    assertThatThrownBy(() -> Orams.rekey(path, vault, oldKey, newKey, n -> {}))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("import");
  }

  @Test
  void aWrongOldKeyChangesNothing() throws IOException {
    HeapStore store = usedStore("roram", true);
    try (MasterKey wrong = MasterKey.generate()) {
      assertThatThrownBy(() -> Orams.rekey(store, vault, wrong, newKey, n -> {}))
          .isInstanceOf(WrongKeyException.class);
    }
    Orams.open(store, vault, oldKey).close();
  }

  @Test
  void aSuperblockThatIsReplacedMeanwhileGetsNoNewKey() throws IOException {
    HeapStore store = usedStore("roram", true);
    byte[] own = store.copy();
    BlockStore hostile =
        new FilterBlockStore(store) {
          @Override
          public void write(ExtentBatch batch, UnitSource source) throws IOException {
            super.write(batch, source);
            if (batch.offset(0) >= SUPERBLOCK_BYTES) {
              forgeSuperblock(store);
            }
          }
        };
    assertThatThrownBy(() -> Orams.rekey(hostile, vault, oldKey, newKey, n -> {}))
        .isInstanceOf(IntegrityException.class)
        .hasMessageContaining("was replaced while its keys were changed");
    assertRekeyedWithTheOwnSuperblockOnly(store, own);
  }

  @Test
  void aSuperblockThatWasReplacedIsNotGoneOnWith() throws IOException {
    HeapStore store = usedStore("roram", true);
    byte[] own = store.copy();
    BlockStore breaking =
        new FilterBlockStore(store) {
          @Override
          public void write(ExtentBatch batch, UnitSource source) throws IOException {
            if (batch.offset(0) == 0) {
              throw new IOException("injected");
            }
            super.write(batch, source);
          }
        };
    assertThatThrownBy(() -> Orams.rekey(breaking, vault, oldKey, newKey, n -> {}))
        .hasMessage("injected");
    forgeSuperblock(store);
    assertThatThrownBy(() -> Orams.inspect(store, oldKey, newKey))
        .isInstanceOf(WrongKeyException.class);
    assertRekeyedWithTheOwnSuperblockOnly(store, own);
  }

  private void assertRekeyedWithTheOwnSuperblockOnly(HeapStore store, byte[] own)
      throws IOException {
    byte[] forged = Arrays.copyOf(store.copy(), SUPERBLOCK_BYTES);
    assertThatThrownBy(() -> Orams.rekey(store, vault, oldKey, newKey, n -> {}))
        .isInstanceOf(WrongKeyException.class);
    byte[] bytes = store.copy();
    assertThat(Arrays.copyOf(bytes, SUPERBLOCK_BYTES)).isEqualTo(forged);
    System.arraycopy(own, 0, bytes, 0, SUPERBLOCK_BYTES);
    store.restore(bytes);
    Orams.rekey(store, vault, oldKey, newKey, n -> {});
    assertThat(Orams.inspect(store).witnessed()).isFalse();
    assertReadableWithNewKeyOnly(store);
  }

  /** It says otherwise than the real one whether there is a watermark; its checksum is right. */
  private static void forgeSuperblock(HeapStore store) {
    byte[] bytes = store.copy();
    ByteBuffer.wrap(bytes)
        .putShort(TRAITS_OFFSET, (short) 1)
        .putInt(SUPERBLOCK_BYTES - 4, Crc32c.of(bytes, 0, SUPERBLOCK_BYTES - 4));
    store.restore(bytes);
  }

  /** Tears the n-th write in the middle, and does nothing afterwards. */
  private static final class BreakingStore implements BlockStore {

    private final HeapStore delegate;
    private int writes;

    BreakingStore(HeapStore delegate, int writes) {
      this.delegate = delegate;
      this.writes = writes;
    }

    @Override
    public long capacityBytes() {
      return delegate.capacityBytes();
    }

    @Override
    public void read(ExtentBatch batch, UnitSink sink) throws IOException {
      delegate.read(batch, sink);
    }

    @Override
    public void write(ExtentBatch batch, UnitSource source) throws IOException {
      if (--writes <= 0) {
        int[] units = {batch.units() / 2};
        delegate.write(
            batch,
            (firstUnit, piece) -> {
              source.fill(firstUnit, piece);
              if (--units[0] < 0) {
                throw new IOException("injected");
              }
            });
        throw new IOException("injected");
      }
      delegate.write(batch, source);
    }

    @Override
    public void sync() {}

    @Override
    public void close() {}
  }
}
