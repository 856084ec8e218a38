package io.github.roram.storage;

/** What a {@link StoreOption} is for. */
public enum StoreUse {
  /** It shapes a store that is being created. */
  CREATE,
  /** It says how a store that exists is reached and accessed. */
  OPEN
}
