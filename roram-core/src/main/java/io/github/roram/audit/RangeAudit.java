package io.github.roram.audit;

import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.stash.Stash;
import io.github.roram.tree.BucketVisitor;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreePass;
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

  private final RangeTree[] trees;
  private final AuditLog log;
  private final BlockLedger ledger;

  /** An audit of these trees, which have the same blocks. */
  public RangeAudit(RangeTree[] trees, VerifyProgress progress) {
    this.trees = trees.clone();
    long total = 0;
    for (RangeTree tree : trees) {
      total += new TreePass(tree).bytes();
    }
    log = new AuditLog(progress, total);
    int blocks = (int) trees[0].geometry().blocks();
    ledger = new BlockLedger(log, blocks, trees[0].descriptor().blockBytes());
  }

  /** Checks everything. */
  public VerifyReport run() throws IOException {
    for (RangeTree tree : trees) {
      ledger.begin(tree.geometry().tree());
      checkStash(tree);
      checkBuckets(tree);
      ledger.end();
    }
    return log.report(ledger.blocks());
  }

  private void checkStash(RangeTree tree) {
    Stash stash = tree.stash();
    for (int slot = 0; slot < stash.slots(); slot++) {
      int address = stash.address(slot);
      if (address >= 0) {
        if (!tree.liveness().isHeldUnder(address, stash.label(slot))) {
          log.misplaced(
              tree.geometry().tree(),
              address,
              "the client holds it under a label that is not current");
        }
        ledger.live(address, stash.array(slot), stash.offset(slot));
      }
    }
  }

  private void checkBuckets(RangeTree tree) throws IOException {
    TreePass pass = new TreePass(tree);
    for (TreePass.Part part : pass.parts()) {
      long last = part.eviction() + part.count() - 1;
      BucketVisitor visitor = new Check(tree, part.level());
      log.read(
          tree.geometry().tree(),
          "level " + part.level() + ", evictions " + part.eviction() + " to " + last,
          part.count(),
          pass.bytes(part),
          () -> pass.read(part, visitor));
      log.advance(pass.bytes(part));
    }
  }

  /** Looks at the buckets of a level. */
  private final class Check extends LevelCheck {
    private final RangeTree tree;
    private final int level;

    Check(RangeTree tree, int level) {
      super(log, tree.geometry(), tree.descriptor(), level);
      this.tree = tree;
      this.level = level;
    }

    @Override
    protected void met(int bucket, byte[] plain, int slot, int address, int label) {
      if (!tree.liveness().isCurrent(level, bucket, slot, address, label)) {
        return;
      }
      for (int other = 0; other < slot; other++) {
        if (PlainBucket.address(plain, other) == address) {
          misplaced(address, "it is twice in bucket " + bucket + " of level " + level);
          return;
        }
      }
      if (!ledger.isSeen(address)) {
        ledger.live(address, plain, tree.descriptor().dataOffset(slot));
      }
    }
  }
}
