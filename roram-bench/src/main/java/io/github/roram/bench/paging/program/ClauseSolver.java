package io.github.roram.bench.paging.program;

import io.github.roram.bench.paging.program.Satisfiability.Dimacs.Formula;
import io.github.roram.paging.Memory;
import java.util.Arrays;

/**
 * Conflict-driven clause learning (Marques-Silva and Sakallah 1996; Moskewicz et al. 2001): two
 * watched literals with blockers, first unique implication point, activities that decay, saved
 * phases, restarts in a geometric sequence. Learnt clauses are never deleted. The clauses lie in a
 * memory; assignment, trail and watch lists are the solver's own. Literal 2v is variable v, 2v + 1
 * its negation. Not thread safe.
 */
final class ClauseSolver {

  /** The answer, as far as it is known. */
  enum Answer {
    UNKNOWN,
    SATISFIABLE,
    UNSATISFIABLE
  }

  private static final int NONE = -1;
  private static final double DECAY = 1 / 0.95;
  private static final double RESCALE = 1e100;
  private static final int FIRST_RESTART = 100;
  private static final double RESTART_GROWTH = 1.3;

  private final ClauseMemory clauses;
  private final WatchLists watches;
  private final int variables;
  private final byte[] value;
  private final boolean[] phase;
  private final int[] level;
  private final int[] reason;
  private final double[] activity;
  private final boolean[] seen;
  private final int[] trail;
  private final int[] levelStart;
  private final int[] learnt;
  private int trailSize;
  private int propagated;
  private int levels;
  private double increment = 1;
  private int conflicts;
  private double restartInterval = FIRST_RESTART;
  private double nextRestart = FIRST_RESTART;
  private Answer answer = Answer.UNKNOWN;
  private long trace;

  ClauseSolver(Formula formula, Memory memory) {
    clauses = new ClauseMemory(memory);
    variables = formula.variables();
    watches = new WatchLists(2 * variables);
    value = new byte[variables];
    phase = new boolean[variables];
    level = new int[variables];
    reason = new int[variables];
    activity = new double[variables];
    seen = new boolean[variables];
    trail = new int[variables];
    levelStart = new int[variables + 1];
    learnt = new int[variables];
    for (int[] clause : formula.clauses()) {
      int[] literals =
          Arrays.stream(clause).map(l -> 2 * (Math.abs(l) - 1) + (l < 0 ? 1 : 0)).toArray();
      if (!add(literals)) {
        answer = Answer.UNSATISFIABLE;
      }
    }
  }

  Answer answer() {
    return answer;
  }

  int conflicts() {
    return conflicts;
  }

  /** Returns a number derived from every learnt clause. */
  long trace() {
    return trace;
  }

  /** Returns the assignment; variable v of the formula is at index v. */
  boolean[] assignment() {
    boolean[] assignment = new boolean[variables + 1];
    for (int i = 0; i < variables; i++) {
      assignment[i + 1] = value[i] > 0;
    }
    return assignment;
  }

  private boolean add(int[] literals) {
    if (literals.length == 1) {
      if (valueOf(literals[0]) == 0) {
        assign(literals[0], NONE);
      }
      return valueOf(literals[0]) > 0;
    }
    watch(clauses.add(literals, literals.length), literals[0], literals[1]);
    return literals.length > 0;
  }

  private void watch(int clause, int first, int second) {
    watches.add(first, clause, second);
    watches.add(second, clause, first);
  }

  /** Returns 1 for true, −1 for false, 0 for open. */
  private int valueOf(int literal) {
    int v = value[literal >> 1];
    return (literal & 1) == 0 ? v : -v;
  }

  private void assign(int literal, int because) {
    int variable = literal >> 1;
    value[variable] = (byte) ((literal & 1) == 0 ? 1 : -1);
    level[variable] = levels;
    reason[variable] = because;
    trail[trailSize++] = literal;
  }

  /** Decides and propagates until a conflict was learnt from, or the answer is known. */
  void untilNextConflict() {
    while (answer == Answer.UNKNOWN) {
      int conflict = propagate();
      if (conflict != NONE) {
        conflicts++;
        if (levels == 0) {
          answer = Answer.UNSATISFIABLE;
        } else {
          learn(conflict);
        }
        return;
      }
      if (conflicts >= nextRestart) {
        restartInterval *= RESTART_GROWTH;
        nextRestart = conflicts + restartInterval;
        backTo(0);
      }
      decide();
    }
  }

