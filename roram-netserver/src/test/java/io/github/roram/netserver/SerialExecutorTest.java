package io.github.roram.netserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SerialExecutorTest {

  private static final int TASKS = 50;

  private final List<Integer> done = Collections.synchronizedList(new ArrayList<>());

  private static List<Integer> all() {
    return IntStream.range(0, TASKS).boxed().toList();
  }

  /** Tasks hold frames: one that is not run is a buffer that is lost. */
  @Test
  void allTasksAreRunWhenTheThreadsEndMeanwhile() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    SerialExecutor serial = new SerialExecutor(threads);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    serial.execute(
        () -> {
          begun.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          done.add(0);
        });
    begun.await();
    for (int i = 1; i < TASKS; i++) {
      int task = i;
      serial.execute(() -> done.add(task));
    }
    threads.shutdown();
    goOn.countDown();
    assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    assertThat(done).isEqualTo(all());
  }

  @Test
  void whatComesAfterTheEndIsRunAtOnce() {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    threads.shutdown();
    SerialExecutor serial = new SerialExecutor(threads);
    for (int i = 0; i < TASKS; i++) {
      int task = i;
      serial.execute(
          () -> {
            done.add(task);
            if (task % 2 == 1) {
              throw new IllegalStateException("a task that fails holds up none");
            }
          });
    }
    assertThat(done).isEqualTo(all());
  }

  @Test
  void whatNoThreadCanBeHadForIsRunAtOnce() {
    SerialExecutor serial =
        new SerialExecutor(
            task -> {
              throw new OutOfMemoryError("injected: no thread");
            });
    for (int i = 0; i < TASKS; i++) {
      int task = i;
      serial.execute(() -> done.add(task));
    }
    assertThat(done).isEqualTo(all());
  }
}
