package io.github.roram.storage;

import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.FencedVault;
import io.github.roram.store.FilterBlockStore;
import java.io.Closeable;
import java.io.IOException;

/**
 * A store and its vault, as {@link Stores} opens them. Once closing this or the store has begun,
 * the vault refuses changes: see {@link FencedVault}. Only then is the store itself closed and its
 * lock released.
 *
 * @param store the untrusted store
 * @param vault the client's records, valid while the store is open
 */
public record OpenedStore(BlockStore store, ClientVault vault) implements Closeable {

  /**
   * Puts the vault behind a fence.
   *
   * @param store the store; from now on, closing it closes the vault first
   */
  public OpenedStore {
    FencedVault fenced = FencedVault.of(vault);
    store = new ClosingStore(store, fenced, () -> {});
    vault = fenced;
  }

  /** Closes the vault and the store. */
  @Override
  public void close() throws IOException {
    store.close();
  }

  /**
   * Returns a store with a vault in a directory, which is released after both are closed.
   *
   * @param directory the directory, which is closed last
   */
  public static OpenedStore with(BlockStore store, ClientVault vault, Closeable directory) {
    return new OpenedStore(new ClosingStore(store, () -> {}, directory), vault);
  }

  /** A store with one resource that is closed before it, and one that is closed after it. */
  private static final class ClosingStore extends FilterBlockStore {
    private final Closeable before;
    private final Closeable after;

    ClosingStore(BlockStore store, Closeable before, Closeable after) {
      super(store);
      this.before = before;
      this.after = after;
    }

    @Override
    protected boolean letsReadsThrough() {
      return true;
    }

    @Override
    public AsyncBlockStore async(int requests) {
      return delegate.async(requests);
    }

    @Override
    public void close() throws IOException {
      try (after;
          delegate) {
        before.close();
      }
    }

    @Override
    public String toString() {
      return delegate.toString();
    }
  }
}
