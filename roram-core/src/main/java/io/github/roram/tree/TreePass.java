package io.github.roram.tree;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A pass over all that was ever written of a tree: level by level, root side first, each level in
 * the order in which evictions wrote it. So of two copies that pass as current the newer one is met
 * first (construction, section 2.4).
 *
 * <h2>Security</h2>
 *
 * The requests follow from the configuration and the counter of evictions.
 */
public final class TreePass {

  /** Bytes of buckets that a pass over a tree asks for at once, whatever the scheme. */
  public static final int REQUEST_BYTES = 4 << 20;

  /**
   * One request.
   *
   * @param level the level of its buckets
   * @param eviction the first of the evictions that wrote them
   * @param count number of evictions, one bucket each
   */
  public record Part(int level, long eviction, int count) {}

  private final RangeTree tree;

  /** A pass over a tree, which must not change before it is done. */
  public TreePass(RangeTree tree) {
    this.tree = tree;
  }

  /** Number of buckets of a level that were ever written. */
  private long written(int level) {
    return Math.min(1L << level, tree.schedule().evictions() - tree.geometry().leaves());
  }

  /** Bytes of all parts. */
  public long bytes() {
    long buckets = 0;
    for (int level = tree.geometry().treetopLevels(); level <= tree.geometry().height(); level++) {
      buckets += written(level);
    }
    return buckets * tree.descriptor().sealedBytes();
  }

  /** Bytes of a part. */
  public long bytes(Part part) {
    return (long) part.count() * tree.descriptor().sealedBytes();
  }

  /** All parts, in the order in which they are to be read. */
  public List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    int most = Math.max(1, REQUEST_BYTES / tree.descriptor().sealedBytes());
    long end = tree.schedule().evictions();
    for (int level = tree.geometry().treetopLevels(); level <= tree.geometry().height(); level++) {
      for (long first = end - written(level); first < end; first += most) {
        parts.add(new Part(level, first, (int) Math.min(most, end - first)));
      }
    }
    return parts;
  }

  /**
   * Reads a part.
   *
   * @throws IOException if the store failed; some buckets may have been visited
   */
  public void read(Part part, BucketVisitor visitor) throws IOException {
    tree.readBuckets(part.level(), part.eviction(), part.count(), visitor);
  }
}
