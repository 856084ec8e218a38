package io.github.roram.slot;

import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.SchemeSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * The shape of a tree, the shapes that a store may have, and the one that moves the fewest bytes.
 *
 * @param rate A: number of blocks that enter for each eviction
 * @param step s: every s-th level is stored; the fan-out is 2^s
 * @param height h
 * @param topLevel m: the client holds the levels above; s divides h − m
 */
record SlotShape(int rate, int step, int height, int topLevel) {

  /**
   * The values of A to choose from: each about twice the one before, where leaves that are half
   * full meet a power of two.
   */
  private static final int[] RATES = {4, 9, 21, 47, 104, 220, 460, 950, 1942};

  private static final int[] STEPS = {1, 2};

  /**
   * Blocks of a leaf, in multiples of A: fewer waste slots; with more, a longer path costs less
   * than reading the larger leaves.
   */
  private static final double LEAST_LOAD = 0.5;

  private static final double MOST_LOAD = 6;

  /** Returns 2^s. */
  int fanOut() {
    return 1 << step;
  }

  /** Returns all shapes for {@code blocks} blocks that agree with the settings. */
  static List<SlotShape> of(long blocks, SchemeSettings settings) {
    List<SlotShape> shapes = new ArrayList<>();
    for (int rate : RATES) {
      for (int step : STEPS) {
        for (int height = 0; height <= 30; height++) {
          double load = (double) blocks / (1L << height) / rate;
          boolean fits =
              load <= MOST_LOAD && (load >= LEAST_LOAD || (height == 0 && rate == RATES[0]));
          for (int top = height; fits && top >= 0; top -= step) {
            SlotShape shape = new SlotShape(rate, step, height, top);
            if (agrees(shape, settings) && new SlotGeometry(blocks, 512, shape).hasNumbers()) {
              shapes.add(shape);
            }
          }
        }
      }
    }
    return shapes;
  }

  /** Returns whether a shape agrees with the settings. */
  private static boolean agrees(SlotShape shape, SchemeSettings settings) {
    return SlotParameters.settings(shape).entrySet().stream()
        .allMatch(one -> settings.text(one.getKey(), one.getValue()).equals(one.getValue()));
  }

  /**
   * Returns the shape that moves the fewest bytes among those that fit in {@code bytes} of client
   * memory; if none fits, the one that needs the least memory.
   */
  static SlotShape cheapest(
      long blocks,
      int blockBytes,
      SchemeSettings settings,
      int maxRangeBlocks,
      boolean sweeps,
      boolean hasMapInFile,
      long bytes) {
    SlotShape best = null;
    double bestCost = Double.POSITIVE_INFINITY;
    long least = Long.MAX_VALUE;
    for (SlotShape shape : of(blocks, settings)) {
      SlotParameters parameters = new SlotParameters(shape, maxRangeBlocks, sweeps, hasMapInFile);
      OramConfig config = OramConfig.of(blocks, blockBytes, parameters);
      long memory = new SlotMemory(config, OpenOptions.defaults()).most().bytes();
      double cost = SlotScheme.cost(config, 1).bytes();
      boolean better = memory <= bytes ? cost < bestCost : best == null || memory < least;
      if (better && (memory <= bytes || least > bytes)) {
        best = shape;
        bestCost = memory <= bytes ? cost : Double.POSITIVE_INFINITY;
        least = Math.min(least, memory);
      }
    }
    if (best == null) {
      throw new ConfigurationException(
          "no tree of "
              + blocks
              + " blocks has what was set of it, "
              + settings.names()
              + "; set evictionBlocks, fanOut, height and treetopLevels all, or fewer of them");
    }
    return best;
  }
}
