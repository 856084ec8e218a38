package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.storage.Rings;
import io.github.roram.suites.ShownSlots;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Accesses of a ring that overlap, cut by power failures: over all lives of the client no slot that
 * a path read is shown twice in a life of its bucket, but by a read that was under way at a crash,
 * which is repeated slot for slot.
 *
 * <p>{@code -Droram.ring.failures=n} for so many failures a case, each after up to {@code
 * -Droram.ring.changes=m} changes of the disk, of which a call makes about ten.
 */
final class RingCrashViewTest {

  private static final int FAILURES = Integer.getInteger("roram.ring.failures", 12);
  private static final int MOST_CHANGES = Integer.getInteger("roram.ring.changes", 160);
  private static final int IN_FLIGHT = 4;

  @Tag("gate")
  @ParameterizedTest
  @CsvSource({"4, 2, 4, 1", "7, 4, 4, 0", "5, 2, 5, 4", "9, 4, 4, 2"})
  void crashesShowNothingTwice(int rate, int fanOut, int height, int top) throws IOException {
    OramConfig config = Rings.of(90, 512, 8, rate, fanOut, height, top);
    OpenOptions options = CrashPointsTest.options(config, Loss.ALL);
    Random random = new Random(rate);
    ShownSlots shown = new ShownSlots();
    try (MasterKey key = MasterKey.generate()) {
      AsyncUser user =
          new AsyncUser(config, options, key, random, IN_FLIGHT, Media.ONE, shown::over);
      long calls = 0;
      // More where by chance no read was left to be repeated.
      for (int failure = 0;
          failure < FAILURES || (shown.repeatedReads() == 0 && failure < 5 * FAILURES);
          failure++) {
        Loss loss = failure % 2 == 0 ? Loss.ALL : Loss.ANY;
        long changes = user.disk().changes();
        user.disk().crashAt(changes + 1 + random.nextInt(MOST_CHANGES), loss, random.nextLong());
        calls += user.accessUntilCrash(MOST_CHANGES);
        user.crash(loss);
        user.restart();
      }
      user.checkThatItGoesOn();
      System.out.printf("%s: %d calls, %d slots%n", config, calls, shown.slots());
    }
    assertThat(shown.slots()).isPositive();
    assertThat(shown.twice()).isZero();
    assertThat(shown.repeatedReads()).isPositive();
  }
}
