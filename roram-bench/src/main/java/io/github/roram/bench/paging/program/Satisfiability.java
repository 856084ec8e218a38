package io.github.roram.bench.paging.program;

import io.github.roram.bench.paging.program.Dimacs.Formula;
import io.github.roram.paging.Memory;

/**
 * A solver for propositional satisfiability, as the paper's Picosat is one, on a formula in DIMACS
 * format. All clauses, given and learnt, lie in the memory.
 *
 * @param name of the formula
 * @param dimacs the formula
 * @param mostConflicts after how many conflicts it gives up
 */
public record Satisfiability(String name, String dimacs, int mostConflicts) implements Program {

  /** A random formula of three literals a clause, where those are hardest. */
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

  /** Room for the formula, and for a clause of every variable at each conflict. */
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
}
