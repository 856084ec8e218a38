package io.github.roram.suites.crash;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.crypto.MasterKey;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every scheme with every form of its position map, on one medium and on three that are synced each
 * by itself, with accesses in turn and overlapping, in the modes {@code sync} and {@code flush}:
 * the power fails again and again, and what was acknowledged, or flushed, is there.
 *
 * <p>{@code -Droram.power.failures=n} for so many failures a case.
 */
final class LostPowerTest {

  private static final int FAILURES = Integer.getInteger("roram.power.failures", 2);

  /** Of changes of files between two failures. */
  private static final int MOST_CHANGES = 120;

  private static final int ACCESSES = 45;
  private static final List<Loss> LOSSES = List.of(Loss.ALL, Loss.ANY, Loss.PREFIX);

  static Stream<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    CrashPointsTest.configurations()
        .forEach(
            config -> {
              for (Media media : List.of(Media.ONE, Media.STRIPES)) {
                // Not all products: each takes part with each of the others.
                cases.add(Arguments.of(config, media, cases.size() % 3 == 0 ? 1 : 4));
              }
            });
    CrashPointsTest.inUnits()
        .forEach(
            config ->
                List.of(1, 4)
                    .forEach(each -> cases.add(Arguments.of(config, Media.OBJECTS, each))));
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whatWasAcknowledgedIsThere(OramConfig config, Media media, int inFlight) throws IOException {
    OpenOptions options = CrashPointsTest.options(config, Loss.ALL);
    Random random = new Random(config.toString().hashCode() + inFlight);
    try (MasterKey key = MasterKey.generate()) {
      AsyncUser user = new AsyncUser(config, options, key, random, inFlight, media);
      for (int failure = 0; failure < FAILURES; failure++) {
        Loss loss = LOSSES.get(failure % LOSSES.size());
        long changes = user.disk().changes();
        user.disk().crashAt(changes + 1 + random.nextInt(MOST_CHANGES), loss, random.nextLong());
        user.accessUntilCrash(ACCESSES);
        user.crash(loss);
        user.restart();
      }
      user.checkThatItGoesOn();
    }
  }
}
