package io.github.roram.tao;

import io.github.roram.OramConfig;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.parameters.Exponents;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.StoreParts;
import io.github.roram.tree.TreeGeometry;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the tree of a TaORAM lies on the store. Every bucket has two places: one has what is
 * current, a write-back writes the other. So a write-back that is torn leaves the tree before it.
 *
 * <p>Level by level from the uppermost stored one, first all first places, then all second ones.
 */
final class TaoLayout {

  /** Versions of the two children. */
  static final int LINK_BYTES = 2 * Long.BYTES;

  private static final int PLACES = 2;

  private final TreeGeometry geometry;
  private final BucketDescriptor descriptor;

  /** The layout for a configuration. */
  TaoLayout(OramConfig config) {
    TreeParameters parameters = TreeParameters.of(config);
    int height = Exponents.ceilLog2(parameters.leaves());
    geometry = TreeGeometry.within(config, 0, 0, config.blocks(), height, 1);
    descriptor = new BucketDescriptor(parameters.bucketSlots(), config.blockBytes(), LINK_BYTES);
  }

  TreeGeometry geometry() {
    return geometry;
  }

  /** The layout of the buckets. */
  BucketDescriptor descriptor() {
    return descriptor;
  }

  /**
   * Byte offset of a bucket.
   *
   * @param place 0 or 1
   */
  long offset(int level, int bucket, int place) {
    long before = (1L << level) - (1L << geometry.treetopLevels());
    long unit = PLACES * before + ((long) place << level) + bucket;
    return SuperblockDescriptor.BYTES + unit * descriptor.sealedBytes();
  }

  /** Bytes of store that the tree and the superblock take. */
  long bytes() {
    return offset(geometry.height() + 1, 0, 0);
  }

  /** Where every level begins, for a store of several media. */
  StoreParts parts() {
    List<Long> levels = new ArrayList<>();
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      levels.add(offset(level, 0, 0));
    }
    return new StoreParts(List.of(levels));
  }
}
