package io.github.roram;

/** What the adversary can see of a store, as declared by the user. */
public enum Adversary {
  /** The adversary sees all that the store can show: writes, and where it shows them, reads. */
  FULL,
  /**
   * The adversary sees the store's content at any time, but never which parts of it are read:
   * snapshots of a disk, or memory that an enclave shares with its host. If you declare this for a
   * server, its operator learns which blocks are read.
   */
  SNAPSHOTS
}
