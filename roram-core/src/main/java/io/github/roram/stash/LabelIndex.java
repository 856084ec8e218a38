package io.github.roram.stash;

import java.util.Arrays;

/**
 * Finds the blocks of a {@link Stash} that a path can take, and keeps count of those that no bucket
 * of the treetop has room for, without walking the whole stash: for trees that evict a path at a
 * time beneath a large treetop.
 *
 * <p>Blocks are grouped by the bucket that their label meets at level m, the uppermost stored one.
 * Not thread safe.
 */
final class LabelIndex {

  private static final int NONE = -1;

  private final int levels;
  private final int bucketSlots;

  /** First slot of each group, and the slots in each. */
  private final int[] heads;

  private int[] next = {};
  private int[] previous = {};

  /** Of bucket b of level j, at 2^j + b: how many blocks the levels from there up have to take. */
  private final int[] waiting;

  private int overflow;

  /**
   * An index of no blocks.
   *
   * @param levels m
   * @param bucketSlots Z
   */
  LabelIndex(int levels, int bucketSlots) {
    this.levels = levels;
    this.bucketSlots = bucketSlots;
    heads = new int[1 << levels];
    Arrays.fill(heads, NONE);
    waiting = new int[1 << levels];
  }

  /** Number of blocks that no bucket of the levels above m has room for. */
  int overflow() {
    return overflow;
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
    for (int level = levels - 1; level >= 0; level--) {
      if (++waiting[bucket(level, label)] <= bucketSlots) {
        return;
      }
    }
    overflow++;
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
    for (int level = levels - 1; level >= 0; level--) {
      if (waiting[bucket(level, label)]-- <= bucketSlots) {
        return;
      }
    }
    overflow--;
  }

  private static int bucket(int level, int label) {
    return (1 << level) + (label & ((1 << level) - 1));
  }
}
