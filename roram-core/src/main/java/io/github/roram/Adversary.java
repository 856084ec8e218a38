package io.github.roram;

/** What the adversary is able to see of a store, as the user declares it. */
public enum Adversary {
  /** All that the store can show: writes, and reads where the store shows them. The default. */
  FULL,
  /**
   * The adversary sees the store's content, at any time, and never what is read of it: snapshots of
   * a disk, memory that an enclave shares with its host. Declaring this of a server shows its
   * operator which blocks are read.
   */
  SNAPSHOTS
}
