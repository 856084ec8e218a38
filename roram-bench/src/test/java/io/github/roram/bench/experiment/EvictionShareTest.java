package io.github.roram.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.bench.contender.Contenders;
import io.github.roram.bench.replay.Target;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvictionShareTest {

  private static final int ACCESSES = 300;

  /** Against the evictions that the trees do. */
  @ParameterizedTest
  @CsvSource({"1,0,1", "4,0,1", "8,1,1", "16,1,1", "16,1,0.25"})
  void isThatOfTheTreeThatIsRead(int blocks, int tree, double writeShare) throws IOException {
    OramConfig config =
        OramConfig.builder(512)
            .maxRangeBlocks(16)
            .trees(0, 3)
            .writeShare(writeShare)
            .treetopBytes(0)
            .windowBlocks(0)
            .build();
    EvictionShare share = new EvictionShare(Contenders.RORAM, config);
    try (Target subject = Target.pattern(Contenders.RORAM, config, () -> {})) {
      List<Long> before = evictions(subject);
      for (int access = 0; access < ACCESSES; access++) {
        share.counting(subject.device()).read(access, blocks, false);
      }
      List<Long> after = evictions(subject);
      double own = (double) (after.get(tree) - before.get(tree));
      double other = (double) (after.get(1 - tree) - before.get(1 - tree));
      assertThat(share.own()).isCloseTo(own / (own + other), within(0.01));
    }
  }

  private static List<Long> evictions(Target subject) {
    return subject.device().stats().trees().stream().map(OramStats.TreeStats::evictions).toList();
  }
}
