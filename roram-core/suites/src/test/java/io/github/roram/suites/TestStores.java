package io.github.roram.suites;

import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.BlockStore;
import java.io.IOException;
import java.util.ServiceLoader;

/**
 * Where the suites' stores in memory are. Another module that runs these suites may provide a
 * service of this type, and its stores are used instead.
 */
public interface TestStores {

  /** A new store that ends when it is closed. */
  BlockStore newStore(long capacityBytes) throws IOException;

  /** A new store of the provider, or in memory if there is none. */
  static BlockStore create(long capacityBytes) throws IOException {
    var provider = ServiceLoader.load(TestStores.class).findFirst();
    return provider.isPresent()
        ? provider.get().newStore(capacityBytes)
        : new MemoryStore(capacityBytes);
  }
}
