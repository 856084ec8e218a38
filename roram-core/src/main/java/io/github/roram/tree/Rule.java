package io.github.roram.tree;

/**
 * What accesses that overlap keep to. Each has a test that fails without it: that is what the
 * switches are for. They are off in tests alone.
 */
public enum Rule {
  /**
   * A read planned when cnt evictions are done takes the buckets of that version, whenever the
   * store gets to it. Without: those that the chunk under way is going to leave.
   */
  VERSION,
  /**
   * A chunk is begun only if its last eviction is at most S beyond what a read under way was
   * planned for, and beyond the last durable commit. Without: whenever it is due.
   */
  FLOOR,
  /** What a read under way is about to bring is not offered to evictions, nor let go of. */
  PIN,
  /** A chunk lets only those blocks go that are as they were when they were offered. */
  STAMP,
  /** A range whose read is under way is not shown again: a random run is. */
  ONCE,
  /** Reads are applied in order, after all earlier ones have arrived. Without: once any has. */
  ORDER,
  /**
   * The client's state is that before a chunk until its buckets are written. Without: once they are
   * placed.
   */
  STATE,
  /**
   * A chunk is of the key epoch that it was sealed in. Without: of the one in use when it is
   * written.
   */
  EPOCH,
  /**
   * A chunk is read while the one before it is written only if they have no bucket below the
   * treetop in common. Without: whenever it is due.
   */
  APART,
  /** A chunk is placed only once the one before it is recorded. Without: once it has been read. */
  TURN
}
