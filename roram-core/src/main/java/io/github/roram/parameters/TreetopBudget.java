package io.github.roram.parameters;

import io.github.roram.OramConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes how many levels of its trees a client can hold, from the blocks expected there ({@link
 * TreetopLoad}), not from the slots, most of which are empty.
 *
 * <p>One more level doubles the blocks held. The blocks may exceed the budget by up to an eighth,
 * because otherwise half of the memory would be unused when it is a few per cent short.
 */
public final class TreetopBudget {

  private static final double ALLOWED = 1 + 1.0 / 8;

  private static final int MOST_KEPT = 64;

  /** Loads that were computed recently: a search for parameters needs the same few many times. */
  private static final Map<List<Number>, TreetopLoad> KEPT =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<List<Number>, TreetopLoad> eldest) {
          return size() > MOST_KEPT;
        }
      };

  private TreetopBudget() {}

  /**
   * Returns m: the most top levels, the same for all trees of this height, whose blocks fit the
   * configured memory; the leaves are always on the store.
   *
   * @param blocks N of the tree
   * @param height h of the tree
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

  /** Returns the load of a tree of this configuration. */
  public static TreetopLoad load(OramConfig config, long blocks, int height) {
    TreeParameters parameters = TreeParameters.of(config);
    double rate = parameters.writesRandomPaths() ? 0 : parameters.evictionRate();
    int slots = parameters.bucketSlots();
    // A list, since Java generates the equals of a record at the first call, which slows short
    // commands.
    List<Number> shape = List.of(blocks, height, slots, rate);
    synchronized (KEPT) {
      return KEPT.computeIfAbsent(
          shape,
          key ->
              rate == 0
                  ? TreetopLoad.random(blocks, height, slots)
                  : TreetopLoad.inTurn(blocks, height, slots, rate));
    }
  }
}
