package io.github.roram.ring;

/**
 * Levels of a tree that lie one after another, each a ring of {@code 2^j + S} buckets.
 *
 * @param tree number of the tree, 0 … 65535
 * @param firstLevel number of the uppermost level
 * @param levels number of levels, at least 1
 * @param bucketBytes bytes of a sealed bucket, at least 1
 * @param slack S: number of evictions for which earlier versions stay intact
 * @param base byte offset of the first level
 * @param since the first eviction that writes the levels, if they were added to a tree; 0 if the
 *     tree was created with them
 */
public record LevelRun(
    int tree, int firstLevel, int levels, int bucketBytes, int slack, long base, long since) {

  /** The highest number of a level. */
  public static final int LAST_LEVEL = 30;

  private static final int MOST_TREES = 1 << 16;

  /** Checks the bounds, so that no offset overflows. */
  public LevelRun {
    check("tree", tree, 0, MOST_TREES - 1);
    check("first level", firstLevel, 0, LAST_LEVEL);
    check("number of levels", levels, 1, LAST_LEVEL + 1 - firstLevel);
    check("bucket bytes", bucketBytes, 1, 1 << 29);
    check("slack", slack, 0, 1 << 30);
    check("base", base, 0, Long.MAX_VALUE >> 1);
    check("first eviction", since, 0, Long.MAX_VALUE >> 1);
    if (bytes(levels, firstLevel, bucketBytes, slack) > (Long.MAX_VALUE >> 1)) {
      throw new IllegalArgumentException("the levels end beyond byte 2^62");
    }
  }

  /** Creates a run of levels with which their tree was created. */
  public LevelRun(int tree, int firstLevel, int levels, int bucketBytes, int slack, long base) {
    this(tree, firstLevel, levels, bucketBytes, slack, base, 0);
  }

  private static void check(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          what + " is " + value + ", must be " + least + " to " + most);
    }
  }

  /** Returns the number of bucket places of a level. */
  public long places(int level) {
    return (1L << level) + slack;
  }

  /** Returns the byte offset of a level. */
  public long offset(int level) {
    return base + bytes(level - firstLevel, firstLevel, bucketBytes, slack);
  }

  /** Returns the byte offset after the levels. */
  public long end() {
    return offset(firstLevel + levels);
  }

  /** Returns the bytes of {@code levels} levels; the largest number if they exceed it. */
  private static long bytes(int levels, int firstLevel, int bucketBytes, int slack) {
    long buckets = (((1L << levels) - 1) << firstLevel) + (long) levels * slack;
    return buckets > Long.MAX_VALUE / bucketBytes ? Long.MAX_VALUE : buckets * bucketBytes;
  }
}
