package io.github.roram.testkit;

import io.github.roram.store.BlockStore;
import io.github.roram.store.FilterBlockStore;

/** A store that computes the XOR of units, and lets the store below see that each one is read. */
public final class XorStore extends FilterBlockStore {

  /** Wraps a store, which it closes. */
  public XorStore(BlockStore below) {
    super(below);
  }

  @Override
  public boolean computesXor() {
    return true;
  }
}
