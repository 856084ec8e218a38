package io.github.roram.store;

import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Of which trees a {@link BucketStore} is to keep the buckets: what {@link BlockStore#buckets} is
 * asked for.
 *
 * @param trees by their numbers, from 0 on
 */
public record BucketTrees(List<Tree> trees) {

  /** Copies the list. */
  public BucketTrees {
    trees = List.copyOf(trees);
  }

  /**
   * A tree.
   *
   * @param topLevel the uppermost level that is kept
   * @param height the level of the leaves
   * @param chunkPaths K: how many paths it evicts at once
   * @param bucketBytes bytes of a bucket, or of a slot where each is sealed alone
   * @param slots of how many such units a bucket of a level is
   */
  public record Tree(
      int topLevel, int height, int chunkPaths, int bucketBytes, IntUnaryOperator slots) {

    /** A tree whose buckets are sealed as a whole. */
    public Tree(int topLevel, int height, int chunkPaths, int bucketBytes) {
      this(topLevel, height, chunkPaths, bucketBytes, level -> 1);
    }
  }
}
