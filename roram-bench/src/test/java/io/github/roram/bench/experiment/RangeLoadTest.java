package io.github.roram.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.contender.SteadyMemory;
import io.github.roram.bench.experiment.RangeJobs.RangeLoad;
import io.github.roram.bench.replay.Target;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangeLoadTest {

  /** Whole cycles: every tree pays exactly what the counted queries owe. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 32})
  void evictionsAreThoseThatTheQueriesOwe(int rangeBlocks) throws IOException {
    OramConfig config = Contenders.RORAM.config(1 << 11, 32);
    RangeLoad load = new RangeLoad(config, Contenders.RORAM, rangeBlocks);
    try (Target subject = Target.pattern(Contenders.RORAM, config, () -> {})) {
      long before = evictionsAfterWarmup(subject, load);
      long after = subject.device().stats().trees().get(0).evictions();
      long owed = (long) load.queries() * rangeBlocks;
      // Tree 0 serves single blocks only, of which there is nothing else to read.
      assertThat((after - before) * TreeParameters.of(config).evictionRate()).isEqualTo(owed);
    }
  }

  private static long evictionsAfterWarmup(Target subject, RangeLoad load) throws IOException {
    Point.Key key = new Point.Key("", "", false, "", "", 0, "", 0);
    load.run(key, subject, () -> {});
    long before = subject.device().stats().trees().get(0).evictions();
    for (int query = 0; query < load.queries(); query++) {
      subject.device().read(0, load.rangeBlocks(), false);
    }
    return before;
  }

  @Test
  void prototypeLikePathOramAsksForOneBucketAtATime() throws IOException {
    OramConfig config = Contenders.PATH_PAPER.config(1 << 8, 4);
    RangeLoad load = new RangeLoad(config, Contenders.PATH_PAPER, 4);
    try (Target subject = Target.pattern(Contenders.PATH_PAPER, config, () -> {})) {
      Point point = load.run(new Point.Key("", "", false, "", "", 0, "", 0), subject, () -> {});
      // Trees of 2^8, 2^6, 2^4 and 2^2 blocks with as many leaves: 9 + 7 + 5 + 3 buckets a path.
      assertThat(point.total().requests()).isEqualTo(point.blocks() * 2 * (9 + 7 + 5 + 3));
      assertThat(point.of(IoPhase.POSITION_MAP).requests())
          .isEqualTo(point.blocks() * 2 * (7 + 5 + 3));
    }
  }

  @Test
  void memoryOfATreeForEachClassIsBlocksOfTreetopsAndWindowsAndMaps() {
    OramConfig range = Contenders.RORAM.config(1 << 22, 256);
    assertThat(TreeParameters.of(range).chunkPaths()).isEqualTo(1024);
    assertThat(TreeParameters.of(range).windowBlocks()).isEqualTo(4096);
    SteadyMemory memory = SteadyMemory.of(range);
    // Levels 0 to 10 of nine trees: A/2 blocks in each of 2^11 buckets, and 2 % that overflow.
    double blocks = 9 * 1.5 * 2048;
    assertThat(memory.treetopBytes() / 4096.0).isBetween(1.01 * blocks, 1.03 * blocks);
    assertThat(memory.windowBytes()).isEqualTo(9L * 4096 * 4096);
    assertThat(memory.mapBytes()).isEqualTo(4L * ((1 << 23) - (1 << 14)));
  }
}
