package io.github.roram.linked;

import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.tree.TreeGeometry;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a linked tree lies on the store: level by level from the uppermost stored one. A bucket has
 * one place or two: with two, one has what is current, and what is written goes to the other; first
 * come all first places of a level, then all second ones.
 *
 * @param geometry the shape
 * @param descriptor the layout of its buckets
 * @param places how many each bucket has
 * @param base byte offset of the tree in the store
 */
record LinkedLayout(TreeGeometry geometry, BucketDescriptor descriptor, int places, long base) {

  /** Versions of the two children, in each bucket. */
  public static final int LINK_BYTES = 2 * Long.BYTES;

  /**
   * Byte offset of a bucket.
   *
   * @param place 0 or 1
   */
  public long offset(int level, int bucket, int place) {
    long before = (1L << level) - (1L << geometry.treetopLevels());
    long unit = places * before + ((long) place << level) + bucket;
    return base + unit * descriptor.sealedBytes();
  }

  /** Byte offset of what comes after the tree. */
  public long end() {
    return offset(geometry.height() + 1, 0, 0);
  }

  /** Where every level begins, for a store of several media. */
  public List<Long> levels() {
    List<Long> levels = new ArrayList<>();
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      levels.add(offset(level, 0, 0));
    }
    return levels;
  }
}
