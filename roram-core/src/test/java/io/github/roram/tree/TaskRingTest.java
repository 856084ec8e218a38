package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TaskRingTest {

  private static final int SLOTS = 16;

  /** Rounds of random length, some broken off or failing, as a store's errors make them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void everyTaskRunsOnceInItsRoundAndResultsComeInOrder(int threads) {
    TaskRing ring = new TaskRing(threads, SLOTS);
    Random random = new Random(threads);
    int[] results = new int[SLOTS];
    for (int round = 0; round < 2000; round++) {
      int tasks = random.nextInt(60);
      int brokenOff = random.nextInt(4) == 0 ? random.nextInt(60) : tasks;
      int failing = random.nextInt(4) == 0 ? random.nextInt(60) : -1;
      AtomicIntegerArray runs = new AtomicIntegerArray(60);
      AtomicInteger running = new AtomicInteger();
      ring.begin(
          (task, slot, lane) -> {
            running.incrementAndGet();
            runs.incrementAndGet(task);
            results[slot] = 31 * task;
            running.decrementAndGet();
            if (task == failing) {
              throw new IllegalArgumentException("task " + task);
            }
          },
          random.nextInt(4) > 0);
      collectInOrder(ring, results, tasks, Math.min(brokenOff, tasks), failing);
      ring.end();
      assertThat(running).hasValue(0);
      assertThat(ring.isEmpty()).isTrue();
      for (int task = 0; task < 60; task++) {
        assertThat(runs.get(task)).isLessThanOrEqualTo(task < tasks ? 1 : 0);
      }
      int[] before = counts(runs);
      Thread.onSpinWait();
      assertThat(counts(runs)).isEqualTo(before);
    }
    ring.stop();
  }

  private static void collectInOrder(
      TaskRing ring, int[] results, int tasks, int collected, int failing) {
    int next = 0;
    for (int submitted = 0; submitted < tasks && next < collected; submitted++) {
      if (ring.isFull()) {
        collect(ring, results, next++, failing);
      }
      ring.submit();
    }
    while (next < collected && !ring.isEmpty()) {
      collect(ring, results, next++, failing);
    }
  }

  private static void collect(TaskRing ring, int[] results, int expected, int failing) {
    if (expected == failing) {
      assertThatThrownBy(ring::collect).hasMessage("task " + failing);
    } else {
      assertThat(results[ring.collect()]).isEqualTo(31 * expected);
    }
  }

  private static int[] counts(AtomicIntegerArray runs) {
    int[] counts = new int[runs.length()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = runs.get(i);
    }
    return counts;
  }
}
