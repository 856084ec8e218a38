package io.github.roram.engine;

import io.github.roram.OramConfig;
import io.github.roram.StashOverflowException;

/** The limit on the blocks of a tree's stash. */
public final class StashLimit {

  private StashLimit() {}

  /**
   * Checks the number of blocks in a tree's stash.
   *
   * @throws StashOverflowException if the number exceeds the limit
   */
  public static void check(OramConfig config, int tree, int heldBlocks, int limitBlocks) {
    if (heldBlocks > limitBlocks) {
      throw new StashOverflowException(
          "the stash of tree "
              + tree
              + " holds "
              + heldBlocks
              + " blocks, its limit is "
              + limitBlocks
              + " ("
              + config
              + "); nothing is lost: close, and open with a higher stash limit where the scheme has"
              + " one, or move the data to a store of preset proven");
    }
  }
}
