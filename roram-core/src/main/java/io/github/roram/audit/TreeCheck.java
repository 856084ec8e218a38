package io.github.roram.audit;

import io.github.roram.bucket.PlainBucket;
import io.github.roram.stash.Stash;
import io.github.roram.tree.BucketVisitor;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.RootFirst;
import io.github.roram.tree.TreePass;
import java.io.IOException;

/**
 * Checks one tree of the engine: reads it level by level, root side first, so the first current
 * copy of a block that is met is the live one; the client's, if it holds one, comes before all.
 */
final class TreeCheck {

  private final RangeTree tree;
  private final LiveBlocks blocks;
  private final AuditLog log;

  /** Is shown the live copy of each block of a tree. */
  interface LiveBlocks {

    /** Whether it was shown already. */
    boolean isSeen(int address);

    /** The live copy of a block that was not. */
    void live(int address, int label, byte[] array, int offset);
  }

  TreeCheck(RangeTree tree, LiveBlocks blocks, AuditLog log) {
    this.tree = tree;
    this.blocks = blocks;
    this.log = log;
  }

  void run() throws IOException {
    checkStash();
    checkBuckets();
  }

  private void checkStash() {
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
        blocks.live(address, stash.label(slot), stash.array(slot), stash.offset(slot));
      }
    }
  }

  private void checkBuckets() throws IOException {
    TreePass pass = new TreePass(tree);
    RootFirst copies = tree.liveness().rootFirst();
    for (TreePass.Part part : pass.parts()) {
      long last = part.eviction() + part.count() - 1;
      BucketVisitor visitor = new Check(part.level(), copies);
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
    private final int level;
    private final RootFirst copies;

    Check(int level, RootFirst copies) {
      super(log, tree.geometry(), tree.descriptor(), level);
      this.level = level;
      this.copies = copies;
    }

    @Override
    public void opened(int bucket, byte[] plain) {
      copies.enter(plain);
      super.opened(bucket, plain);
    }

    @Override
    protected void met(int bucket, byte[] plain, int slot, int address, int label) {
      if (!copies.isCurrent(level, bucket, slot, address, label)) {
        return;
      }
      for (int other = 0; other < slot; other++) {
        if (PlainBucket.address(plain, other) == address) {
          misplaced(address, "it is twice in bucket " + bucket + " of level " + level);
          return;
        }
      }
      if (!blocks.isSeen(address)) {
        blocks.live(address, label, plain, tree.descriptor().dataOffset(slot));
      }
    }
  }
}
