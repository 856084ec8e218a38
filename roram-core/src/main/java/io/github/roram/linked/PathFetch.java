package io.github.roram.linked;

import io.github.roram.bucket.BucketCodec;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.tree.ParallelBucketCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A read of whole paths. Its extents are fixed when it is created: the places that are current at
 * that moment. Of the buckets that arrive it opens those that the client did not have then, from
 * the root down, since each names the versions of its children. So it needs no state of the client,
 * and may be opened on any thread of the store.
 *
 * <p>Used by one thread at a time.
 */
final class PathFetch {

  /** Version of a bucket that the client already had: what arrives for it is ignored. */
  private static final long HELD = -1;

  /** Version of a bucket that is named by its parent, which is being read as well. */
  private static final long OF_PARENT = -2;

  private final LinkedTree tree;
  private final PathUnion union;
  private final ParallelBucketCodec lanes;
  private final int linkOffset;
  private final int slots;
  private final ExtentBatch extents = new ExtentBatch();
  private final long[] versions;
  private final byte[] @Nullable [] plains;

  /** Number of write-backs that were done when this read was created. */
  private final long plannedAt;

  /** Creates a read of the paths of some labels, from the tree as it is now. */
  PathFetch(LinkedTree tree, IoPhase phase, int... labels) {
    this.tree = tree;
    union = new PathUnion(tree.geometry(), labels);
    lanes = tree.lanes();
    linkOffset = tree.descriptor().linkOffset();
    slots = tree.descriptor().slots();
    plannedAt = tree.writeBacks();
    versions = new long[union.units()];
    plains = new byte[union.units()][];
    extents.reset(tree.phase(phase), tree.geometry().tree(), tree.descriptor().sealedBytes());
    for (int unit = 0; unit < union.units(); unit++) {
      extents.add(tree.places().currentOffset(union.key(unit)), 1);
      versions[unit] = knownVersion(tree, unit);
    }
  }

  private long knownVersion(LinkedTree tree, int unit) {
    if (tree.subtree().contains(union.key(unit))) {
      return HELD;
    }
    int parent = union.parent(unit);
    if (parent == PathUnion.NONE) {
      return tree.topVersions()[union.bucket(unit)];
    }
    return versions[parent] == HELD ? link(tree.subtree().get(union.key(parent)), unit) : OF_PARENT;
  }

  private long link(byte[] parent, int unit) {
    return PlainBucket.link(parent, linkOffset + Long.BYTES * union.side(unit));
  }

  /** Returns what is asked for. */
  ExtentBatch extents() {
    return extents;
  }

  /** Reads everything in one request into the client's subtree. */
  void run() throws IOException {
    try {
      tree.store().read(extents, sink());
      keepIn(tree.subtree());
    } finally {
      clear();
    }
  }

  /** Returns what the store is to hand the buckets to. What came before is forgotten. */
  UnitSink sink() {
    clear();
    return lanes.inOrder(this::open);
  }

  private void open(BucketCodec codec, int unit, ByteBuffer units) {
    long version = versions[unit];
    if (version == OF_PARENT) {
      byte[] parent = plains[union.parent(unit)];
      version = parent == null ? LinkedTree.NEVER : link(parent, unit);
    }
    if (version == HELD) {
      units.position(units.position() + extents.unitBytes());
      return;
    }
    byte[] plain = lanes.lendBucket();
    plains[unit] = plain;
    if (version == LinkedTree.NEVER) {
      units.position(units.position() + extents.unitBytes());
      makeEmpty(plain);
    } else {
      codec.open(
          units, plain, tree.geometry().tree(), union.level(unit), version, BucketCodec.ANY_EPOCH);
    }
  }

  private void makeEmpty(byte[] plain) {
    for (int slot = 0; slot < slots; slot++) {
      PlainBucket.setEmpty(plain, slot);
    }
    PlainBucket.setLink(plain, linkOffset, LinkedTree.NEVER);
    PlainBucket.setLink(plain, linkOffset + Long.BYTES, LinkedTree.NEVER);
  }

  /** Hands the buckets over to the client's subtree; everything must have arrived. */
  void keepIn(Subtree subtree) {
    for (int unit = 0; unit < plains.length; unit++) {
      byte[] plain = plains[unit];
      plains[unit] = null; // the subtree now owns the memory, and alone gives it back
      if (plain != null) {
        subtree.arrived(union.key(unit), plain);
      }
    }
  }

  /** Forgets the buckets that came. */
  void clear() {
    for (byte[] plain : plains) {
      if (plain != null) {
        lanes.giveBack(plain);
      }
    }
    Arrays.fill(plains, null);
  }

  /**
   * Returns whether a write-back of these buckets would overwrite what this is being brought: a
   * bucket that the client did not have, and whose only place that is, or that was written back
   * since.
   */
  boolean isEndangeredBy(PathUnion written) {
    for (int unit = 0; unit < union.units(); unit++) {
      int key = union.key(unit);
      if (versions[unit] != HELD
          && written.contains(key)
          && (!tree.places().areTwo() || tree.subtree().isWrittenSince(key, plannedAt))) {
        return true;
      }
    }
    return false;
  }
}
