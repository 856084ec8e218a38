package io.github.roram;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * The example of the rORAM paper (§VIII-B): for 1 GB of blocks of 4 KB the position maps of all
 * trees take about 11 MB, and under 1 MB without the three smallest classes.
 */
final class PapersExampleTest {

  private static final long BLOCKS = 1 << 18;
  private static final long PAPERS_BYTES = 11_000_000;
  private static final long PAPERS_BYTES_OF_LONG_RANGES = 1_000_000;

  private static long labelBytes(OramConfig.Builder builder) {
    return Scheme.of("roram")
        .clientMemory(builder.build(), OpenOptions.defaults())
        .orElseThrow()
        .bytes("labels");
  }

  @Test
  void labelsOfAllTreesTakeAFifthOfThePapers() {
    OramConfig.Builder all = OramConfig.builder(BLOCKS).maxRangeBlocks(1 << 14).trees(allUpTo(14));
    long bytes = labelBytes(all);
    // 4 bytes for each of N (1 + 1/2 + 1/4 + … + 1/2^14) ranges.
    assertThat(bytes).isEqualTo(4 * ((BLOCKS << 1) - (BLOCKS >> 14)));
    assertThat(bytes).isLessThan(PAPERS_BYTES / 5);

    long threeSmallest = 4 * (BLOCKS + BLOCKS / 2 + BLOCKS / 4);
    assertThat(bytes - threeSmallest).isLessThan(PAPERS_BYTES_OF_LONG_RANGES / 3);
  }

  @Test
  void theDefaultHasTwoTrees() {
    long bytes = labelBytes(OramConfig.builder(BLOCKS));
    assertThat(bytes).isEqualTo(4 * (BLOCKS + BLOCKS / 32));
    long recursive = labelBytes(OramConfig.builder(BLOCKS).positionMap("recursive"));
    assertThat(recursive).isLessThanOrEqualTo(4 * 1024);
  }

  /** And two levels of recursion of Path ORAM's map; of 1,024 labels a block it is one. */
  @Test
  void theMapOfAPathOramIsOneTree() {
    OramConfig.Builder path = OramConfig.builder(BLOCKS).scheme("path");
    assertThat(requests(path.recursivePositionMap(false))).isEqualTo(2);
    assertThat(requests(path.recursivePositionMap(true))).isEqualTo(4);
  }

  /** Requests of an access: a read and a write of each tree. */
  private static double requests(OramConfig.Builder builder) {
    return Scheme.of("path").accessCost(builder.build(), 1).orElseThrow().requests();
  }

  private static int[] allUpTo(int largest) {
    int[] all = new int[largest + 1];
    for (int i = 0; i <= largest; i++) {
      all[i] = i;
    }
    return all;
  }
}
