package io.github.roram.tree;

/**
 * Tells which copies are current to one who meets the buckets of a tree root side first: of two
 * buckets on a path that nearer the root before the other.
 */
@FunctionalInterface
public interface RootFirst {

  /** A bucket is met; what is asked next is of it. */
  default void enter(byte[] plain) {}

  /** Whether a copy in it is not known to be stale: see {@link Liveness#isCurrent}. */
  boolean isCurrent(int level, int bucket, int slot, int address, int label);
}
