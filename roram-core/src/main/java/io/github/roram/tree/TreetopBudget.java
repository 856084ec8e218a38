package io.github.roram.tree;

import io.github.roram.OramConfig;
import io.github.roram.parameters.TreeParameters;

/** How many levels of its trees a client can hold. */
public final class TreetopBudget {

  private TreetopBudget() {}

  /**
   * m: the most top levels, the same for every tree, whose blocks fit the configured memory; the
   * leaves are always stored.
   *
   * @param trees number of trees that share the memory
   * @param height h
   */
  public static int levels(OramConfig config, int trees, int height) {
    TreeParameters parameters = TreeParameters.of(config);
    long bucketBytes = (long) parameters.bucketSlots() * config.blockBytes();
    long buckets = parameters.treetopBytes() / trees / bucketBytes;
    // m levels have 2^m − 1 buckets.
    int levels = 63 - Long.numberOfLeadingZeros(buckets + 1);
    return Math.min(levels, height);
  }
}
