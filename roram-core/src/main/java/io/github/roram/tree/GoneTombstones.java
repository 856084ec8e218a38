package io.github.roram.tree;

import java.util.BitSet;

/**
 * Which of the tombstones that the client held of a tree left by a chunk of evictions, by their
 * numbers in their order.
 *
 * @param held how many it held before
 * @param gone the numbers of those that left
 */
public record GoneTombstones(int held, BitSet gone) {

  /** Of a tree that has none. */
  public static final GoneTombstones NONE = new GoneTombstones(0, new BitSet());
}
