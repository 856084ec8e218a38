package io.github.roram;

import java.util.Map;

/**
 * The parameters of one scheme for one store: immutable, validated, without secrets. Only the
 * scheme knows what they mean. They are stored in the clear, as {@link #settings}.
 *
 * <p>Equal parameters are {@link Object#equals equal}.
 */
public interface SchemeParameters {

  /** Id of the scheme that they are of. */
  String scheme();

  /** L, the longest range of one access, in blocks: 1 to {@link OramConfig#MAX_RANGE_BLOCKS}. */
  int maxRangeBlocks();

  /**
   * Every parameter by name, those included that were not set. The scheme makes equal parameters of
   * them, in this version and in all later ones.
   */
  Map<String, String> settings();

  /**
   * How many blocks an access of {@code count} blocks shows to the store: its size class where
   * there are some.
   */
  default int shownBlocks(int count) {
    return count;
  }

  /** Whether the position map is in a file, for which the client must name a directory. */
  default boolean hasMapInFile() {
    return false;
  }

  /**
   * The adversary that was declared when the store was created; {@link Adversary#FULL} for schemes
   * that need no declaration.
   */
  default Adversary adversary() {
    return Adversary.FULL;
  }
}
