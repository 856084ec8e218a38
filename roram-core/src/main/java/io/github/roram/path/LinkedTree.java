package io.github.roram.path;

import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.tree.BucketVisitor;
import io.github.roram.tree.TreeGeometry;
import java.io.IOException;

/**
 * A tree whose buckets name the versions of their two children, in their links: 8 bytes each. The
 * client holds those of the uppermost stored level. Version 0 means never written.
 */
public interface LinkedTree {

  /** The shape. */
  TreeGeometry geometry();

  /** The layout of the buckets. */
  BucketDescriptor descriptor();

  /** Versions of the buckets of the uppermost stored level; not to be changed. */
  long[] topVersions();

  /**
   * Reads those buckets of a level that have a version above 0, whoever needs them: nothing is
   * kept.
   *
   * @param expected the version of each bucket of the level
   * @throws IOException if the store failed; some may have been visited
   */
  void readBuckets(int level, int firstBucket, int count, long[] expected, BucketVisitor visitor)
      throws IOException;
}
