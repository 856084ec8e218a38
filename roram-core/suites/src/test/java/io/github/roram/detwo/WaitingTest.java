package io.github.roram.detwo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.detwo.Helper.Latch;
import io.github.roram.detwo.Helper.SpinWait;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that wait for each other: awake for a moment, then asleep, and never for ever. */
@Timeout(60)
final class WaitingTest {

  private static void awaitSleep(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLookoutSaysWhetherItHappened(boolean alone) {
    assertThat(SpinWait.sees(() -> true, alone)).isTrue();
    assertThat(SpinWait.sees(() -> false, alone)).isFalse();
  }

  @Test
  void aLookoutSeesWhatHappensMeanwhile() {
    AtomicInteger looks = new AtomicInteger();
    // A thread that loses its processor meanwhile sees nothing in time.
    boolean seen = false;
    for (int tries = 0; tries < 1000 && !seen; tries++) {
      looks.set(0);
      seen = SpinWait.sees(() -> looks.incrementAndGet() == 20, false);
    }
    assertThat(seen).isTrue();
    looks.set(0);
    assertThat(SpinWait.sees(() -> looks.incrementAndGet() == 20, true)).isFalse();
    assertThat(looks).hasValue(1);
  }

  @Test
  void aGateThatIsOpenLetsThrough() {
    Latch latch = new Latch();
    assertThat(latch.isOpen()).isFalse();
    latch.open();
    latch.await();
    assertThat(latch.isOpen()).isTrue();
  }

  @Test
  void whoOpensAGateWakesWhoSleepsBeforeIt() throws InterruptedException {
    for (int i = 0; i < 200; i++) {
      Latch latch = new Latch();
      Thread waiting = new Thread(latch::await);
      waiting.start();
      if (i % 4 == 0) {
        awaitSleep(waiting);
      }
      latch.open();
      waiting.join();
    }
  }

  @Test
  void aGateKeepsInterruptsForLater() throws InterruptedException {
    Latch latch = new Latch();
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread waiting =
        new Thread(
            () -> {
              latch.await();
              interrupted.set(Thread.interrupted());
            });
    waiting.start();
    awaitSleep(waiting);
    waiting.interrupt();
    assertThat(latch.isOpen()).isFalse();
    latch.open();
    waiting.join();
    assertThat(interrupted).isTrue();
  }

  @Test
  void aHelperDoesItsTasksAwakeOrAsleep() throws InterruptedException {
    AtomicInteger done = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    try (Helper helper = new Helper("test")) {
      for (int i = 0; i < 200; i++) {
        CountDownLatch over = new CountDownLatch(1);
        helper.start(
            () -> {
              threads.add(Thread.currentThread());
              done.incrementAndGet();
              over.countDown();
            });
        over.await();
        if (i % 4 == 0) {
          awaitSleep(threads.get(0));
        }
      }
    }
    assertThat(done).hasValue(200);
    assertThat(threads).containsOnly(threads.get(0));
    assertThat(threads.get(0).isAlive()).isFalse();
  }

  @Test
  void aTaskThatWasBegunIsDoneAndOneThatWasNotIsReplaced() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch last = new CountDownLatch(1);
    List<String> done = new ArrayList<>();
    Helper helper = new Helper("test");
    helper.start(
        () -> {
          begun.countDown();
          awaitLatch(goOn);
          done.add("first");
        });
    begun.await();
    helper.start(() -> done.add("replaced"));
    helper.start(
        () -> {
          done.add("last");
          last.countDown();
        });
    goOn.countDown();
    last.await();
    helper.close();
    assertThat(done).containsExactly("first", "last");
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
