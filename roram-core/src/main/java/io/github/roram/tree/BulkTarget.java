package io.github.roram.tree;

import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.stash.Stash;
import java.io.IOException;

/** A tree that was never accessed, as a bulk load sees it. */
public interface BulkTarget {

  /** The shape. */
  TreeGeometry geometry();

  /** The layout of its buckets. */
  BucketDescriptor descriptor();

  /** The label of a block. */
  int label(int address);

  /** Where the blocks go that fit no bucket below the treetop. */
  Stash stash();

  /**
   * Begins to fill the tree. A fill that fails leaves it as it was; the next one must then seal in
   * a new epoch.
   */
  BulkFill startFill() throws IOException;
}
