package io.github.roram.path;

import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.audit.AuditLog;
import io.github.roram.audit.LevelCheck;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.stash.Stash;
import io.github.roram.tree.TreeGeometry;
import java.io.IOException;
import java.util.BitSet;

/**
 * Checks the trees of a classic Path ORAM. Each is walked from the versions that the client holds,
 * level by level, every bucket with the version that its parent names. The smallest tree of the
 * position map comes first, since its blocks hold the labels of the next.
 *
 * <p>A block stands in one place only, on the path of its label, and that label is the position
 * map's.
 */
final class PathAudit {

  /** The version of a bucket whose parent could not be opened. */
  private static final long UNKNOWN = -1;

  private final PathTree[] trees;
  private final LocalPositionMap clientMap;
  private final LabelPrf firstLabels;
  private final BucketDescriptor descriptor;
  private final AuditLog log;
  private final int labelsPerBlock;

  /** Blocks of the tree at hand that were found. */
  private final BitSet seen = new BitSet();

  /** Labels plus one that the last tree's blocks hold for the tree at hand; 0 if none was given. */
  private int[] labels = {};

  /** What the tree at hand holds for the next, in the same way. */
  private int[] mapped = {};

  /** Whether a tree of the position map is damaged, so that labels are not to be relied on. */
  private boolean labelsUncertain;

  PathAudit(
      PathTree[] trees,
      LocalPositionMap clientMap,
      LabelPrf firstLabels,
      BucketDescriptor descriptor,
      VerifyProgress progress) {
    this.trees = trees.clone();
    this.clientMap = clientMap;
    this.firstLabels = firstLabels;
    this.descriptor = descriptor;
    labelsPerBlock = descriptor.blockBytes() / RecursivePositionMap.LABEL_BYTES;
    long total = 0;
    for (PathTree tree : trees) {
      TreeGeometry geometry = tree.geometry();
      total += (2L * geometry.leaves() - (1L << geometry.treetopLevels()));
    }
    log = new AuditLog(progress, total * descriptor.sealedBytes());
  }

  /** Checks everything. */
  VerifyReport run() throws IOException {
    for (int tree = trees.length - 1; tree >= 0; tree--) {
      labels = mapped;
      mapped = tree == 0 ? new int[0] : new int[(int) trees[tree - 1].geometry().blocks()];
      seen.clear();
      checkStash(tree);
      checkBuckets(tree);
      labelsUncertain = log.findingCount() > 0;
    }
    return log.report(seen.cardinality());
  }

  private int label(int tree, int address) {
    if (tree == trees.length - 1) {
      return clientMap.label(address);
    }
    return labels[address] != 0
        ? labels[address] - 1
        : firstLabels.label(tree, address, trees[tree].geometry().leaves());
  }

  private void checkStash(int tree) {
    Stash stash = trees[tree].stash();
    for (int slot = 0; slot < stash.slots(); slot++) {
      if (stash.address(slot) >= 0) {
        found(tree, stash.address(slot), stash.label(slot), stash.array(slot), stash.offset(slot));
      }
    }
  }

  private void checkBuckets(int tree) throws IOException {
    TreeGeometry geometry = trees[tree].geometry();
    long[] versions = trees[tree].topVersions();
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      long[] children = new long[level < geometry.height() ? 2 * versions.length : 0];
      int batch = Math.max(1, LevelCheck.BATCH_BYTES / descriptor.sealedBytes());
      for (int first = 0; first < versions.length; first += batch) {
        int count = Math.min(batch, versions.length - first);
        checkBatch(tree, level, first, count, versions, children);
      }
      versions = children;
    }
  }

  private void checkBatch(
      int tree, int level, int first, int count, long[] versions, long[] children)
      throws IOException {
    int written = 0;
    for (int bucket = first; bucket < first + count; bucket++) {
      written += versions[bucket] > 0 ? 1 : 0;
      // Until it is opened its children are not known; if it was never written they were not.
      setChildren(children, versions.length, bucket, versions[bucket] == 0 ? 0 : UNKNOWN);
    }
    Check visitor = new Check(tree, level, versions.length, children);
    log.read(
        tree,
        "level " + level + ", buckets " + first + " to " + (first + count - 1),
        written,
        (long) written * descriptor.sealedBytes(),
        () -> trees[tree].readBuckets(level, first, count, versions, visitor));
    log.advance((long) count * descriptor.sealedBytes());
  }

  private static void setChildren(long[] children, int width, int bucket, long version) {
    if (children.length > 0) {
      children[bucket] = version;
      children[bucket + width] = version;
    }
  }

  private void found(int tree, int address, int label, byte[] array, int offset) {
    if (address >= trees[tree].geometry().blocks()) {
      log.misplaced(tree, address, "there is no such block");
      return;
    }
    if (seen.get(address)) {
      log.misplaced(tree, address, "it is held twice");
    }
    seen.set(address);
    if (!labelsUncertain && label != label(tree, address)) {
      log.misplaced(tree, address, "its label is not that of the position map");
    }
    int firstMapped = address * labelsPerBlock;
    for (int i = 0; i < labelsPerBlock && firstMapped + i < mapped.length; i++) {
      mapped[firstMapped + i] =
          PlainBucket.getInt(array, offset + i * RecursivePositionMap.LABEL_BYTES);
    }
  }

  /** Looks at the buckets of a level. */
  private final class Check extends LevelCheck {
    private final int tree;
    private final int width;
    private final long[] children;

    Check(int tree, int level, int width, long[] children) {
      super(log, trees[tree].geometry(), descriptor, level);
      this.tree = tree;
      this.width = width;
      this.children = children;
    }

    @Override
    protected String consequence() {
      return children.length > 0 ? " (the buckets below it cannot be checked)" : "";
    }

    @Override
    public void opened(int bucket, byte[] plain) {
      if (children.length > 0) {
        children[bucket] = PlainBucket.link(plain, descriptor.linkOffset());
        children[bucket + width] = PlainBucket.link(plain, descriptor.linkOffset() + Long.BYTES);
      }
      super.opened(bucket, plain);
    }

    @Override
    protected void met(int bucket, byte[] plain, int slot, int address, int label) {
      found(tree, address, label, plain, descriptor.dataOffset(slot));
    }
  }
}
