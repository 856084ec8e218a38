package io.github.roram.suites.crash;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The n-th change of a file fails, for every n, and so do some after it: the ORAM goes on, nothing
 * acknowledged is lost, and a later crash is recovered from too.
 *
 * <p>The normal run takes one point in {@value #STRIDE}; tag {@code crash} takes all.
 */
final class FailingIoTest {

  private static final int STRIDE = 131;
  private static final int ACCESSES = 24;

  static Stream<OramConfig> configurations() {
    return CrashPointsTest.configurations();
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void somePoints(OramConfig config) throws IOException {
    failEverywhere(config, STRIDE, 1);
  }

  @Tag("crash")
  @ParameterizedTest
  @MethodSource("configurations")
  void allPoints(OramConfig config) throws IOException {
    for (int seed = 2; seed < 2 + CrashPointsTest.SEEDS; seed++) {
      failEverywhere(config, 1, seed);
    }
  }

  private static void failEverywhere(OramConfig config, int stride, int seed) throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      CutPoints.of(stride, seed, config).each(point -> failAt(config, key, point, seed));
    }
  }

  /** Whether the workload had so many points. */
  private static boolean failAt(OramConfig config, MasterKey key, int point, int seed)
      throws IOException {
    Random random = new Random(31L * point + seed);
    OpenOptions options =
        OpenOptions.defaults()
            .withDurability(Durability.SYNC)
            .withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);
    Scripted user = new Scripted(config, options, key, seed);
    long first = user.disk().changes() + point;
    int[] lengths = {1, 1, 2, 5, 30};
    int length = lengths[random.nextInt(lengths.length)];
    user.disk().fail(first, first + length, random.nextLong());
    user.accessUntilCrash(ACCESSES);
    boolean failed = user.disk().changes() >= first;
    if (random.nextInt(3) == 0 && !user.store().syncFailed()) {
      user.disk().fail(Long.MAX_VALUE, Long.MAX_VALUE, 0);
      user.checkThatItGoesOn();
      return failed;
    }
    user.crash(List.of(Loss.values()).get(random.nextInt(4)), random.nextLong());
    user.restart();
    user.checkThatItGoesOn();
    return failed;
  }
}
