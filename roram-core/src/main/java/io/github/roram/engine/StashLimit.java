package io.github.roram.engine;

import io.github.roram.OramConfig;
import io.github.roram.StashOverflowException;

/** The most blocks that the stash of a tree may hold. */
public final class StashLimit {

  private StashLimit() {}

  /**
   * Checks what a tree's stash holds.
   *
   * @throws StashOverflowException if it is more than the limit
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
