package io.github.roram.storage;

/** What a {@link StoreOption} is for. */
public enum StoreUse {
  /** It affects how a store is created. */
  CREATE,
  /** It affects how an existing store is reached and accessed. */
  OPEN
}
