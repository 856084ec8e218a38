package io.github.roram.bench.paging.program;

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
}
