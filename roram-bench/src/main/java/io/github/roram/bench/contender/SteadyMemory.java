package io.github.roram.bench.contender;

import io.github.roram.ClientMemory;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.parameters.TreetopBudget;
import io.github.roram.parameters.TreetopLoad;

/**
 * What a client holds in the steady state of a full store: blocks of its treetops, blocks waiting
 * for their eviction, and the position maps, with four bytes for each label. Maps on the store, and
 * memory needed during an access or a chunk, are not counted.
 *
 * @param treetopBytes expected blocks of all treetops, not the room that their slots have
 * @param windowBytes full windows of all trees
 * @param mapBytes position maps of all trees; for a scheme without trees, all memory that it
 *     declares
 */
public record SteadyMemory(long treetopBytes, long windowBytes, long mapBytes) {

  private static final int LABEL_BYTES = 4;

  /** Returns what a configuration holds. */
  public static SteadyMemory of(OramConfig config) {
    if (!(config.parameters() instanceof TreeParameters)) {
      return new SteadyMemory(
          0,
          0,
          Scheme.of(config.scheme())
              .clientMemory(config, OpenOptions.defaults())
              .map(ClientMemory::bytes)
              .orElse(0L));
    }
    int trees = TreeParameters.of(config).trees().length;
    int height = height(config);
    int levels = TreetopBudget.levels(config, config.blocks(), height, trees);
    return new SteadyMemory(treetopBytes(config, levels), windowBytes(config), mapBytes(config));
  }

  /** Returns all of it. */
  public long bytes() {
    return treetopBytes + windowBytes + mapBytes;
  }

  /** Returns the budget for treetops with which a configuration holds at most as much as this. */
  long treetopBudget(OramConfig config) {
    return Math.max(0, bytes() - windowBytes(config) - mapBytes(config));
  }

  private static long windowBytes(OramConfig config) {
    TreeParameters parameters = TreeParameters.of(config);
    return (long) parameters.trees().length * parameters.windowBlocks() * config.blockBytes();
  }

  private static long mapBytes(OramConfig config) {
    TreeParameters parameters = TreeParameters.of(config);
    if (parameters.recursivePositionMap()) {
      return 0;
    }
    long labels = 0;
    for (int exponent : parameters.trees()) {
      labels += ((config.blocks() - 1) >> exponent) + 1;
    }
    return labels * LABEL_BYTES;
  }

  /** Returns what the blocks of the top {@code levels} levels of all trees take. */
  static long treetopBytes(OramConfig config, int levels) {
    TreetopLoad load = TreetopBudget.load(config, config.blocks(), height(config));
    int trees = TreeParameters.of(config).trees().length;
    return levels == 0 ? 0 : (long) Math.ceil(trees * load.blocks(levels) * config.blockBytes());
  }

  /** Returns how many trees a configuration has; 1 for places in a row. */
  public static int trees(OramConfig config) {
    return config.parameters() instanceof TreeParameters parameters ? parameters.trees().length : 1;
  }

  /** Returns the height of a tree. */
  static int height(OramConfig config) {
    return Integer.numberOfTrailingZeros(TreeParameters.of(config).leaves());
  }
}
