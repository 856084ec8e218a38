package io.github.roram.testkit;

import io.github.roram.store.BlockStore;
import io.github.roram.store.FilterBlockStore;

/** A store that computes the XOR of units, and shows the store below that it reads each of them. */
public final class XorStore extends FilterBlockStore {

  /** Over another store, which it closes. */
  public XorStore(BlockStore below) {
    super(below);
  }

  @Override
  public boolean computesXor() {
    return true;
  }
}
