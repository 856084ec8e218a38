package io.github.roram.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Seeds, each of which is a run with faults: {@code -Droram.seed=n} is the first or, with {@code
 * -Droram.seeds=1}, the only one.
 */
final class SimulationTest {

  private static final long FIRST = Long.getLong("roram.seed", 1);
  private static final int SEEDS = Integer.getInteger("roram.seeds", 1000);
  private static final long SECONDS = Long.getLong("roram.simulated.seconds", 30);

  /** A fixed stretch: what a run finds must not depend on how fast its machine is. */
  private static final int GATE_SEEDS = 350;

  private static final int GATE_SECONDS = 20;

  @Test
  void aRunRepeats() {
    for (long seed = 1; seed <= 2; seed++) {
      assertThat(Simulation.run(seed, 6)).isEqualTo(Simulation.run(seed, 6));
    }
  }

  @Test
  void someSeeds() {
    run(FIRST, 4, Long.MAX_VALUE);
  }

  @Test
  @Tag("gate")
  void manyBriefly() {
    run(FIRST + 1000, GATE_SEEDS, TimeUnit.SECONDS.toNanos(GATE_SECONDS));
  }

  @Test
  @Tag("soak")
  void manySeeds() {
    run(FIRST, SEEDS, Long.MAX_VALUE);
  }

  private static void run(long first, int seeds, long mostNanos) {
    long start = System.nanoTime();
    Simulation.Report all = Simulation.Report.NONE;
    long seed = first;
    for (; seed < first + seeds && System.nanoTime() - start < mostNanos; seed++) {
      try {
        all = all.and(Simulation.run(seed, SECONDS));
      } catch (RuntimeException | Error e) {
        throw new AssertionError(
            "seed " + seed + ", of " + SECONDS + " simulated seconds: " + e.getMessage(), e);
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("%d seeds from %d: %s%n", seed - first, first, all.text(seconds));
  }
}
