package io.github.roram.bench.paging;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.open.Orams;
import io.github.roram.paging.PageStore;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.Closeable;
import java.io.IOException;

/**
 * Pages of a contender in this process's memory, as those of an enclave lie in its host's.
 *
 * @param pages where faults go
 * @param store counts what the host is asked for
 * @param end wipes keys
 */
record Backing(PageStore pages, CountingStore store, Closeable end) implements Closeable {

  /** All zeros. */
  static Backing create(PagingContender contender, long pages) throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      return contender.isOram() ? oram(contender, pages, key) : sealed(pages, key);
    }
  }

  private static Backing sealed(long pages, MasterKey key) {
    int pageBytes = PagingContender.PAGE_BYTES;
    CountingStore store =
        new CountingStore(new MemoryStore(PageStore.sealedBytes(pages, pageBytes)));
    PageStore sealed = PageStore.sealedWithoutOram(store, pages, pageBytes, key);
    return new Backing(sealed, store, sealed);
  }

  private static Backing oram(PagingContender contender, long pages, MasterKey key)
      throws IOException {
    OramConfig config = contender.config(pages);
    CountingStore store = new CountingStore(new MemoryStore(Orams.storeBytes(config)));
    OpenOptions options =
        OpenOptions.defaults().withDurability(Durability.NONE).withThreads(contender.threads());
    Oram oram = Orams.create(store, ClientVault.inMemory(), config, key, options);
    return new Backing(PageStore.of(oram), store, oram);
  }

  @Override
  public void close() throws IOException {
    end.close();
  }
}
