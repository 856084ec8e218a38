package io.github.roram.path;

/** What an access does with its block while the client holds it. */
@FunctionalInterface
interface BlockUpdate {

  /** Reads or changes the block at {@code array[offset …]}; all zeros if it was never written. */
  void apply(byte[] array, int offset);
}
