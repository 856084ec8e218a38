package io.github.roram.tree;

import io.github.roram.stash.Stash;
import java.util.Arrays;

/**
 * The top m levels of a tree, and perhaps the first buckets of the next, held by the client (Path
 * ORAM, section 6; construction, section 2.2).
 *
 * <p>Where in those levels a block stands makes no difference to any path read or eviction, so the
 * blocks are simply held in the {@link Stash}. What the levels are needed for is their room: blocks
 * beyond it are the stash in the sense of the stash bounds.
 */
public final class Treetop {

  private final TreeGeometry geometry;
  private final int[] waiting;

  /** The lowest level that has buckets of the treetop; −1 if none has. */
  private final int lowest;

  /** The treetop of a tree. */
  public Treetop(TreeGeometry geometry) {
    this.geometry = geometry;
    waiting = new int[1 << geometry.treetopLevels()];
    lowest = geometry.treetopLevels() - (geometry.treetopPart() > 0 ? 0 : 1);
  }

  /**
   * Number of blocks held that no bucket of the treetop can take: greedily, from its lowest level.
   */
  public int overflow(Stash stash) {
    if (geometry.treetopLevels() == 0) {
      return stash.size();
    }
    Arrays.fill(waiting, 0);
    for (int slot = 0; slot < stash.slots(); slot++) {
      if (stash.address(slot) >= 0) {
        waiting[geometry.bucket(stash.label(slot), lowest)]++;
      }
    }
    return overflow();
  }

  /** As above, of tombstones. */
  int overflow(TombstoneLiveness held) {
    if (geometry.treetopLevels() == 0) {
      return held.size();
    }
    Arrays.fill(waiting, 0);
    for (int index = 0; index < held.size(); index++) {
      waiting[geometry.bucket(held.label(index), lowest)]++;
    }
    return overflow();
  }

  /** Of what waits at the lowest level. */
  private int overflow() {
    for (int level = lowest; level > 0; level--) {
      int half = 1 << (level - 1);
      for (int bucket = 0; bucket < half; bucket++) {
        waiting[bucket] = beyond(level, bucket) + beyond(level, bucket + half);
      }
    }
    return beyond(0, 0);
  }

  /** What of the blocks that wait at a bucket finds no room in it; none does in a stored one. */
  private int beyond(int level, int bucket) {
    boolean held = level < geometry.treetopLevels() || bucket < geometry.treetopPart();
    return held ? Math.max(0, waiting[bucket] - geometry.slots()) : waiting[bucket];
  }
}
