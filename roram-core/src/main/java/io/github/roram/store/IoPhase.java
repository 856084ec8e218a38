package io.github.roram.store;

/** The purpose of a batch of extents. It is public: it depends on the schedule alone. */
public enum IoPhase {
  /** Superblock or inspection. */
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
