package io.github.roram.bench.paging.program;

import io.github.roram.paging.Memory;

/** Clauses one behind the other, as ints: how many literals, then the literals. */
final class ClauseMemory {

  private final Memory memory;
  private int end;

  ClauseMemory(Memory memory) {
    this.memory = memory;
  }

  /** Appends a clause, and returns where it is. */
  int add(int[] literals, int count) {
    int clause = end;
    memory.putInt(place(clause), count);
    memory.putInts(place(clause + 1), literals, 0, count);
    end += 1 + count;
    return clause;
  }

  private static long place(int index) {
    return (long) index * Integer.BYTES;
  }

  int size(int clause) {
    return memory.getInt(place(clause));
  }

  int literal(int clause, int i) {
    return memory.getInt(place(clause + 1 + i));
  }

  void swap(int clause, int i, int j) {
    int first = literal(clause, i);
    memory.putInt(place(clause + 1 + i), literal(clause, j));
    memory.putInt(place(clause + 1 + j), first);
  }
}
