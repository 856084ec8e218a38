package io.github.roram.tree;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * A ring's caller, and a helper that comes whenever it likes: what tasks did, in plain memory, is
 * seen by who collects them, each ran once, and none ran for another round.
 */
@JCStressTest
@Outcome(id = "10, 11, 20, 21", expect = Expect.ACCEPTABLE, desc = "Each task once, in its round.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A result is missing, or of another task.")
@State
public class TaskRingStress {

  private final TaskRing ring = new TaskRing(1, 2);
  private final int[] results = new int[2];

  /** The caller: two rounds of two tasks. */
  @Actor
  public void caller(IIII_Result seen) {
    seen.r1 = round(10);
    seen.r2 = collectLast();
    seen.r3 = round(20);
    seen.r4 = collectLast();
  }

  private int round(int first) {
    ring.begin((task, slot, lane) -> results[slot] += first + task, true);
    ring.submit();
    ring.submit();
    return take();
  }

  private int collectLast() {
    int last = take();
    ring.end();
    return last;
  }

  private int take() {
    int slot = ring.collect();
    int result = results[slot];
    results[slot] = 0;
    return result;
  }

  /** A helper. */
  @Actor
  public void helper() {
    for (int i = 0; i < 8; i++) {
      ring.runOne(1);
    }
  }
}
