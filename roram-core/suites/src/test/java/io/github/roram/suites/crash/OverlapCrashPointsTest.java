package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
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
 * As {@link CrashPointsTest}, with two accesses in flight: what is there after a crash is what a
 * prefix of the calls wrote or trimmed, one that has all that were acknowledged; in the mode {@code
 * flush}, and of trims, all that were flushed.
 *
 * <p>{@code .ci/run} takes one point in 700 ({@code -Droram.crash.stride=n} for others), each case
 * with two losses. All of them:
 *
 * <pre>mvn verify -pl roram-core/suites -am -Dgroups=crash -DexcludedGroups= -Droram.crash.seeds=1
 * </pre>
 */
final class OverlapCrashPointsTest {

  private static final int STRIDE = Integer.getInteger("roram.crash.stride", 700);

  /** The schemes whose points are tried, by a pattern of their ids. */
  private static final String SCHEMES = System.getProperty("roram.crash.schemes", ".*");

  private static final int ACCESSES = 40;
  private static final int IN_FLIGHT = Integer.getInteger("roram.crash.inFlight", 2);

  static Stream<Arguments> cases() {
    Stream<Arguments> inUnits =
        CrashPointsTest.inUnits()
            .filter(config -> config.scheme().matches(SCHEMES))
            .flatMap(
                config ->
                    Stream.of(Media.OBJECTS, Media.OBJECTS_ALONE)
                        .flatMap(media -> CrashPointsTest.cases(config, media)));
    return Stream.concat(onFiles(), inUnits);
  }

  static Stream<Arguments> someCases() {
    return CrashPointsTest.withTwoLosses(cases());
  }

  private static Stream<Arguments> onFiles() {
    return Stream.concat(readAhead(), CrashPointsTest.configurations())
        .filter(config -> !config.scheme().equals("detwo"))
        .filter(config -> config.scheme().matches(SCHEMES))
        .flatMap(
            config ->
                Stream.of(Media.ONE, Media.RECORDS_APART)
                    .flatMap(media -> CrashPointsTest.cases(config, media)));
  }

  /** Treetops that leave chunks apart: one is read while the one before it is written. */
  private static Stream<OramConfig> readAhead() {
    OramConfig.Builder trees =
        OramConfig.builder(90).blockBytes(512).maxRangeBlocks(8).trees(0, 1).chunkPaths(2);
    OramConfig.Builder path =
        OramConfig.builder(70).scheme("path-batched").blockBytes(512).maxRangeBlocks(8);
    return Stream.of(
        trees.windowBlocks(4).treetopBytes(20_000).build(),
        path.chunkPaths(2).windowBlocks(0).treetopBytes(20_000).build());
  }

  @Tag("gate")
  @ParameterizedTest
  @MethodSource("someCases")
  void somePoints(OramConfig config, Media media, Loss loss) throws IOException {
    cutEverywhere(config, media, loss, STRIDE, 1);
  }

  @Tag("crash")
  @ParameterizedTest
  @MethodSource("cases")
  void allPoints(OramConfig config, Media media, Loss loss) throws IOException {
    for (int seed = 2; seed < 2 + CrashPointsTest.SEEDS; seed++) {
      cutEverywhere(config, media, loss, 1, seed);
    }
  }

  private static void cutEverywhere(OramConfig config, Media media, Loss loss, int stride, int seed)
      throws IOException {
    try (MasterKey key = MasterKey.generate()) {
      int cuts =
          CutPoints.of(stride, seed, config, loss)
              .allOrOne(point -> cutAt(config, media, loss, key, point, seed));
      assertThat(cuts).isPositive();
    }
  }

  /** Whether the workload had so many points. */
  private static boolean cutAt(
      OramConfig config, Media media, Loss loss, MasterKey key, int point, int seed)
      throws IOException {
    Random random = new Random(31L * point + seed);
    AsyncUser user = new AsyncUser(config, media.options(loss), key, random, IN_FLIGHT, media);
    user.disk().crashAt(user.disk().changes() + point, loss, random.nextLong());
    user.accessUntilCrash(ACCESSES);
    boolean cut = user.crash(loss);
    for (int again = random.nextInt(3); again > 0; again--) {
      user.restart();
      user.disk().crashAt(1 + random.nextInt(12), loss, random.nextLong());
      user.accessUntilCrash(3);
      user.crash(loss);
    }
    user.restart();
    user.checkThatItGoesOn();
    return cut;
  }
}
