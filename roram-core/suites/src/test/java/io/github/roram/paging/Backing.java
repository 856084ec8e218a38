package io.github.roram.paging;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** What holds the pages in tests: an array, sealed pages, or an ORAM. */
enum Backing {
  ARRAY(null),
  SEALED(null),
  PATH("path"),
  BATCHED("path-batched"),
  RANGES("roram");

  private final @Nullable String scheme;

  Backing(@Nullable String scheme) {
    this.scheme = scheme;
  }

  PageStore create(int pages, int pageBytes) throws IOException {
    if (this == ARRAY) {
      return new ArrayPages(pages, pageBytes);
    }
    try (MasterKey key = MasterKey.generate()) {
      return scheme == null
          ? PageStore.sealedWithoutOram(
              new MemoryStore(PageStore.sealedBytes(pages, pageBytes)), pages, pageBytes, key)
          : PageStore.of(oram(scheme, pages, pageBytes, key));
    }
  }

  private static Oram oram(String scheme, int pages, int pageBytes, MasterKey key)
      throws IOException {
    OramConfig config =
        OramConfig.builder(pages).scheme(scheme).blockBytes(pageBytes).maxRangeBlocks(1).build();
    return Orams.create(
        new MemoryStore(Orams.storeBytes(config)),
        ClientVault.inMemory(),
        config,
        key,
        OpenOptions.defaults().withDurability(Durability.NONE).withThreads(1));
  }
}
