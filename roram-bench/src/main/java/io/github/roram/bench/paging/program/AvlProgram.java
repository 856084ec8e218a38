package io.github.roram.bench.paging.program;

import io.github.roram.bench.paging.program.PagedPrograms.Program;
import io.github.roram.paging.Memory;
import java.util.SplittableRandom;

/**
 * Insertions into and deletions from an AVL tree: the paper's {@code Avl_tree}. Each operation
 * takes a random key, deletes it if it is there and inserts it if not.
 *
 * @param operations insertions and deletions
 * @param keys how many different keys there are; about half of them end up in the tree
 * @param nodeBytes what a node takes, payload included
 */
public record AvlProgram(int operations, int keys, int nodeBytes) implements Program {

  @Override
  public String id() {
    return "avl-tree";
  }

  @Override
  public String description() {
    return operations
        + " insertions and deletions, "
        + keys
        + " keys, nodes of "
        + nodeBytes
        + " bytes";
  }

  @Override
  public long bytes() {
    return (keys + 1L) * nodeBytes;
  }

  @Override
  public Run start(Memory memory) {
    SplittableRandom random = new SplittableRandom(operations);
    AvlTree tree = new AvlTree(memory, nodeBytes);
    return new Run() {
      private int done;
      private long sum;

      @Override
      public boolean step() {
        if (done == operations) {
          return false;
        }
        int key = random.nextInt(keys);
        boolean deleted = tree.delete(key);
        if (!deleted) {
          tree.insert(key);
        }
        sum = sum * 31 + key + (deleted ? 1 : 0);
        done++;
        return true;
      }

      @Override
      public long result() {
        return sum * 31 + tree.size();
      }
    };
  }

  /**
   * A set of ints as a balanced search tree (Adelson-Velsky and Landis, 1962) whose nodes lie in a
   * memory. Node 0 is no node. Not thread safe.
   */
  static final class AvlTree {

    private static final int NONE = 0;
    private static final int KEY = 0;
    private static final int LEFT = 4;
    private static final int RIGHT = 8;
    private static final int HEIGHT = 12;

    private final Memory memory;
    private final int nodeBytes;
    private int root = NONE;
    private int free = NONE;
    private int nodes;
    private int size;
    private boolean changed;

    AvlTree(Memory memory, int nodeBytes) {
      this.memory = memory;
      this.nodeBytes = nodeBytes;
    }

    int size() {
      return size;
    }

    /** Adds a key; whether it was missing. */
    boolean insert(int key) {
      changed = false;
      root = insert(root, key);
      size += changed ? 1 : 0;
      return changed;
    }

    /** Removes a key; whether it was there. */
    boolean delete(int key) {
      changed = false;
      root = delete(root, key);
      size -= changed ? 1 : 0;
      return changed;
    }

    private int get(int node, int field) {
      return memory.getInt((long) node * nodeBytes + field);
    }

    private void set(int node, int field, int value) {
      memory.putInt((long) node * nodeBytes + field, value);
    }

    private int insert(int node, int key) {
      if (node == NONE) {
        changed = true;
        return newNode(key);
      }
      int own = get(node, KEY);
      if (key == own) {
        return node;
      }
      int side = key < own ? LEFT : RIGHT;
      set(node, side, insert(get(node, side), key));
      return changed ? balanced(node) : node;
    }

    private int newNode(int key) {
      int node = free;
      if (node == NONE) {
        node = ++nodes;
      } else {
        free = get(node, LEFT);
      }
      set(node, KEY, key);
      set(node, LEFT, NONE);
      set(node, RIGHT, NONE);
      set(node, HEIGHT, 1);
      return node;
    }

    private int delete(int node, int key) {
      if (node == NONE) {
        return NONE;
      }
      int own = get(node, KEY);
      if (key == own) {
        changed = true;
        return withoutRoot(node);
      }
      int side = key < own ? LEFT : RIGHT;
      int child = get(node, side);
      int rest = delete(child, key);
      if (!changed) {
        return node;
      }
      if (rest != child) {
        set(node, side, rest);
      }
      return balanced(node);
    }

    private int withoutRoot(int node) {
      int left = get(node, LEFT);
      int right = get(node, RIGHT);
      if (left == NONE || right == NONE) {
        set(node, LEFT, free);
        free = node;
        return left == NONE ? right : left;
      }
      int next = right;
      for (int lower = get(next, LEFT); lower != NONE; lower = get(next, LEFT)) {
        next = lower;
      }
      int key = get(next, KEY);
      set(node, KEY, key);
      set(node, RIGHT, delete(right, key));
      return balanced(node);
    }

    private int height(int node) {
      return node == NONE ? 0 : get(node, HEIGHT);
    }

    private int lean(int node) {
      return height(get(node, LEFT)) - height(get(node, RIGHT));
    }

    private void measure(int node) {
      set(node, HEIGHT, 1 + Math.max(height(get(node, LEFT)), height(get(node, RIGHT))));
    }

    private int balanced(int node) {
      int lean = lean(node);
      if (lean > 1) {
        int left = get(node, LEFT);
        if (lean(left) < 0) {
          set(node, LEFT, rotated(left, RIGHT, LEFT));
        }
        return rotated(node, LEFT, RIGHT);
      }
      if (lean < -1) {
        int right = get(node, RIGHT);
        if (lean(right) > 0) {
          set(node, RIGHT, rotated(right, LEFT, RIGHT));
        }
        return rotated(node, RIGHT, LEFT);
      }
      measure(node);
      return node;
    }

    /** Returns the child of that side above its parent. */
    private int rotated(int node, int side, int other) {
      int up = get(node, side);
      set(node, side, get(up, other));
      set(up, other, node);
      measure(node);
      measure(up);
      return up;
    }

    /** Throws unless keys are ordered, heights right and differ by one at most. */
    void check() {
      if (check(root, Long.MIN_VALUE, Long.MAX_VALUE)[1] != size) {
        throw new IllegalStateException("the tree does not have " + size + " nodes");
      }
    }

    private int[] check(int node, long above, long below) {
      if (node == NONE) {
        return new int[] {0, 0};
      }
      int key = get(node, KEY);
      int[] left = check(get(node, LEFT), above, key);
      int[] right = check(get(node, RIGHT), key, below);
      int height = 1 + Math.max(left[0], right[0]);
      if (key <= above
          || key >= below
          || Math.abs(left[0] - right[0]) > 1
          || get(node, HEIGHT) != height) {
        throw new IllegalStateException("node " + node + " with key " + key + " is out of place");
      }
      return new int[] {height, 1 + left[1] + right[1]};
    }
  }
}
