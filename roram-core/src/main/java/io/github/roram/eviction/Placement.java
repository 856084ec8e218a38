package io.github.roram.eviction;

import java.util.Arrays;

/**
 * Decides which block goes into which bucket of the paths being evicted: bottom-up, level by level
 * (rORAM, Algorithm 2, steps 6–11; Path ORAM, Algorithm, lines 10–15).
 *
 * <p>Blocks never move up: a bucket is offered first to the blocks that stood in it, then to those
 * from above (construction, section 2.2 step 3). So every block that was read finds a place, and
 * only blocks that the client held before can remain. How full each bucket gets is the same
 * whichever blocks are preferred.
 *
 * <p>Used by chunks of k evictions, which follow one another, and by write-backs of any k paths
 * (TaoStore, flush). Reusable. Not thread safe.
 */
public final class Placement {

  /** Origin of candidates that the client held. */
  public static final int FROM_CLIENT = -1;

  private static final int NONE = -1;

  /** The distinct buckets that some paths meet, numbered within their levels. */
  public interface Buckets {

    /** Returns the number of them at a level. */
    int width(int level);

    /**
     * Returns the number of a bucket among those of its level: 0 … width(level) − 1.
     *
     * @param path a path number, or a label, that meets the bucket
     * @return a number of at least width(level) if the bucket is none of them
     */
    int position(long path, int level);
  }

  /** The buckets of consecutive paths, without the first buckets of a level. */
  private record Consecutive(long firstPath, int paths, int partLevel, int part)
      implements Buckets {

    @Override
    public int width(int level) {
      return (int) Math.min(paths, 1L << level);
    }

    @Override
    public int position(long path, int level) {
      long mask = (1L << level) - 1;
      boolean isLeftOut = level == partLevel && (path & mask) < part;
      return isLeftOut ? Integer.MAX_VALUE : (int) ((path - firstPath) & mask);
    }
  }

  private int height;
  private int topLevel;
  private int slots;

  private Buckets buckets = new Consecutive(0, 0, 0, 0);

  private int candidates;
  private int[] labels = new int[256];
  private int[] origins = new int[256];
  private int[] next = new int[256];
  private int[] deepestHead = new int[32];

  private final int[] levelStart = new int[32];
  private int[] bucketHead = {};
  private int[] placed = {};

  /**
   * Starts a placement on paths {@code [firstPath, firstPath + paths)}.
   *
   * @param height h
   * @param topLevel m, the uppermost level that has buckets to fill
   * @param slots Z
   */
  public void begin(int height, int topLevel, int slots, long firstPath, int paths) {
    begin(height, topLevel, 0, slots, firstPath, paths);
  }

  /**
   * Begins a placement that leaves out some buckets of the uppermost level.
   *
   * @param part number of buckets to leave out, the first ones
   */
  public void begin(int height, int topLevel, int part, int slots, long firstPath, int paths) {
    begin(height, topLevel, slots, new Consecutive(firstPath, paths, topLevel, part));
  }

  /** Begins a placement in any buckets that include the parent of each bucket. */
  public void begin(int height, int topLevel, int slots, Buckets buckets) {
    this.height = height;
    this.topLevel = topLevel;
    this.slots = slots;
    this.buckets = buckets;
    candidates = 0;
    Arrays.fill(deepestHead, NONE);
    int count = 0;
    int widest = 0;
    for (int level = topLevel; level <= height; level++) {
      levelStart[level] = count;
      count += width(level);
      widest = Math.max(widest, width(level));
    }
    if (placed.length < count * slots) {
      placed = new int[count * slots];
    }
    if (bucketHead.length < widest) {
      bucketHead = new int[widest];
    }
  }

  /** Returns {@link Buckets#width}. */
  public int width(int level) {
    return buckets.width(level);
  }

  /** Returns {@link Buckets#position}. */
  public int position(long path, int level) {
    return buckets.position(path, level);
  }

  /**
   * Adds a block.
   *
   * @param origin the level that it was read from, or {@link #FROM_CLIENT}
   * @return its number: 0, 1, …; or −1 if it meets none of the buckets and so stays where it is
   */
  public int add(int label, int origin) {
    int deepest = height;
    while (deepest >= topLevel && position(label, deepest) >= width(deepest)) {
      deepest--;
    }
    if (deepest < topLevel) {
      return NONE;
    }
    int candidate = candidates++;
    if (candidate == labels.length) {
      int capacity = 2 * candidate;
      labels = Arrays.copyOf(labels, capacity);
      origins = Arrays.copyOf(origins, capacity);
      next = Arrays.copyOf(next, capacity);
    }
    labels[candidate] = label;
    origins[candidate] = origin;
    next[candidate] = deepestHead[deepest];
    deepestHead[deepest] = candidate;
    return candidate;
  }

  /** Fills the buckets. */
  public void place() {
    int waiting = NONE;
    for (int level = height; level >= topLevel; level--) {
      waiting = fillLevel(level, append(deepestHead[level], waiting));
    }
  }

  /** Returns the bytes of memory that it takes now. */
  public long heldBytes() {
    return (3L * labels.length + bucketHead.length + placed.length) * Integer.BYTES;
  }

  /** Returns the candidate in a slot of a bucket, or −1 if the slot stays empty. */
  public int placed(int level, int position, int slot) {
    return placed[(levelStart[level] + position) * slots + slot];
  }

  /**
   * Sorts the waiting blocks to the buckets of a level; returns the list of those without a place.
   */
  private int fillLevel(int level, int waiting) {
    int width = width(level);
    Arrays.fill(bucketHead, 0, width, NONE);
    int left = NONE;
    int candidate = waiting;
    while (candidate != NONE) {
      int following = next[candidate];
      int position = position(labels[candidate], level);
      if (position < width) {
        next[candidate] = bucketHead[position];
        bucketHead[position] = candidate;
      } else {
        next[candidate] = left;
        left = candidate;
      }
      candidate = following;
    }
    for (int position = 0; position < width; position++) {
      left = fillBucket(level, position, left);
    }
    return left;
  }

  private int fillBucket(int level, int position, int left) {
    int base = (levelStart[level] + position) * slots;
    int used = 0;
    for (int c = bucketHead[position]; c != NONE; c = next[c]) {
      if (origins[c] == level) {
        placed[base + used++] = c;
      }
    }
    int remaining = left;
    int candidate = bucketHead[position];
    while (candidate != NONE) {
      int following = next[candidate];
      if (origins[candidate] != level) {
        if (used < slots) {
          placed[base + used++] = candidate;
        } else {
          next[candidate] = remaining;
          remaining = candidate;
        }
      }
      candidate = following;
    }
    Arrays.fill(placed, base + used, base + slots, NONE);
    return remaining;
  }

  /** Concatenates two lists, walking the first. */
  private int append(int head, int tail) {
    if (head == NONE) {
      return tail;
    }
    int last = head;
    while (next[last] != NONE) {
      last = next[last];
    }
    next[last] = tail;
    return head;
  }
}
