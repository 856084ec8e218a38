package io.github.roram.auditor.judge;

import java.util.List;

/**
 * What a read of random paths shows.
 *
 * @param tree number of the tree
 * @param leaves its leaves, increasing, each once
 * @param writtenLeaves leaves 0 … w − 1 were ever written; a read leaves out the others
 * @param allLeaves 2^h
 * @param bucketsPerLevel how many buckets of each level it read, from level m on
 * @param labels where runs start, as far as their ends can be told: not where two runs touch
 * @param wholePaths whether its buckets are the current ones of whole paths, and nothing else
 */
record Shown(
    int tree,
    List<Integer> leaves,
    int writtenLeaves,
    int allLeaves,
    List<Integer> bucketsPerLevel,
    List<Integer> labels,
    boolean wholePaths) {

  /** Whether every leaf of the tree has been written, so that no part of a path is left out. */
  boolean isComplete() {
    return writtenLeaves == allLeaves;
  }

  int buckets() {
    return bucketsPerLevel.stream().mapToInt(Integer::intValue).sum();
  }
}
