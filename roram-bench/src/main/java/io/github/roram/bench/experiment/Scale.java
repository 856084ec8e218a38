package io.github.roram.bench.experiment;

import io.github.roram.ConfigurationException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How large the experiments are.
 *
 * @param id name on the command line
 * @param blocks N of figures 5 and 6
 * @param maxRange L of figure 6
 * @param rangeExponents range sizes of figure 6
 * @param batchExponents batch sizes of figure 5
 * @param traceBlocks N of figure 7
 * @param traceQueries requests counted of each trace and run, after a third as many to warm up
 * @param stashBlocks N of the stash experiment
 * @param stashAccesses block accesses of each run of the stash experiment, unless told otherwise
 * @param costExponents log2 of N of the cost experiment, the largest last
 * @param measuredBlocks N of what is measured on this machine's disk
 */
record Scale(
    String id,
    long blocks,
    int maxRange,
    List<Integer> rangeExponents,
    List<Integer> batchExponents,
    long traceBlocks,
    long traceQueries,
    long stashBlocks,
    long stashAccesses,
    List<Integer> costExponents,
    long measuredBlocks) {

  static final Scale TINY =
      new Scale(
          "tiny",
          1 << 10,
          1 << 5,
          List.of(0, 3, 5),
          List.of(0, 2, 5),
          1 << 12,
          20,
          1 << 10,
          4000,
          List.of(8, 9, 10),
          1 << 9);

  static final Scale SMALL =
      new Scale(
          "small",
          1 << 18,
          1 << 14,
          List.of(0, 2, 4, 5, 6, 8, 10, 12, 14),
          List.of(0, 1, 2, 3, 4, 5, 6, 8, 10),
          1 << 18,
          300,
          1 << 14,
          200_000,
          List.of(10, 12, 14, 16),
          1 << 14);

  static final Scale MEDIUM =
      new Scale(
          "medium",
          1 << 20,
          1 << 14,
          upTo(14),
          upTo(10),
          1 << 18,
          1000,
          1 << 16,
          1_000_000,
          List.of(10, 12, 14, 16, 18, 20),
          1 << 16);

  static final Scale PAPER =
      new Scale(
          "paper",
          1 << 22,
          1 << 14,
          upTo(14),
          upTo(10),
          1 << 22,
          3000,
          1 << 18,
          10_000_000,
          List.of(10, 12, 14, 16, 18, 20, 22),
          1 << 18);

  private static final List<Scale> ALL = List.of(TINY, SMALL, MEDIUM, PAPER);

  private static List<Integer> upTo(int last) {
    return IntStream.rangeClosed(0, last).boxed().toList();
  }

  /**
   * The scale of that name.
   *
   * @throws ConfigurationException if there is none
   */
  static Scale of(String id) {
    return ALL.stream()
        .filter(scale -> scale.id.equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigurationException(
                    "scale '" + id + "' is unknown; use one of tiny, small, medium, paper"));
  }
}
