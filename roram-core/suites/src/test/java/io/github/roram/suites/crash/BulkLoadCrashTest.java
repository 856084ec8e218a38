package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A bulk load is cut at its n-th change of a file, for every n, and so is the load after it: the
 * store opens again, is empty or complete, can be loaded if it is empty, and holds everything then.
 *
 * <p>The normal run takes one point in {@value #STRIDE} with one loss, {@code .ci/run} with each;
 * tag {@code crash} takes all.
 */
final class BulkLoadCrashTest {

  private static final int STRIDE = 12;

  static Stream<Arguments> cases() {
    return CrashPointsTest.onOneFile();
  }

  static Stream<Arguments> casesInTurn() {
    return CrashPointsTest.onOneFileInTurn();
  }

  @ParameterizedTest
  @MethodSource("casesInTurn")
  void aPoint(OramConfig config, Loss loss) throws IOException {
    cutEverywhere(config, loss, STRIDE, 0);
  }

  @Tag("gate")
  @ParameterizedTest
  @MethodSource("cases")
  void somePoints(OramConfig config, Loss loss) throws IOException {
    cutEverywhere(config, loss, STRIDE, 1);
  }

  @Tag("crash")
  @ParameterizedTest
  @MethodSource("cases")
  void allPoints(OramConfig config, Loss loss) throws IOException {
    for (int seed = 2; seed < 2 + CrashPointsTest.SEEDS; seed++) {
      cutEverywhere(config, loss, 1, seed);
    }
  }

  private static void cutEverywhere(OramConfig config, Loss loss, int stride, int seed)
      throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      int cuts =
          CutPoints.of(stride, seed, config, loss)
              .each(point -> cutAt(config, loss, key, point, seed));
      assertThat(cuts).as("points at which it was cut").isPositive();
    }
  }

  /** Whether the load had so many points. */
  private static boolean cutAt(OramConfig config, Loss loss, MasterKey key, int point, int seed)
      throws IOException {
    Random random = new Random(31L * point + seed);
    Scripted user = new Scripted(config, CrashPointsTest.options(config, loss), key, seed);
    user.disk().crashAt(user.disk().changes() + point, loss, random.nextLong());
    boolean acknowledged = !isCut(user, user::bulkLoad);
    user.disk().crashAt(Long.MAX_VALUE, loss, random.nextLong());
    if (!user.disk().crashed()) {
      user.checkThatItGoesOn();
      return false;
    }
    user.restart();
    if (acknowledged) {
      // The cut met only the journal's next file, which is made in the background.
      assertThat(user.loadAgainIfEmpty()).isFalse();
    }
    user.disk().crashAt(1 + random.nextInt(2 * point), loss, random.nextLong());
    if (isCut(user, user::loadAgainIfEmpty)) {
      user.restart();
    } else {
      user.crash(loss, random.nextLong());
      user.restart();
    }
    user.loadAgainIfEmpty();
    user.checkThatItGoesOn();
    return true;
  }

  /** What the disk may end. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  private static boolean isCut(Scripted user, Step step) throws IOException {
    try {
      step.run();
      return false;
    } catch (IOException | OramException e) {
      if (!user.disk().crashed()) {
        throw e;
      }
      return true;
    }
  }
}
