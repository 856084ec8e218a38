package io.github.roram.bench.paging.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.roram.bench.experiment.ExperimentOptions.Scale;
import io.github.roram.bench.paging.program.AvlProgram.AvlTree;
import io.github.roram.bench.paging.program.ClauseSolver.Answer;
import io.github.roram.bench.paging.program.PagedPrograms.PlainMemory;
import io.github.roram.bench.paging.program.PagedPrograms.Program;
import io.github.roram.bench.paging.program.Satisfiability.Dimacs;
import io.github.roram.bench.paging.program.Satisfiability.Dimacs.Formula;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The programs compute what they say. */
class ProgramsTest {

  private static Program.Run start(Program program) {
    return program.start(new PlainMemory(program.bytes()));
  }

  @Test
  void theTreeIsASetAndBalanced() {
    AvlTree tree = new AvlTree(new PlainMemory(64 * 301), 64);
    TreeSet<Integer> model = new TreeSet<>();
    Random random = new Random(1);
    for (int i = 0; i < 5000; i++) {
      int key = random.nextInt(300);
      if (random.nextBoolean()) {
        assertThat(tree.insert(key)).isEqualTo(model.add(key));
      } else {
        assertThat(tree.delete(key)).isEqualTo(model.remove(key));
      }
      assertThat(tree.size()).isEqualTo(model.size());
      if (i % 50 == 0) {
        tree.check();
      }
    }
    tree.check();
  }

  /** Against trying all assignments. */
  @Test
  void theSolverIsRight() {
    int satisfiable = 0;
    for (int seed = 0; seed < 120; seed++) {
      Satisfiability program = Satisfiability.random(10, seed, 10_000);
      Satisfiability.Solving run = (Satisfiability.Solving) start(program);
      Program.finish(run);
      Answer expected = search(Dimacs.parse(program.dimacs()));
      assertThat(run.answer()).isEqualTo(expected);
      satisfiable += expected == Answer.SATISFIABLE ? 1 : 0;
    }
    assertThat(satisfiable).as("both kinds of formulas").isBetween(10, 110);
  }

  private static Answer search(Formula formula) {
    for (int bits = 0; bits < 1 << formula.variables(); bits++) {
      boolean[] assignment = new boolean[formula.variables() + 1];
      for (int i = 0; i < formula.variables(); i++) {
        assignment[i + 1] = (bits >> i & 1) == 1;
      }
      if (formula.isSatisfiedBy(assignment)) {
        return Answer.SATISFIABLE;
      }
    }
    return Answer.UNSATISFIABLE;
  }

  @Test
  void pigeonsDoNotFit() {
    Satisfiability.Solving run = (Satisfiability.Solving) start(Satisfiability.pigeons(6, 100_000));
    Program.finish(run);
    assertThat(run.answer()).isEqualTo(Answer.UNSATISFIABLE);
    assertThatThrownBy(() -> Dimacs.parse("p cnf 2 1\n1 3 0\n")).hasMessageContaining("literal 3");
    assertThatThrownBy(() -> Dimacs.parse("p cnf 2 1\n1 2\n")).hasMessageContaining("no end");
  }

  @Test
  void theHashIsThatOfTheJdk() throws Exception {
    Sha256 program = new Sha256(3);
    PlainMemory memory = new PlainMemory(program.bytes());
    long result = Program.finish(program.start(memory));
    byte[] all = new byte[(int) program.bytes()];
    memory.get(0, all, 0, all.length);
    byte[] expected = MessageDigest.getInstance("SHA-256").digest(all);
    assertThat(result).isEqualTo(ByteBuffer.wrap(expected).getLong());
  }

  @Test
  void theRecommenderLearns() {
    Recommender.Descent run = (Recommender.Descent) start(new Recommender(50, 40, 1500, 20));
    Program.finish(run);
    assertThat(run.error(19)).isLessThan(run.error(0) / 3);
  }

  /** A shear wave decays as exp(−ν k² t), which the method gives in its limit. */
  @Test
  void theFlowDecaysAsViscosityHasIt() {
    LatticeBoltzmann program = new LatticeBoltzmann(32, 32, 100);
    PlainMemory memory = new PlainMemory(program.bytes());
    Program.Run run = program.start(memory);
    double before = amplitude(memory);
    Program.finish(run);
    double viscosity = (0.8 - 0.5) / 3;
    double wave = 2 * Math.PI / 32;
    double expected = Math.exp(-viscosity * wave * wave * 100);
    assertThat(amplitude(memory) / before)
        .isCloseTo(expected, org.assertj.core.data.Offset.offset(0.02));
  }

  /** Of the velocity in x at its crest, row 8 of 32, averaged over the row. */
  private static double amplitude(PlainMemory memory) {
    double sum = 0;
    int[] x = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    for (int column = 0; column < 32; column++) {
      for (int i = 0; i < 9; i++) {
        sum += x[i] * memory.getDouble(((8L * 32 + column) * 9 + i) * Double.BYTES);
      }
    }
    return sum / 32;
  }

  @Test
  void twoRunsAreTheSame() {
    for (Program program : PagedPrograms.of(Scale.TINY)) {
      assertThat(Program.finish(start(program)))
          .as(program.id())
          .isEqualTo(Program.finish(start(program)));
    }
  }
}
