package io.github.roram;

/** What the adversary is able to see of a store, as the user declares it. */
public enum Adversary {
  /** All that the store can show: writes, and reads where the store shows them. The default. */
  FULL,
  /**
   * What the store holds, as often as the adversary likes, and never what is read of it: snapshots
   * of a disk, memory that an enclave shares with its host. Whoever declares this of a server gives
   * that server's operator which blocks are read.
   */
  SNAPSHOTS
}
