package io.github.roram.stash;

/**
 * The top m levels of a tree, and perhaps the first buckets of the next, held by the client (Path
 * ORAM, section 6; construction, section 2.2).
 *
 * <p>Where in those levels a block stands makes no difference to any path read or eviction, so the
 * blocks are simply held in the {@link Stash}. What the levels are needed for is their room: blocks
 * beyond it are the stash in the sense of the stash bounds. They are counted as blocks come and go,
 * as if each stood as far down as there is room.
 *
 * <p>Not thread safe.
 */
public final class Treetop {

  private final int levels;
  private final int part;
  private final int bucketSlots;

  /**
   * For bucket b of level j, at 2^j + b: the number of blocks that the levels from there up must
   * take.
   */
  private final int[] waiting;

  private int overflow;

  /**
   * Creates the treetop of a tree, without blocks.
   *
   * @param levels m
   * @param part number of buckets of level m, the first ones, that it also has
   * @param bucketSlots Z
   */
  public Treetop(int levels, int part, int bucketSlots) {
    this.levels = levels;
    this.part = part;
    this.bucketSlots = bucketSlots;
    waiting = new int[(1 << levels) + part];
  }

  /** Returns the number of blocks that no bucket of the treetop has room for. */
  public int overflow() {
    return overflow;
  }

  /** Adds a block with this label. */
  public void add(int label) {
    for (int level = lowest(label); level >= 0; level--) {
      if (++waiting[bucket(level, label)] <= bucketSlots) {
        return;
      }
    }
    overflow++;
  }

  /** Removes a block with this label. */
  public void remove(int label) {
    for (int level = lowest(label); level >= 0; level--) {
      if (waiting[bucket(level, label)]-- <= bucketSlots) {
        return;
      }
    }
    overflow--;
  }

  /** Returns the lowest level at which a label meets one of its buckets; −1 if there is none. */
  private int lowest(int label) {
    boolean isInPart = (label & ((1 << levels) - 1)) < part;
    return isInPart ? levels : levels - 1;
  }

  private static int bucket(int level, int label) {
    return (1 << level) + (label & ((1 << level) - 1));
  }
}
