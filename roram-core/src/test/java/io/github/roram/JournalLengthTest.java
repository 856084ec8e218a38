package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The journal's growth shows the size classes and nothing else. */
class JournalLengthTest {

  private static final int BLOCKS = 512;
  private static final int ACCESSES = 200;

  @ParameterizedTest
  @CsvSource({"roram,local", "path-batched,local", "roram,recursive", "path-batched,recursive"})
  void readsAndWritesOfWhateverBlocksMakeTheJournalGrowAlike(String scheme, String map)
      throws IOException {
    List<Long> reads = lengths(scheme, map, false, false);
    assertThat(lengths(scheme, map, true, false)).isEqualTo(reads);
    assertThat(lengths(scheme, map, true, true)).isEqualTo(reads);
  }

  /** Lengths of the journal after each of accesses with the same counts of blocks. */
  private static List<Long> lengths(String scheme, String map, boolean write, boolean sameBlock)
      throws IOException {
    OramConfig.Builder builder =
        OramConfig.builder(BLOCKS).scheme(scheme).blockBytes(512).maxRangeBlocks(16);
    OramConfig config =
        map.equals("recursive")
            ? SmallConfigurations.recursive(builder).build()
            : builder.positionMap(map).build();
    ClientVault vault = ClientVault.inMemory();
    Random counts = new Random(1);
    Random places = new Random();
    List<Long> lengths = new ArrayList<>();
    try (MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(new HeapStore(Orams.storeBytes(config)), vault, config, key)) {
      for (int i = 0; i < ACCESSES; i++) {
        int count = 1 + counts.nextInt(16);
        int block = sameBlock ? 3 : places.nextInt(BLOCKS - count + 1);
        if (write) {
          oram.write(block, ByteBuffer.allocate(count * 512));
        } else {
          oram.read(block, count);
        }
        lengths.add(vault.openLog(vault.logs().get(0)).bytes());
      }
    }
    return lengths;
  }
}
