package io.github.roram.map;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The leaves of a sorted map, indexed by the least key that each may have, and by number of
 * entries. Thread safety: safe.
 */
final class Fences {

  /** Most leaves that are examined to find one that can be joined with the next. */
  private static final int MOST_LOOKED_AT = 16;

  private final TreeMap<byte[], Leaf> leaves = new TreeMap<>(Arrays::compareUnsigned);
  private final TreeSet<Integer> free = new TreeSet<>();

  /** Leaves by number of entries. */
  private final List<Set<Leaf>> byUsed = new ArrayList<>();

  /** A leaf. Only {@link Fences} changes its number of entries. */
  static final class Leaf {
    private final byte[] fence;
    private final int number;
    private volatile int used;

    private Leaf(byte[] fence, int number, int used) {
      this.fence = fence;
      this.number = number;
      this.used = used;
    }

    /** Returns the least key that the leaf may have. */
    byte[] fence() {
      return fence;
    }

    int number() {
      return number;
    }

    int used() {
      return used;
    }
  }

  /** Creates fences of no leaves, each of which will have {@code slots} slots. */
  Fences(int slots) {
    for (int used = 0; used <= slots; used++) {
      byUsed.add(new LinkedHashSet<>());
    }
  }

  synchronized void add(byte[] fence, int number, int used) {
    free.remove(number);
    Leaf leaf = new Leaf(fence, number, used);
    leaves.put(fence, leaf);
    byUsed.get(used).add(leaf);
  }

  synchronized void addFree(int number) {
    free.add(number);
  }

  /** Removes a leaf and frees it. */
  synchronized void remove(Leaf leaf) {
    leaves.remove(leaf.fence);
    byUsed.get(leaf.used).remove(leaf);
    free.add(leaf.number);
  }

  synchronized boolean hasFree() {
    return !free.isEmpty();
  }

  /** Returns a free leaf. */
  synchronized int free() {
    return free.first();
  }

  synchronized void hasUsed(Leaf leaf, int used) {
    byUsed.get(leaf.used).remove(leaf);
    leaf.used = used;
    byUsed.get(used).add(leaf);
  }

  /** Returns the leaf of a key. */
  synchronized Leaf of(byte[] key) {
    return leaves.floorEntry(key).getValue();
  }

  /** Returns the next leaf; null after the last. */
  synchronized @Nullable Leaf after(Leaf leaf) {
    Map.Entry<byte[], Leaf> next = leaves.higherEntry(leaf.fence);
    return next == null ? null : next.getValue();
  }

  synchronized Leaf fullest() {
    for (int used = byUsed.size() - 1; ; used--) {
      if (!byUsed.get(used).isEmpty()) {
        return byUsed.get(used).iterator().next();
      }
    }
  }

  /** Returns a leaf that has fewer than {@code entries} entries with the next one, or null. */
  synchronized @Nullable Leaf lowerOfTwo(int entries) {
    int lookedAt = 0;
    for (int used = 0; used < entries && lookedAt < MOST_LOOKED_AT; used++) {
      for (Leaf leaf : byUsed.get(used)) {
        Leaf next = after(leaf);
        if (next != null && leaf.used + next.used < entries) {
          return leaf;
        }
        if (++lookedAt == MOST_LOOKED_AT) {
          break;
        }
      }
    }
    return null;
  }
}
