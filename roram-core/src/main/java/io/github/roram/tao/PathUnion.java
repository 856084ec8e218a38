package io.github.roram.tao;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntIntHashMap;
import io.github.roram.tree.TreeGeometry;

/**
 * The stored buckets that some paths meet, each once, numbered level by level, root side first: the
 * units of a request. Immutable.
 */
final class PathUnion {

  /** The parent of buckets of the uppermost stored level. */
  static final int NONE = -1;

  private final TreeGeometry geometry;
  private final IntIntHashMap unitOf = new IntIntHashMap();
  private final IntArrayList keys = new IntArrayList();
  private final IntArrayList parents = new IntArrayList();
  private final IntArrayList paths = new IntArrayList();

  /** The buckets of the paths of these labels. */
  PathUnion(TreeGeometry geometry, int... labels) {
    this.geometry = geometry;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      for (int path = 0; path < labels.length; path++) {
        add(level, labels[path], path);
      }
    }
  }

  private void add(int level, int label, int path) {
    int key = key(level, geometry.bucket(label, level));
    if (unitOf.putIfAbsent(key, keys.size())) {
      keys.add(key);
      parents.add(level == geometry.treetopLevels() ? NONE : find(level - 1, label));
      paths.add(path);
    }
  }

  /** One number for level and bucket; the level is that of its uppermost bit. */
  static int key(int level, int bucket) {
    return 1 << level | bucket;
  }

  /** Number of buckets. */
  int units() {
    return keys.size();
  }

  /** Level and bucket of a unit. */
  int key(int unit) {
    return keys.get(unit);
  }

  int level(int unit) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(key(unit));
  }

  /** Number of the bucket in its level. */
  int bucket(int unit) {
    return key(unit) ^ Integer.highestOneBit(key(unit));
  }

  /** The unit of the bucket above, or {@link #NONE}. */
  int parent(int unit) {
    return parents.get(unit);
  }

  /** Which child of the bucket above it is: 0 or 1. */
  int side(int unit) {
    return bucket(unit) >>> (level(unit) - 1) & 1;
  }

  /** The number of the first of the paths that meet it: another one for each bucket of a level. */
  int path(int unit) {
    return paths.get(unit);
  }

  /** The unit of the bucket that a label meets at a level, or −1. */
  int find(int level, int label) {
    return unitOf.getOrDefault(key(level, geometry.bucket(label, level)), NONE);
  }

  /** The deepest unit that a label meets, or −1. */
  int deepest(int label) {
    int deepest = NONE;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      int unit = find(level, label);
      if (unit < 0) {
        break;
      }
      deepest = unit;
    }
    return deepest;
  }

  /** Whether a bucket is one of them. */
  boolean contains(int key) {
    return unitOf.containsKey(key);
  }
}
