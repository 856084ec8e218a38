package io.github.roram.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.parameters.TreeParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is compared differs in what its name says, whatever the library's defaults are. */
class ContendersTest {

  private static final long BLOCKS = 1 << 14;
  private static final int MAX_RANGE = 256;

  @Test
  void contendersHaveTheTreesOfTheirNames() {
    assertThat(TreeParameters.of(config(Contenders.RORAM)).hasTreeForEachClass()).isTrue();
    assertThat(TreeParameters.of(config(Contenders.RORAM_PAPER)).hasTreeForEachClass()).isTrue();
    assertThat(TreeParameters.of(config(Contenders.RORAM_FEW)).trees()).containsExactly(0, 3, 6);
    assertThat(TreeParameters.of(config(Contenders.RORAM_TWO)).trees()).containsExactly(0, 5);
    assertThat(TreeParameters.of(config(Contenders.RORAM_ONE)).trees()).containsExactly(0);
  }

  @Test
  void fewTreesShowTheSameClasses() {
    OramConfig all = config(Contenders.RORAM);
    for (Contender few : List.of(Contenders.RORAM_TWO, Contenders.RORAM_ONE)) {
      assertThat(TreeParameters.of(config(few)).sizeClasses())
          .isEqualTo(TreeParameters.of(all).sizeClasses());
    }
  }

  /** Treetops grow by whole levels: up to half of the memory stays unused, an eighth is allowed. */
  @ParameterizedTest
  @ValueSource(ints = {14, 18, 20, 22})
  void contendersOfTheSameMemoryHoldNoMoreAndCannotHoldALevelMore(int logBlocks) {
    long blocks = 1L << logBlocks;
    assertHoldsAsMuchAs(Contenders.RORAM, Contenders.PATH_TREETOP, blocks);
    assertHoldsAsMuchAs(Contenders.PATH_TREETOP, Contenders.RORAM_TWO, blocks);
    assertHoldsAsMuchAs(Contenders.PATH_TREETOP, Contenders.RORAM_ONE, blocks);
  }

  private static void assertHoldsAsMuchAs(Contender given, Contender same, long blocks) {
    OramConfig config = same.config(blocks, MAX_RANGE);
    SteadyMemory memory = SteadyMemory.of(config);
    long budget = TreeParameters.of(config).treetopBytes();
    assertThat(budget + memory.windowBytes() + memory.mapBytes())
        .isEqualTo(SteadyMemory.of(given.config(blocks, MAX_RANGE)).bytes());
    assertThat(memory.treetopBytes()).as(same.id()).isBetween(budget / 8 * 3, budget / 8 * 9);
  }

  @Test
  void mapsAreFourBytesForEachRangeOfEachTree() {
    assertThat(SteadyMemory.of(config(Contenders.PATH_STRONG)))
        .isEqualTo(new SteadyMemory(0, 0, 4 * BLOCKS));
    assertThat(SteadyMemory.of(config(Contenders.RORAM_TWO)).mapBytes())
        .isEqualTo(4 * BLOCKS + 4 * BLOCKS / 32);
    assertThat(SteadyMemory.of(config(Contenders.PATH_RECURSIVE)).mapBytes()).isZero();
  }

  @Test
  void leversThatAreNotAboutTreesKeepThem() {
    for (Contender lever : Levers.ALL) {
      OramConfig config = lever.config(BLOCKS, MAX_RANGE);
      boolean aboutTrees = lever.id().startsWith("trees") || lever.id().startsWith("the same");
      assertThat(TreeParameters.of(config).hasTreeForEachClass())
          .as(lever.id())
          .isEqualTo(!aboutTrees);
    }
    assertThat(Levers.ALL.get(0).id()).isEqualTo("none");
  }

  @Test
  void pageOfTheExperimentsExplainsEachContender() throws IOException {
    String page = Files.readString(Path.of("../docs/results/experiments.md"));
    assertThat(Contenders.ALL)
        .allSatisfy(contender -> assertThat(page).contains("\n| `" + contender.id() + "` | "));
  }

  private static OramConfig config(Contender contender) {
    return contender.config(BLOCKS, MAX_RANGE);
  }
}
