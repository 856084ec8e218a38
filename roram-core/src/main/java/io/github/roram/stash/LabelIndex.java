package io.github.roram.stash;

import java.util.Arrays;

/**
 * Finds the blocks of a {@link Stash} that a path can take without walking the whole stash: for
 * trees that evict a path at a time beneath a large treetop.
 *
 * <p>Blocks are grouped by the bucket that their label meets at level m, the uppermost stored one.
 * Not thread safe.
 */
final class LabelIndex {

  private static final int NONE = -1;

  /** First slot of each group, and the slots in each. */
  private final int[] heads;

  private int[] next = {};
  private int[] previous = {};

  /**
   * An index of no blocks.
   *
   * @param levels m
   */
  LabelIndex(int levels) {
    heads = new int[1 << levels];
    Arrays.fill(heads, NONE);
  }

  /** A slot whose block meets the same bucket of level m as a label, or −1. */
  int first(int label) {
    return heads[group(label)];
  }

  /** Another such slot, or −1. */
  int next(int slot) {
    return next[slot];
  }

  private int group(int label) {
    return label & (heads.length - 1);
  }

  void added(int slot, int label) {
    if (slot >= next.length) {
      int capacity = Math.max(slot + 1, 2 * next.length);
      next = Arrays.copyOf(next, capacity);
      previous = Arrays.copyOf(previous, capacity);
    }
    int head = heads[group(label)];
    next[slot] = head;
    previous[slot] = NONE;
    if (head != NONE) {
      previous[head] = slot;
    }
    heads[group(label)] = slot;
  }

  void removed(int slot, int label) {
    if (previous[slot] == NONE) {
      heads[group(label)] = next[slot];
    } else {
      next[previous[slot]] = next[slot];
    }
    if (next[slot] != NONE) {
      previous[next[slot]] = previous[slot];
    }
  }
}
