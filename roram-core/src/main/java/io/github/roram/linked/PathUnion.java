package io.github.roram.linked;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntIntHashMap;
import io.github.roram.eviction.Placement;
import io.github.roram.tree.TreeGeometry;

/**
 * The stored buckets that some paths meet, each once, numbered level by level from the root: the
 * units of a request. Immutable.
 */
final class PathUnion implements Placement.Buckets {

  /** Parent of the buckets of the uppermost stored level. */
  static final int NONE = -1;

  private final TreeGeometry geometry;

  /** The units by key, for levels with several units. */
  private final IntIntHashMap unitOfKey;

  private final IntArrayList keys = new IntArrayList();
  private final IntArrayList parents = new IntArrayList();
  private final IntArrayList paths = new IntArrayList();

  /** The first unit of each level, and the end of the last. */
  private final int[] starts;

  /** Creates the union of the paths of some labels. */
  PathUnion(TreeGeometry geometry, int... labels) {
    this.geometry = geometry;
    unitOfKey = new IntIntHashMap(labels.length == 1 ? 0 : labels.length);
    starts = new int[geometry.height() + 2];
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      for (int path = 0; path < labels.length; path++) {
        add(level, labels[path], path, labels.length == 1);
      }
      starts[level + 1] = units();
    }
  }

  private void add(int level, int label, int path, boolean isOnly) {
    int key = key(level, geometry.bucket(label, level));
    if (isOnly || unitOfKey.putIfAbsent(key, keys.size())) {
      keys.add(key);
      parents.add(level == geometry.treetopLevels() ? NONE : find(level - 1, label));
      paths.add(path);
    }
  }

  /** Returns one number for level and bucket; the position of its highest bit is the level. */
  static int key(int level, int bucket) {
    return 1 << level | bucket;
  }

  /** Returns the number of buckets. */
  int units() {
    return keys.size();
  }

  /** Returns the {@linkplain #key(int, int) key} of a unit's level and bucket. */
  int key(int unit) {
    return keys.get(unit);
  }

  int level(int unit) {
    return levelOfKey(key(unit));
  }

  private static int levelOfKey(int key) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(key);
  }

  /** Returns the number of the bucket in its level. */
  int bucket(int unit) {
    return key(unit) ^ Integer.highestOneBit(key(unit));
  }

  /** Returns the unit of the bucket above, or {@link #NONE}. */
  int parent(int unit) {
    return parents.get(unit);
  }

  /** Returns which child of the bucket above it is: 0 or 1. */
  int side(int unit) {
    return bucket(unit) >>> (level(unit) - 1) & 1;
  }

  /**
   * Returns the number of the first of the paths that meet it: another one for each bucket of a
   * level.
   */
  int path(int unit) {
    return paths.get(unit);
  }

  /** Returns the unit of the bucket that a label meets at a level, or −1. */
  int find(int level, long label) {
    return unitOfKey(level, key(level, geometry.bucket(label, level)));
  }

  private int unitOfKey(int level, int key) {
    int first = starts[level];
    if (width(level) == 1) {
      return keys.get(first) == key ? first : NONE;
    }
    return unitOfKey.getOrDefault(key, NONE);
  }

  @Override
  public int width(int level) {
    return starts[level + 1] - starts[level];
  }

  @Override
  public int position(long path, int level) {
    int unit = find(level, path);
    return unit < 0 ? width(level) : unit - starts[level];
  }

  /** Returns whether a bucket is one of them. */
  boolean contains(int key) {
    return unitOfKey(levelOfKey(key), key) != NONE;
  }
}
