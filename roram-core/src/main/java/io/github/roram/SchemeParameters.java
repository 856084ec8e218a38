package io.github.roram;

import java.util.Map;

/**
 * The parameters of one scheme for one store: immutable, validated, without secrets. Only the
 * scheme knows what they mean. Stores keep them in the clear, as {@link #settings}.
 *
 * <p>Equal parameters are {@link Object#equals equal}.
 */
public interface SchemeParameters {

  /** Returns the id of the scheme. */
  String scheme();

  /** Returns L, the longest range of an access: 1 to {@link OramConfig#MAX_RANGE_BLOCKS} blocks. */
  int maxRangeBlocks();

  /**
   * Returns every parameter by name, including those that were not set. From these the scheme makes
   * equal parameters, in this version and in all later ones.
   */
  Map<String, String> settings();

  /**
   * Returns how many blocks an access to {@code count} blocks shows to the store: its size class if
   * the scheme has size classes.
   */
  default int shownBlocks(int count) {
    return count;
  }

  /** Returns whether the position map is in a file, for which the client must name a directory. */
  default boolean hasMapInFile() {
    return false;
  }

  /**
   * Returns the adversary that was declared when the store was created; {@link Adversary#FULL} for
   * schemes that need no declaration.
   */
  default Adversary adversary() {
    return Adversary.FULL;
  }
}
