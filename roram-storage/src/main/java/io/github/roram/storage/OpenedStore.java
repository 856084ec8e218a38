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
    store = new ClosingStore(store, fenced, () -> {});
    vault = fenced;
  }

  /** Closes the vault and the store. */
  @Override
  public void close() throws IOException {
    store.close();
  }

  /**
   * A store and the vault in a directory, which is let go of after both were closed.
   *
   * @param directory what is closed last
   */
  public static OpenedStore with(BlockStore store, ClientVault vault, Closeable directory) {
    return new OpenedStore(new ClosingStore(store, () -> {}, directory), vault);
  }

  /** A store with something that is closed before it, and something that is closed after it. */
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
