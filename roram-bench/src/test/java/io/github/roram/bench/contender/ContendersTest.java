package io.github.roram.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.roram.OramConfig;
import io.github.roram.parameters.TreeParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

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
  void fewTreesShowTheSameClassesAndHaveTheSameMemory() {
    OramConfig all = config(Contenders.RORAM);
    for (Contender few : List.of(Contenders.RORAM_TWO, Contenders.RORAM_ONE)) {
      assertThat(TreeParameters.of(config(few)).sizeClasses())
          .isEqualTo(TreeParameters.of(all).sizeClasses());
      assertThat(ClientMemory.bytes(config(few))).isEqualTo(ClientMemory.bytes(all));
    }
    assertThat(TreeParameters.of(config(Contenders.PATH_TREETOP)).treetopBytes())
        .isEqualTo(ClientMemory.bytes(all));
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
    String page = Files.readString(Path.of("../docs/reproducing.md"));
    assertThat(Contenders.ALL)
        .allSatisfy(contender -> assertThat(page).contains("\n| `" + contender.id() + "` | "));
  }

  private static OramConfig config(Contender contender) {
    return contender.config(BLOCKS, MAX_RANGE);
  }
}
