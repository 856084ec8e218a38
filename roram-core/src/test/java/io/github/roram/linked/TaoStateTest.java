package io.github.roram.linked;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.HeapStore;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FilterClientVault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** What the length of a saved state says. */
final class TaoStateTest {

  private static final int BLOCKS = 128;
  private static final int BLOCK_BYTES = 512;
  private static final int PATHS = 100;

  /** Keeps how long the states were. */
  private static final class Measuring extends FilterClientVault {
    private final List<Integer> lengths = new ArrayList<>();

    Measuring() {
      super(ClientVault.inMemory());
    }

    @Override
    public void save(String name, Writer writer) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      writer.writeTo(bytes);
      if (name.equals("state")) {
        lengths.add(bytes.size());
      }
      super.save(name, out -> bytes.writeTo(out));
    }
  }

  /** Accesses to one block leave one that waits, accesses to several blocks one each. */
  @Test
  void aSmallerNumberOfPathsDoesNotShowHowManyBlocksWait() throws IOException {
    List<Integer> same = lengths(access -> 0);
    assertThat(same).hasSizeGreaterThan(2);
    assertThat(lengths(access -> access)).isEqualTo(same);
  }

  private static List<Integer> lengths(IntUnaryOperator block) throws IOException {
    OramConfig config =
        OramConfig.builder(BLOCKS)
            .scheme("tao")
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(1)
            .chunkPaths(PATHS)
            .treetopBytes(0)
            .build();
    HeapStore store = new HeapStore(Orams.storeBytes(config));
    Measuring vault = new Measuring();
    try (MasterKey key = MasterKey.generate()) {
      Oram killed = Orams.create(store, vault, config, key);
      int accesses = 3 * PATHS - 1;
      for (int access = 0; access < accesses; access++) {
        int written = access < 2 * PATHS ? access % BLOCKS : block.applyAsInt(access % BLOCKS);
        killed.write(written, ByteBuffer.allocate(BLOCK_BYTES));
      }
      OpenOptions fewer =
          OpenOptions.defaults()
              .withParameter("chunkPaths", 1)
              .withParameter("stashLimitBlocks", 20);
      try (Oram oram = Orams.open(store, vault, key, fewer)) {
        oram.read(0, 1);
      }
    }
    return vault.lengths;
  }
}
