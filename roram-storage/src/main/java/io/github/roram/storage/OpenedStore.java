package io.github.roram.storage;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import java.io.Closeable;
import java.io.IOException;

/**
 * A store and the vault that belongs to it, as {@link Stores} opens them.
 *
 * @param store the untrusted store
 * @param vault the client's records, valid while the store is open
 */
public record OpenedStore(BlockStore store, ClientVault vault) implements Closeable {

  /** Closes the store. */
  @Override
  public void close() throws IOException {
    store.close();
  }
}
