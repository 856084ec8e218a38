package io.github.roram.store;

/** What a batch of extents is for. Public knowledge: it follows from the schedule alone. */
public enum IoPhase {
  /** Superblock, inspection. */
  META,
  /** Paths read to answer an access. */
  READ,
  /** Paths read by an eviction. */
  EVICT_READ,
  /** Paths written by an eviction. */
  EVICT_WRITE,
  /** Paths of a recursive position map, read or written. */
  POSITION_MAP,
  /** Sequential fill of a whole tree. */
  BULK_LOAD
}
