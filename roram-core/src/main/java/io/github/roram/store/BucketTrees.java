package io.github.roram.store;

import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The trees whose buckets a {@link BucketStore} keeps: the argument of {@link BlockStore#buckets}.
 *
 * @param trees the trees, by their numbers from 0 on
 */
public record BucketTrees(List<Tree> trees) {

  /** Copies the list. */
  public BucketTrees {
    trees = List.copyOf(trees);
  }

  /**
   * One tree.
   *
   * @param topLevel the uppermost level that the store keeps
   * @param height the level of the leaves
   * @param chunkPaths K: how many paths the tree evicts at once
   * @param bucketBytes bytes of a bucket, or of a slot if each slot is sealed alone
   * @param slots number of such units in a bucket of a level
   */
  public record Tree(
      int topLevel, int height, int chunkPaths, int bucketBytes, IntUnaryOperator slots) {

    /** Creates a tree whose buckets are sealed as a whole. */
    public Tree(int topLevel, int height, int chunkPaths, int bucketBytes) {
      this(topLevel, height, chunkPaths, bucketBytes, level -> 1);
    }
  }
}
