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
      total += PathWalk.bytes(tree);
    }
    log = new AuditLog(progress, total);
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
    for (PathWalk walk = new PathWalk(trees[tree]); walk.next(); ) {
      Check visitor = new Check(tree, walk.level());
      int last = walk.first() + walk.count() - 1;
      log.read(
          tree,
          "level " + walk.level() + ", buckets " + walk.first() + " to " + last,
          walk.written(),
          (long) walk.written() * descriptor.sealedBytes(),
          () -> walk.read(visitor));
      log.advance((long) walk.count() * descriptor.sealedBytes());
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
    private final boolean hasChildren;

    Check(int tree, int level) {
      super(log, trees[tree].geometry(), descriptor, level);
      this.tree = tree;
      hasChildren = level < trees[tree].geometry().height();
    }

    @Override
    protected String consequence() {
      return hasChildren ? " (the buckets below it cannot be checked)" : "";
    }

    @Override
    protected void met(int bucket, byte[] plain, int slot, int address, int label) {
      found(tree, address, label, plain, descriptor.dataOffset(slot));
    }
  }
}
