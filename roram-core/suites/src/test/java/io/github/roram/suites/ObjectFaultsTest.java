package io.github.roram.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.Durability;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.object.MemoryObjects;
import io.github.roram.storage.Rings;
import io.github.roram.testkit.FaultyObjects;
import io.github.roram.testkit.FaultyObjects.Fault;
import io.github.roram.testkit.ModelledOram;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stores of objects against a plain array, in an engine whose answers are lost, whose puts come
 * late, after the client has begun anew, too, and which refuses for a while. What was written once
 * more is not mistaken for what came late, and the next opening leaves no orphans.
 */
final class ObjectFaultsTest {

  private static final int STEPS = Integer.getInteger("roram.object.steps", 60);
  private static final int UNIT = 8;
  private static final List<Fault> FAULTS = List.of(Fault.LOST_ANSWER, Fault.LATE, Fault.REFUSED);

  static Stream<Arguments> cases() {
    return Stream.of("roram", "path-batched", "ring")
        .flatMap(
            scheme ->
                Stream.of(Durability.OS, Durability.FLUSH, Durability.SYNC)
                    .map(
                        durability ->
                            scheme.equals("ring")
                                ? Arguments.of(ring(), 1, durability)
                                : Arguments.of(config(scheme), UNIT, durability)));
  }

  private static OramConfig ring() {
    return Rings.onObjects(Rings.of(500, 512, 16, 8, 2, 6, 2));
  }

  private static OramConfig config(String scheme) {
    return OramConfig.builder(500)
        .scheme(scheme)
        .blockBytes(512)
        .maxRangeBlocks(16)
        .treetopBytes(1 << 13)
        .chunkPaths(UNIT)
        .windowBlocks(29)
        .build();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void nothingIsLostAndNothingIsLeftBehind(OramConfig config, int unit, Durability durability)
      throws IOException {
    Random random = new Random(config.toString().hashCode() + 31L * durability.name().hashCode());
    FaultyObjects engine = new FaultyObjects(new MemoryObjects());
    OpenOptions options = OpenOptions.defaults().withDurability(durability);
    ObjectMedium medium = new ObjectMedium(engine);
    int late = 0;
    int failed = 0;
    try (ModelledOram oram =
        new ModelledOram(medium, config, options, ModelledOram.seededLabels(7))) {
      oram.bulkLoad((int) config.bytes(), 1 << 16, random);
      for (int step = 0; step < STEPS; step++) {
        if (random.nextInt(6) == 0) {
          Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
          engine.arm(fault, name -> name.startsWith("b/"), 1 + random.nextInt(3));
        }
        failed += access(oram, random) ? 0 : 1;
        if (random.nextInt(15) == 0) {
          engine.disarm();
          oram.dropAndReopen();
        }
        if (random.nextInt(10) == 0) {
          late += engine.underWay();
          engine.deliver();
        }
      }
      // What is written once more here, leaves of a tree too, is still read when the store is
      // opened.
      engine.disarm();
      engine.arm(Fault.LOST_ANSWER, name -> name.startsWith("b/"), 3);
      for (int step = 0; step < 4; step++) {
        access(oram, random);
      }
      engine.disarm();
      engine.deliver();
      oram.dropAndReopen();
      access(oram, random);
      medium.assertNoOrphans(unit);
      oram.checkRanges();
      assertThat(oram.oram().verify((done, total) -> {}).findings()).isEmpty();
      medium.assertNoOrphans(unit);
    }
    assertThat(failed).as("accesses that failed").isPositive();
    assertThat(late).as("puts that came late").isPositive();
  }

  /** Whether it did not fail; else what is there is looked up before anything else is written. */
  private static boolean access(ModelledOram oram, Random random) throws IOException {
    int count = 1 + random.nextInt(oram.config().maxRangeBlocks());
    int block = random.nextInt((int) oram.config().blocks() - count + 1);
    boolean writes = random.nextBoolean();
    boolean done =
        isDone(
            () -> {
              if (writes) {
                oram.write(block, count, random);
              } else {
                oram.read(block, count);
              }
            });
    for (boolean settled = done; !settled; ) {
      settled = isDone(oram::settle);
    }
    return done;
  }

  private interface Step {
    void make() throws IOException;
  }

  private static boolean isDone(Step step) throws IOException {
    try {
      step.make();
      return true;
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("injected");
      return false;
    }
  }
}
