package io.github.roram.storage;

import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FencedVault;
import io.github.roram.store.FilterBlockStore;
import java.io.Closeable;
import java.io.IOException;

/**
 * A store and the vault that belongs to it, as {@link Stores} opens them. Once closing either this
 * or the store has begun, nothing is changed through the vault any more: see {@link FencedVault}.
 * Only then is the store itself closed, and its lock let go of.
 *
 * @param store the untrusted store
 * @param vault the client's records, valid while the store is open
 */
public record OpenedStore(BlockStore store, ClientVault vault) implements Closeable {

  /**
   * Puts the vault behind a fence.
   *
   * @param store closes the vault first when it is closed, from now on
   */
  public OpenedStore {
    FencedVault fenced = FencedVault.of(vault);
    store = new StoreWithVault(store, fenced);
    vault = fenced;
  }

  /** Closes the vault and the store. */
  @Override
  public void close() throws IOException {
    store.close();
  }

  /** A store that closes its vault first. */
  private static final class StoreWithVault extends FilterBlockStore {
    private final FencedVault vault;

    StoreWithVault(BlockStore store, FencedVault vault) {
      super(store);
      this.vault = vault;
    }

    @Override
    public AsyncBlockStore async(int requests) {
      return delegate.async(requests);
    }

    @Override
    public void close() throws IOException {
      try {
        vault.close();
      } finally {
        delegate.close();
      }
    }

    @Override
    public String toString() {
      return delegate.toString();
    }
  }
}
