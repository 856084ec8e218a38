package io.github.roram.parameters;

import io.github.roram.OramConfig;

/**
 * How many levels of its trees a client can hold: by the blocks that it will really hold of them,
 * and not by their slots, most of which are empty ({@link TreetopLoad}).
 *
 * <p>A level more doubles what is held. So that a few per cent too little do not leave half of the
 * memory unused, the blocks may exceed the budget by up to an eighth.
 */
public final class TreetopBudget {

  private static final double ALLOWED = 1 + 1.0 / 8;

  private TreetopBudget() {}

  /**
   * m: the most top levels, the same for all trees of this height, whose blocks fit the configured
   * memory; the leaves are always stored.
   *
   * @param blocks N, of the tree
   * @param height h, of the tree
   * @param trees number of trees that share the memory
   */
  public static int levels(OramConfig config, long blocks, int height, int trees) {
    long treetopBytes = TreeParameters.of(config).treetopBytes();
    double mostBlocks = ALLOWED * treetopBytes / trees / config.blockBytes();
    if (mostBlocks < 1) {
      return 0;
    }
    TreetopLoad load = load(config, blocks, height);
    int levels = 0;
    while (levels < height && load.blocks(levels + 1) <= mostBlocks) {
      levels++;
    }
    return levels;
  }

  /** What a client holds of a tree of this configuration. */
  public static TreetopLoad load(OramConfig config, long blocks, int height) {
    TreeParameters parameters = TreeParameters.of(config);
    return parameters.writesRandomPaths()
        ? TreetopLoad.random(blocks, height, parameters.bucketSlots())
        : TreetopLoad.inTurn(blocks, height, parameters.bucketSlots(), parameters.evictionRate());
  }
}
