package io.github.roram.storage.file;

import io.github.roram.storage.OpenedStore;
import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.FilterBlockStore;
import java.io.IOException;

/** A store whose client's records are in a state directory, which is closed with it. */
public final class StoreWithState extends FilterBlockStore {

  private final StateDirectory state;

  private StoreWithState(BlockStore store, StateDirectory state) {
    super(store);
    this.state = state;
  }

  /** The store with the vault of its state directory; closing the result closes both. */
  public static OpenedStore opened(BlockStore store, StateDirectory state) {
    return new OpenedStore(new StoreWithState(store, state), state.vault());
  }

  @Override
  public AsyncBlockStore async(int requests) {
    return delegate.async(requests);
  }

  @Override
  public void close() throws IOException {
    try {
      delegate.close();
    } finally {
      state.close();
    }
  }

  @Override
  public String toString() {
    return delegate.toString();
  }
}
