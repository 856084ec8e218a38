package io.github.roram.tao;

import java.util.Arrays;

/**
 * Decides which block goes into which bucket of a union of paths: bottom-up, as deep as can be
 * (TaoStore, flush; Path ORAM, Algorithm, lines 10–15). What {@code eviction.Placement} does for
 * paths that follow one another, this does for any.
 *
 * <p>Blocks never move up: a bucket is offered first to the blocks that stood in it. So every block
 * that was read finds a place, and only blocks that the client held before can remain.
 */
final class UnionPlacement {

  /** Origin of candidates that the client held. */
  static final int FROM_CLIENT = -1;

  private static final int NONE = -1;

  private final PathUnion union;
  private final int slots;
  private final int[] heads;
  private final int[] placed;
  private int candidates;
  private int[] origins = new int[256];
  private int[] next = new int[256];

  /**
   * No candidates yet.
   *
   * @param slots Z
   */
  UnionPlacement(PathUnion union, int slots) {
    this.union = union;
    this.slots = slots;
    heads = new int[union.units()];
    placed = new int[union.units() * slots];
    Arrays.fill(heads, NONE);
    Arrays.fill(placed, NONE);
  }

  /**
   * Adds a block.
   *
   * @param origin the unit that it stood in, or {@link #FROM_CLIENT}
   * @return its number: 0, 1, …; or −1 if it meets none of the buckets and so stays where it is
   */
  int add(int label, int origin) {
    int deepest = union.deepest(label);
    if (deepest < 0) {
      return NONE;
    }
    int candidate = candidates++;
    if (candidate == next.length) {
      next = Arrays.copyOf(next, 2 * candidate);
      origins = Arrays.copyOf(origins, 2 * candidate);
    }
    origins[candidate] = origin;
    append(deepest, candidate);
    return candidate;
  }

  private void append(int unit, int candidate) {
    next[candidate] = heads[unit];
    heads[unit] = candidate;
  }

  /** Fills the buckets, each after those below it. */
  void place() {
    for (int unit = union.units() - 1; unit >= 0; unit--) {
      fill(unit);
    }
  }

  private void fill(int unit) {
    int base = unit * slots;
    int used = 0;
    for (int candidate = heads[unit]; candidate != NONE; candidate = next[candidate]) {
      if (origins[candidate] == unit) {
        placed[base + used++] = candidate;
      }
    }
    int candidate = heads[unit];
    while (candidate != NONE) {
      int following = next[candidate];
      if (origins[candidate] != unit) {
        if (used < slots) {
          placed[base + used++] = candidate;
        } else if (union.parent(unit) != PathUnion.NONE) {
          append(union.parent(unit), candidate);
        }
      }
      candidate = following;
    }
  }

  /** The candidate in a slot of a bucket, or −1 if the slot stays empty. */
  int placed(int unit, int slot) {
    return placed[unit * slots + slot];
  }
}
