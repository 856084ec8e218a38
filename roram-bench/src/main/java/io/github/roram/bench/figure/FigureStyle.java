package io.github.roram.bench.figure;

import java.util.List;

/**
 * Titles and axes of a figure.
 *
 * @param id name of its CSV
 * @param title what it shows
 * @param paper which figure of the paper it stands beside
 * @param xAxis what the x axis says
 * @param yAxis what the y axis says
 * @param bars whether x are names and not numbers
 * @param logarithmic whether the y axis is
 */
record FigureStyle(
    String id,
    String title,
    String paper,
    String xAxis,
    String yAxis,
    boolean bars,
    boolean logarithmic) {

  static final List<FigureStyle> ALL =
      List.of(
          new FigureStyle(
              "fig5",
              "Path ORAM with batched evictions",
              "Figure 5",
              "Batch size (2^x evictions)",
              "Query access time per block (seconds)",
              false,
              true),
          new FigureStyle(
              "fig6",
              "Time of a block against range size",
              "Figure 6",
              "Range size (2^x blocks)",
              "Query access time per block (seconds)",
              false,
              true),
          new FigureStyle(
              "fig7",
              "Query throughput",
              "Figure 7",
              "Benchmark",
              "Throughput (queries/second)",
              true,
              false),
          new FigureStyle(
              "stash-tail",
              "Tail of the stash",
              "Theorem 1",
              "Stash (blocks)",
              "Share of accesses that left at least so many",
              false,
              true),
          new FigureStyle(
              "stash-max",
              "Largest stash so far",
              "Section VII-D",
              "Block accesses",
              "Largest stash (blocks)",
              false,
              false),
          new FigureStyle(
              "cost-n",
              "Cost of a range of 2^4 blocks",
              "Table I",
              "Device (2^x blocks)",
              "Count per access",
              false,
              true),
          new FigureStyle(
              "cost-r",
              "Cost of a range",
              "Table I",
              "Range size (2^x blocks)",
              "Count per access",
              false,
              true));
}
