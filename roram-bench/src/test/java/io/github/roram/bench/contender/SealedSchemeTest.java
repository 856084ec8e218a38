package io.github.roram.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The plain client keeps data as every scheme does, costs what a disk costs, and must be named. */
final class SealedSchemeTest {

  private static final int BLOCKS = 100;
  private static final int BLOCK_BYTES = 512;
  private static final int LONGEST = 16;
  private static final int SEALED_BYTES = 564;

  private final OramConfig config =
      OramConfig.builder(BLOCKS)
          .scheme("sealed")
          .blockBytes(BLOCK_BYTES)
          .maxRangeBlocks(LONGEST)
          .set("hides", "nothing")
          .build();
  private final MasterKey key = MasterKey.generate();
  private final ClientVault vault = ClientVault.inMemory();
  private final BlockStore memory = new MemoryStore(Orams.storeBytes(config));
  private boolean failing;
  private final CountingStore store =
      new CountingStore(
          new FilterBlockStore(memory) {
            @Override
            public void write(ExtentBatch batch, UnitSource source) throws IOException {
              super.write(batch, source);
              if (failing) {
                failing = false;
                throw new IOException("injected");
              }
            }
          });

  @AfterEach
  void closeKey() {
    key.close();
  }

  @Test
  void isAnArrayThatIsThereWhenItIsOpenedAgain() throws IOException {
    byte[] model = new byte[BLOCKS * BLOCK_BYTES];
    Random random = new Random(1);
    Orams.create(store, vault, config, key).close();
    for (int opening = 0; opening < 3; opening++) {
      try (Oram oram = Orams.open(store, vault, config, key)) {
        for (int access = 0; access < 100; access++) {
          int bytes = 1 + random.nextInt((LONGEST - 1) * BLOCK_BYTES);
          int offset = random.nextInt(model.length - bytes);
          byte[] data = new byte[bytes];
          if (random.nextBoolean()) {
            random.nextBytes(data);
            System.arraycopy(data, 0, model, offset, bytes);
            failing = random.nextInt(4) == 0;
            if (failing) {
              assertThatThrownBy(() -> oram.updateBytes(offset, 1, ByteBuffer.wrap(data)))
                  .hasMessage("injected");
            }
            oram.updateBytes(offset, 1, ByteBuffer.wrap(data));
          } else {
            oram.readBytes(offset, 1, ByteBuffer.wrap(data));
            assertThat(data)
                .containsExactly(java.util.Arrays.copyOfRange(model, offset, offset + bytes));
          }
        }
      }
    }
  }

  @Test
  void rangeIsOneRequestOfOneExtent() throws IOException {
    try (Oram oram = Orams.create(store, vault, config, key)) {
      store.reset();
      oram.write(7, ByteBuffer.allocate(LONGEST * BLOCK_BYTES));
      oram.read(7, LONGEST);
      assertThat(store.total().requests()).isEqualTo(2);
      assertThat(store.total().extents()).isEqualTo(2);
      assertThat(store.total().bytesWritten()).isEqualTo(LONGEST * SEALED_BYTES);
      assertThat(store.total().bytesRead()).isEqualTo(LONGEST * SEALED_BYTES);
    }
  }

  @Test
  void olderBlocksDoNotOpen() throws IOException {
    try (Oram oram = Orams.create(store, vault, config, key)) {
      long place = Orams.storeBytes(config) - SEALED_BYTES;
      ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
      oram.write(BLOCKS - 1, block.clear());
      byte[] older = new byte[SEALED_BYTES];
      memory.read(last(place), (unit, bytes) -> bytes.get(older));
      oram.write(BLOCKS - 1, block.clear());
      memory.write(last(place), (unit, bytes) -> bytes.put(older));
      assertThatThrownBy(() -> oram.read(BLOCKS - 1, 1)).isInstanceOf(IntegrityException.class);
    }
  }

  private static ExtentBatch last(long place) {
    ExtentBatch batch = new ExtentBatch().reset(IoPhase.META, ExtentBatch.NO_TREE, SEALED_BYTES);
    batch.add(place, 1);
    return batch;
  }

  @Test
  void whoMakesItMustSayThatItHidesNothing() {
    assertThatThrownBy(() -> OramConfig.builder(BLOCKS).scheme("sealed").build())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("sealed", "--set hides=nothing", "roram");
  }
}
