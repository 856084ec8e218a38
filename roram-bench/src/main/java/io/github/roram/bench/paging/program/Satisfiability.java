package io.github.roram.bench.paging.program;

import io.github.roram.bench.paging.program.PagedPrograms.Program;
import io.github.roram.bench.paging.program.Satisfiability.Dimacs.Formula;
import io.github.roram.paging.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A solver for propositional satisfiability, as the paper's Picosat is one, on a formula in DIMACS
 * format. All clauses, given and learnt, lie in the memory.
 *
 * @param name of the formula
 * @param dimacs the formula
 * @param mostConflicts after how many conflicts it gives up
 */
public record Satisfiability(String name, String dimacs, int mostConflicts) implements Program {

  /**
   * Returns a random formula with three literals per clause, with the ratio of clauses to variables
   * that is hardest.
   */
  static Satisfiability random(int variables, long seed, int mostConflicts) {
    return new Satisfiability(
        "random " + variables + " variables, seed " + seed,
        Dimacs.random(variables, seed),
        mostConflicts);
  }

  /** Pigeons and holes. */
  static Satisfiability pigeons(int holes, int mostConflicts) {
    return new Satisfiability("hole" + holes, Dimacs.pigeons(holes), mostConflicts);
  }

  @Override
  public String id() {
    return "sat-solver";
  }

  @Override
  public String description() {
    return "CDCL on " + name + ", at most " + mostConflicts + " conflicts";
  }

  /** Returns room for the formula, and for a clause of every variable at each conflict. */
  @Override
  public long bytes() {
    Formula formula = Dimacs.parse(dimacs);
    long given = formula.clauses().stream().mapToLong(clause -> 1 + clause.length).sum();
    return Integer.BYTES * (given + (1L + formula.variables()) * mostConflicts);
  }

  @Override
  public Run start(Memory memory) {
    return new Solving(Dimacs.parse(dimacs), memory, mostConflicts);
  }

  /** A conflict a step. */
  static final class Solving implements Run {
    private final Formula formula;
    private final ClauseSolver solver;
    private final int mostConflicts;

    Solving(Formula formula, Memory memory, int mostConflicts) {
      this.formula = formula;
      this.mostConflicts = mostConflicts;
      solver = new ClauseSolver(formula, memory);
    }

    @Override
    public boolean step() {
      if (solver.conflicts() == mostConflicts || solver.answer() != ClauseSolver.Answer.UNKNOWN) {
        return false;
      }
      solver.untilNextConflict();
      return true;
    }

    ClauseSolver.Answer answer() {
      return solver.answer();
    }

    @Override
    public long result() {
      if (solver.answer() == ClauseSolver.Answer.SATISFIABLE
          && !formula.isSatisfiedBy(solver.assignment())) {
        throw new IllegalStateException("the solver's assignment does not satisfy the formula");
      }
      return solver.trace() * 31 + solver.answer().name().length();
    }
  }

  /**
   * Formulas in conjunctive normal form, as text in the DIMACS format: the kinds that the standard
   * collections have, generated here.
   */
  static final class Dimacs {

    /** Clauses a variable where random formulas are hardest. */
    private static final double HARDEST = 4.26;

    private Dimacs() {}

    /**
     * A formula.
     *
     * @param variables numbered from 1 on
     * @param clauses literals, negative for negated ones
     */
    record Formula(int variables, List<int[]> clauses) {

      /** Returns whether an assignment, with variable 1 at index 1, makes every clause true. */
      boolean isSatisfiedBy(boolean[] assignment) {
        return clauses.stream().allMatch(clause -> isTrue(clause, assignment));
      }

      private static boolean isTrue(int[] clause, boolean[] assignment) {
        for (int literal : clause) {
          if (assignment[Math.abs(literal)] == literal > 0) {
            return true;
          }
        }
        return false;
      }
    }

    /**
     * Returns random clauses of three literals over different variables, like SATLIB's {@code uf}
     * sets.
     */
    static String random(int variables, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      int clauses = (int) Math.round(HARDEST * variables);
      StringBuilder text = header(variables, clauses);
      for (int i = 0; i < clauses; i++) {
        random
            .ints(1, variables + 1)
            .distinct()
            .limit(3)
            .forEach(
                variable -> text.append(random.nextBoolean() ? variable : -variable).append(' '));
        text.append("0\n");
      }
      return text.toString();
    }

    /** Returns one pigeon more than holes: no assignment satisfies it (in the DIMACS set, too). */
    static String pigeons(int holes) {
      int clauses = holes + 1 + holes * holes * (holes + 1) / 2;
      StringBuilder text = header((holes + 1) * holes, clauses);
      for (int pigeon = 0; pigeon <= holes; pigeon++) {
        for (int hole = 1; hole <= holes; hole++) {
          text.append(pigeon * holes + hole).append(' ');
        }
        text.append("0\n");
      }
      for (int hole = 1; hole <= holes; hole++) {
        for (int pigeon = 0; pigeon <= holes; pigeon++) {
          for (int other = 0; other < pigeon; other++) {
            text.append(-(pigeon * holes + hole)).append(' ');
            text.append(-(other * holes + hole)).append(" 0\n");
          }
        }
      }
      return text.toString();
    }

    private static StringBuilder header(int variables, int clauses) {
      return new StringBuilder("p cnf " + variables + " " + clauses + "\n");
    }

    /**
     * Reads a formula.
     *
     * @throws IllegalArgumentException if the text is not one
     */
    static Formula parse(String text) {
      int variables = -1;
      List<int[]> clauses = new ArrayList<>();
      List<Integer> clause = new ArrayList<>();
      for (String line : text.lines().map(String::strip).toList()) {
        if (line.isEmpty() || line.startsWith("c")) {
          continue;
        }
        if (line.startsWith("p cnf ")) {
          variables = Integer.parseInt(line.split(" +")[2]);
          continue;
        }
        for (String word : line.split("\\s+")) {
          int literal = Integer.parseInt(word);
          if (Math.abs(literal) > variables) {
            throw new IllegalArgumentException(
                "literal " + literal + " is of none of the " + variables + " variables");
          }
          if (literal == 0) {
            clauses.add(clause.stream().mapToInt(Integer::intValue).toArray());
            clause.clear();
          } else {
            clause.add(literal);
          }
        }
      }
      if (variables < 0 || !clause.isEmpty()) {
        throw new IllegalArgumentException("the formula has no header, or its last clause no end");
      }
      return new Formula(variables, clauses);
    }
  }
}
