package io.github.roram.bench.paging.program;

import java.util.Arrays;

/**
 * For each literal the clauses that watch it, each with a literal of that clause that blocks it:
 * while that one is true, the clause need not be looked at.
 */
final class WatchLists {

  private final int[][] lists;
  private final int[] sizes;

  WatchLists(int literals) {
    lists = new int[literals][8];
    sizes = new int[literals];
  }

  void add(int literal, int clause, int blocker) {
    int at = 2 * sizes[literal];
    if (at == lists[literal].length) {
      lists[literal] = Arrays.copyOf(lists[literal], 2 * at);
    }
    sizes[literal]++;
    set(literal, at / 2, clause, blocker);
  }

  int size(int literal) {
    return sizes[literal];
  }

  int clause(int literal, int i) {
    return lists[literal][2 * i];
  }

  int blocker(int literal, int i) {
    return lists[literal][2 * i + 1];
  }

  void set(int literal, int i, int clause, int blocker) {
    lists[literal][2 * i] = clause;
    lists[literal][2 * i + 1] = blocker;
  }

  void shrink(int literal, int size) {
    sizes[literal] = size;
  }
}
