package io.github.roram.suites.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.crypto.MasterKey;
import io.github.roram.storage.Rings;
import io.github.roram.testkit.SimulatedDisk.Loss;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A scripted workload is cut at its n-th change of a file, for every n; recovery and what follows
 * are cut again, and at last go through. No acknowledged write is lost, and a write that was not
 * acknowledged is atomic.
 *
 * <p>The normal run takes one point in 997 ({@code -Droram.crash.stride=n} for others), each
 * configuration with one loss; {@code .ci/run} each with all. All points:
 *
 * <pre>mvn verify -pl roram-core/suites -am -Dgroups=crash -DexcludedGroups= -Droram.crash.seeds=1
 * </pre>
 */
final class CrashPointsTest {

  /** How many workloads the long run takes, each at all its points. */
  static final int SEEDS = Integer.getInteger("roram.crash.seeds", 1);

  private static final int STRIDE = Integer.getInteger("roram.crash.stride", 600);
  private static final int ACCESSES = 40;

  /**
   * Each configuration with each loss, on a file, with records in it or in objects; those in units
   * on objects, too.
   */
  static Stream<Arguments> cases() {
    return Stream.concat(
        configurations()
            .flatMap(
                config ->
                    Stream.concat(cases(config, Media.ONE), cases(config, Media.RECORDS_APART))),
        inUnits()
            .flatMap(
                config ->
                    Stream.concat(
                        cases(config, Media.OBJECTS), cases(config, Media.OBJECTS_ALONE))));
  }

  /** Of those each configuration on each of its media, with one loss. */
  static Stream<Arguments> casesInTurn() {
    return inTurn(cases(), Loss.values().length);
  }

  /** Of cases that have so many forms one after another, each in one form. */
  static Stream<Arguments> inTurn(Stream<Arguments> cases, int forms) {
    return inTurn(cases, forms, 1);
  }

  /** Of cases that have so many forms one after another, each in some of them. */
  static Stream<Arguments> inTurn(Stream<Arguments> cases, int forms, int taken) {
    List<Arguments> all = cases.toList();
    return IntStream.range(0, all.size())
        .filter(at -> Math.floorMod(at % forms - at / forms, forms) < taken)
        .mapToObj(all::get);
  }

  /** Of cases that have each loss, each with two of them. */
  static Stream<Arguments> withTwoLosses(Stream<Arguments> cases) {
    return inTurn(cases, Loss.values().length, 2);
  }

  /** Configurations on one file, without the medium. */
  static Stream<Arguments> onOneFile() {
    return configurations()
        .flatMap(config -> Stream.of(Loss.values()).map(loss -> Arguments.of(config, loss)));
  }

  /** Of those each configuration with one loss. */
  static Stream<Arguments> onOneFileInTurn() {
    return inTurn(onOneFile(), Loss.values().length);
  }

  /** A configuration on a medium, with each loss. */
  static Stream<Arguments> cases(OramConfig config, Media media) {
    return Stream.of(Loss.values()).map(loss -> Arguments.of(config, media, loss));
  }

  /** Schemes and maps whose stores can be objects: chunks are powers of two, and whole. */
  static Stream<OramConfig> inUnits() {
    return Stream.of(
        small(60, "roram").sizeClasses(0, 3).chunkPaths(4).windowBlocks(12).build(),
        small(70, "roram").trees(0, 1).chunkPaths(8).windowBlocks(29).build(),
        small(90, "roram").chunkPaths(2).windowBlocks(6).treetopBytes(20_000).build(),
        small(60, "path-batched").chunkPaths(2).windowBlocks(7).build(),
        recursive(small(60, "roram").trees(0, 2).chunkPaths(4).windowBlocks(12)),
        recursive(small(50, "path-batched").chunkPaths(4).windowBlocks(12)),
        Rings.onObjects(Rings.small(60, 512, 8)));
  }

  static Stream<OramConfig> configurations() {
    return Stream.of(
        small(60, "roram").sizeClasses(0, 3).chunkPaths(3).windowBlocks(0).build(),
        small(70, "roram").trees(0, 1).chunkPaths(4).windowBlocks(10).build(),
        small(90, "roram").chunkPaths(5).windowBlocks(24).treetopBytes(20_000).build(),
        small(40, "roram").preset(Preset.PAPER).sizeClasses(0, 1, 3).build(),
        small(50, "roram").sizeClasses(0, 1, 3).windowBlocks(2).revealOperationType(true).build(),
        small(60, "path-batched").chunkPaths(2).windowBlocks(0).build(),
        small(90, "path-batched").chunkPaths(7).windowBlocks(20).build(),
        small(60, "tao").chunkPaths(2).build(),
        small(90, "tao").chunkPaths(5).treetopBytes(10_000).build(),
        recursive(small(60, "roram").trees(0, 2).chunkPaths(3).windowBlocks(6)),
        recursive(small(50, "path-batched").chunkPaths(4).windowBlocks(0)),
        Rings.of(60, 512, 8, 4, 2, 4, 1),
        Rings.of(70, 512, 8, 7, 4, 4, 0),
        Rings.of(90, 512, 8, 5, 2, 5, 4),
        detWo(40).set("overhead", 1).build(),
        detWo(70).set("overhead", "3.3").set("form", "eager").build(),
        detWo(90).set("overhead", 9).set("form", "parallel").build());
  }

  /** With a position map in two trees. */
  private static OramConfig recursive(OramConfig.Builder builder) {
    return builder
        .positionMap("recursive")
        .set("blocksPerMapBlock", 4)
        .set("clientLabels", 4)
        .build();
  }

  private static OramConfig.Builder detWo(int blocks) {
    return OramConfig.builder(blocks).scheme("detwo").blockBytes(512).maxRangeBlocks(8);
  }

  private static OramConfig.Builder small(int blocks, String scheme) {
    return OramConfig.builder(blocks)
        .scheme(scheme)
        .blockBytes(512)
        .maxRangeBlocks(8)
        .treetopBytes(0);
  }

  /** A power failure may lose what was not synced; the death of the process loses nothing. */
  static OpenOptions options(OramConfig config, Loss loss) {
    return Media.ONE.options(loss);
  }

  @ParameterizedTest
  @MethodSource("casesInTurn")
  void aPoint(OramConfig config, Media media, Loss loss) throws IOException {
    cutEverywhere(config, media, loss, STRIDE, 0);
  }

  @Tag("gate")
  @ParameterizedTest
  @MethodSource("cases")
  void somePoints(OramConfig config, Media media, Loss loss) throws IOException {
    cutEverywhere(config, media, loss, STRIDE, 1);
  }

  @Tag("crash")
  @ParameterizedTest
  @MethodSource("cases")
  void allPoints(OramConfig config, Media media, Loss loss) throws IOException {
    for (int seed = 2; seed < 2 + SEEDS; seed++) {
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
    Scripted user = new Scripted(config, media, media.options(loss), key, seed);
    user.disk().crashAt(user.disk().changes() + point, loss, random.nextLong());
    user.accessUntilCrash(ACCESSES);
    boolean cut = user.disk().crashed();
    user.crash(loss, random.nextLong());
    for (int again = random.nextInt(4); again > 0; again--) {
      user.restart();
      user.disk().crashAt(1 + random.nextInt(12), loss, random.nextLong());
      user.accessUntilCrash(2);
      user.crash(loss, random.nextLong());
    }
    user.restart();
    user.checkThatItGoesOn();
    return cut;
  }
}