  private void decide() {
    int best = NONE;
    for (int i = 0; i < variables; i++) {
      if (value[i] == 0 && (best == NONE || activity[i] > activity[best])) {
        best = i;
      }
    }
    if (best == NONE) {
      answer = Answer.SATISFIABLE;
      return;
    }
    levelStart[levels++] = trailSize;
    assign(2 * best + (phase[best] ? 0 : 1), NONE);
  }

  /** Returns the clause that became false, or none. */
  private int propagate() {
    while (propagated < trailSize) {
      int falsified = trail[propagated++] ^ 1;
      int kept = 0;
      int conflict = NONE;
      int size = watches.size(falsified);
      for (int i = 0; i < size; i++) {
        int clause = watches.clause(falsified, i);
        int blocker = watches.blocker(falsified, i);
        if (conflict != NONE || valueOf(blocker) > 0) {
          watches.set(falsified, kept++, clause, blocker);
          continue;
        }
        int other = watchElsewhere(clause, falsified);
        if (other == NONE) {
          continue;
        }
        watches.set(falsified, kept++, clause, other);
        if (valueOf(other) < 0) {
          conflict = clause;
        } else if (valueOf(other) == 0) {
          assign(other, clause);
        }
      }
      watches.shrink(falsified, kept);
      if (conflict != NONE) {
        return conflict;
      }
    }
    return NONE;
  }

  /** Finds another literal to watch; if there is none, returns the one watched next to it. */
  private int watchElsewhere(int clause, int falsified) {
    if (clauses.literal(clause, 0) == falsified) {
      clauses.swap(clause, 0, 1);
    }
    int other = clauses.literal(clause, 0);
    if (valueOf(other) > 0) {
      return other;
    }
    int size = clauses.size(clause);
    for (int i = 2; i < size; i++) {
      int literal = clauses.literal(clause, i);
      if (valueOf(literal) >= 0) {
        clauses.swap(clause, 1, i);
        watches.add(literal, clause, other);
        return NONE;
      }
    }
    return other;
  }

  /** Resolves back to the first unique implication point, and asserts its negation. */
  private void learn(int conflict) {
    int count = 1;
    int open = 0;
    int at = trailSize;
    int clause = conflict;
    int pivot = NONE;
    do {
      int size = clauses.size(clause);
      for (int i = 0; i < size; i++) {
        int literal = clauses.literal(clause, i);
        int variable = literal >> 1;
        if (literal != pivot && !seen[variable] && level[variable] > 0) {
          seen[variable] = true;
          bump(variable);
          if (level[variable] == levels) {
            open++;
          } else {
            learnt[count++] = literal;
          }
        }
      }
      do {
        pivot = trail[--at];
      } while (!seen[pivot >> 1]);
      seen[pivot >> 1] = false;
      clause = reason[pivot >> 1];
      open--;
    } while (open > 0);
    learnt[0] = pivot ^ 1;
    increment *= DECAY;
    assertLearnt(count);
  }

  private void assertLearnt(int count) {
    int back = 0;
    for (int i = 1; i < count; i++) {
      seen[learnt[i] >> 1] = false;
      trace = trace * 31 + learnt[i];
      if (level[learnt[i] >> 1] > level[learnt[1] >> 1]) {
        int first = learnt[1];
        learnt[1] = learnt[i];
        learnt[i] = first;
      }
      back = level[learnt[1] >> 1];
    }
    trace = trace * 31 + learnt[0];
    backTo(back);
    if (count == 1) {
      assign(learnt[0], NONE);
    } else {
      int clause = clauses.add(learnt, count);
      watch(clause, learnt[0], learnt[1]);
      assign(learnt[0], clause);
    }
  }

  private void bump(int variable) {
    activity[variable] += increment;
    if (activity[variable] > RESCALE) {
      for (int i = 0; i < variables; i++) {
        activity[i] /= RESCALE;
      }
      increment /= RESCALE;
    }
  }

  private void backTo(int target) {
    if (levels > target) {
      while (trailSize > levelStart[target]) {
        int literal = trail[--trailSize];
        phase[literal >> 1] = (literal & 1) == 0;
        value[literal >> 1] = 0;
      }
      propagated = trailSize;
      levels = target;
    }
  }

  /** Clauses one behind the other, as ints: how many literals, then the literals. */
  static final class ClauseMemory {

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

  /**
   * For each literal the clauses that watch it, each with a literal of that clause that blocks it:
   * while that one is true, the clause need not be looked at.
   */
  static final class WatchLists {

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
}
