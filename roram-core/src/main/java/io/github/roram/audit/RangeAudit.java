package io.github.roram.audit;

import io.github.roram.IntegrityException;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.VerifyReport.Kind;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.stash.Stash;
import io.github.roram.tree.BucketVisitor;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import java.io.IOException;

/**
 * Checks the trees of an ORAM on the tree engine against what the client knows, and against each
 * other (construction, sections 2.3 and 2.4).
 *
 * <p>Each tree is read level by level, root side first, so the first current copy of a block that
 * is met is the live one; the client's, if it holds one, comes before all. Every bucket must
 * authenticate as the one that the client's counters name; every block must stand on the path of
 * its label; and all trees must have the same blocks with the same data.
 */
public final class RangeAudit {

  private static final int BATCH_BYTES = 4 << 20;

  private final RangeTree[] trees;
  private final BucketDescriptor descriptor;
  private final AuditLog log;
  private final BlockLedger ledger;

  /** An audit of these trees, whose buckets are laid out alike. */
  public RangeAudit(RangeTree[] trees, BucketDescriptor descriptor, VerifyProgress progress) {
    this.trees = trees.clone();
    this.descriptor = descriptor;
    long total = 0;
    for (RangeTree tree : trees) {
      for (int level = tree.geometry().treetopLevels();
          level <= tree.geometry().height();
          level++) {
        total += written(tree, level) * descriptor.sealedBytes();
      }
    }
    log = new AuditLog(progress, total);
    ledger = new BlockLedger(log, (int) trees[0].geometry().blocks(), descriptor.blockBytes());
  }

  /** Number of buckets of a level that were ever written. */
  private static long written(RangeTree tree, int level) {
    return Math.min(1L << level, tree.schedule().evictions() - tree.geometry().leaves());
  }

  /** Checks everything. */
  public VerifyReport run() throws IOException {
    for (RangeTree tree : trees) {
      ledger.begin(tree.geometry().tree());
      checkStash(tree);
      for (int level = tree.geometry().treetopLevels();
          level <= tree.geometry().height();
          level++) {
        checkLevel(tree, level);
      }
      ledger.end();
    }
    return log.report(ledger.blocks());
  }

  private void checkStash(RangeTree tree) {
    Stash stash = tree.stash();
    for (int slot = 0; slot < stash.slots(); slot++) {
      int address = stash.address(slot);
      if (address >= 0) {
        if (stash.label(slot) != tree.label(address)) {
          misplaced(tree, address, "the client holds it under a label that is not current");
        }
        ledger.live(address, stash.array(slot), stash.offset(slot));
      }
    }
  }

  private void checkLevel(RangeTree tree, int level) throws IOException {
    int bucketBytes = descriptor.sealedBytes();
    int batch = Math.max(1, BATCH_BYTES / bucketBytes);
    BucketVisitor visitor = new Visitor(tree, level);
    long end = tree.schedule().evictions();
    for (long first = end - written(tree, level); first < end; first += batch) {
      int count = (int) Math.min(batch, end - first);
      long from = first;
      log.read(
          tree.geometry().tree(),
          "level " + level + ", evictions " + first + " to " + (first + count - 1),
          count,
          (long) count * bucketBytes,
          () -> tree.readBuckets(level, from, count, visitor));
      log.advance((long) count * bucketBytes);
    }
  }

  private void misplaced(RangeTree tree, int address, String what) {
    log.found(
        Kind.MISPLACED,
        tree.geometry().tree(),
        "block " + address + " in tree " + tree.geometry().tree() + ": " + what);
  }

  /** Looks at the buckets of a level. */
  private final class Visitor implements BucketVisitor {
    private final RangeTree tree;
    private final int level;

    Visitor(RangeTree tree, int level) {
      this.tree = tree;
      this.level = level;
    }

    @Override
    public void refused(int bucket, IntegrityException reason) {
      log.found(Kind.BUCKET, tree.geometry().tree(), String.valueOf(reason.getMessage()));
    }

    @Override
    public void opened(int bucket, byte[] plain) {
      TreeGeometry geometry = tree.geometry();
      for (int slot = 0; slot < descriptor.slots(); slot++) {
        int address = PlainBucket.address(plain, slot);
        if (address < 0) {
          continue;
        }
        int label = PlainBucket.label(plain, slot);
        if (address >= geometry.blocks() || geometry.bucket(label, level) != bucket) {
          misplaced(tree, address, "bucket " + bucket + " of level " + level + " is off its path");
        } else if (label == tree.label(address)) {
          current(bucket, plain, slot, address);
        }
      }
    }

    private void current(int bucket, byte[] plain, int slot, int address) {
      for (int other = 0; other < slot; other++) {
        if (PlainBucket.address(plain, other) == address) {
          misplaced(tree, address, "it is twice in bucket " + bucket + " of level " + level);
          return;
        }
      }
      if (!ledger.isSeen(address)) {
        ledger.live(address, plain, descriptor.dataOffset(slot));
      }
    }
  }
}
