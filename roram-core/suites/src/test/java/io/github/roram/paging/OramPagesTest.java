package io.github.roram.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Pages of an ORAM: kept when it is closed, made of one block or of several. */
class OramPagesTest {

  private static final OramConfig CONFIG =
      OramConfig.builder(50).blockBytes(512).maxRangeBlocks(8).build();

  private final MemoryStore store = new MemoryStore(Orams.storeBytes(CONFIG));
  private final ClientVault vault = ClientVault.inMemory();

  @Test
  void pagesOfSeveralBlocksAreKept() throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      try (Oram oram = Orams.create(store, vault, CONFIG, key);
          PagedMemory memory = PagedMemory.over(PageStore.of(oram, 8))) {
        assertThat(memory.pageBytes()).isEqualTo(4096);
        assertThat(memory.bytes()).isEqualTo(6 * 4096);
        memory.putLong(4096 * 3 - 4, 0x1122334455667788L);
      }
      try (Oram oram = Orams.open(store, vault, key);
          PagedMemory memory = PagedMemory.over(PageStore.of(oram))) {
        assertThat(memory.pageBytes()).isEqualTo(512);
        assertThat(memory.getLong(4096 * 3 - 4)).isEqualTo(0x1122334455667788L);
      }
    }
  }

  @Test
  void pagesThatDoNotFitAreRefused() throws IOException {
    try (MasterKey key = MasterKey.generate();
        Oram oram = Orams.create(store, vault, CONFIG, key)) {
      assertThatThrownBy(() -> PageStore.of(oram, 9))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("blocksPerPage is 9")
          .hasMessageContaining("1 to 8");
      assertThatThrownBy(() -> PageStore.of(oram, 3)).hasMessageContaining("1536");
    }
  }

  @Test
  void aPageThatIsLongerThanTheWholeIsRefused() throws IOException {
    OramConfig few = OramConfig.builder(5).blockBytes(512).maxRangeBlocks(8).build();
    try (MasterKey key = MasterKey.generate();
        MemoryStore small = new MemoryStore(Orams.storeBytes(few));
        Oram oram = Orams.create(small, vault, few, key)) {
      assertThatThrownBy(() -> PageStore.of(oram, 8))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("blocksPerPage is 8, must be 1 to 5");
    }
  }
}
