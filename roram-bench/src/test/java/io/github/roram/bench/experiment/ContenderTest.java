package io.github.roram.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.parameters.TreeParameters;
import org.junit.jupiter.api.Test;

/** What is compared differs in what its name says, whatever the library's defaults are. */
class ContenderTest {

  private static final long BLOCKS = 1 << 14;
  private static final int MAX_RANGE = 256;

  @Test
  void contendersHaveTheTreesOfTheirNames() {
    assertThat(TreeParameters.of(config(Contender.RORAM)).hasTreeForEachClass()).isTrue();
    assertThat(TreeParameters.of(config(Contender.RORAM_PAPER)).hasTreeForEachClass()).isTrue();
    assertThat(TreeParameters.of(config(Contender.RORAM_FEW)).trees()).containsExactly(0, 3, 6);
    assertThat(TreeParameters.of(config(Contender.RORAM_TWO)).trees()).containsExactly(0, 5);
    assertThat(TreeParameters.of(config(Contender.RORAM_ONE)).trees()).containsExactly(0);
  }

  @Test
  void fewTreesShowTheSameClassesAndHaveTheSameMemory() {
    OramConfig all = config(Contender.RORAM);
    for (Contender few : new Contender[] {Contender.RORAM_TWO, Contender.RORAM_ONE}) {
      assertThat(TreeParameters.of(config(few)).sizeClasses())
          .isEqualTo(TreeParameters.of(all).sizeClasses());
      assertThat(Contender.clientBytes(config(few))).isEqualTo(Contender.clientBytes(all));
    }
    assertThat(TreeParameters.of(config(Contender.PATH_TREETOP)).treetopBytes())
        .isEqualTo(Contender.clientBytes(all));
  }

  @Test
  void leversThatAreNotAboutTreesKeepThem() {
    for (Lever lever :
        new Lever[] {
          Lever.NONE, Lever.TREETOP, Lever.CHUNK_4K, Lever.HALF_SHARE, Lever.PROVEN,
        }) {
      assertThat(TreeParameters.of(lever.config(BLOCKS, MAX_RANGE)).hasTreeForEachClass())
          .as(lever.id())
          .isTrue();
    }
  }

  private static OramConfig config(Contender contender) {
    return contender.config(BLOCKS, MAX_RANGE);
  }
}
