package io.github.roram.audit;

import io.github.roram.IntegrityException;
import io.github.roram.VerifyReport.Kind;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.stash.Stash;
import io.github.roram.tree.BucketWalk;
import io.github.roram.tree.Liveness;
import io.github.roram.tree.WholeTree;
import java.io.IOException;

/**
 * Checks one tree: reads it level by level, root side first, so the first current copy of a block
 * that is met is the live one; the client's, if it holds one, comes before all. Each bucket must
 * authenticate, and each block in it must exist and stand on the path of its label.
 */
final class TreeCheck {

  private final WholeTree tree;
  private final LiveBlocks blocks;
  private final AuditLog log;

  /** Is shown the live copy of each block of a tree. */
  interface LiveBlocks {

    /** Whether it was shown already. */
    boolean isSeen(int address);

    /** The live copy of a block that was not. */
    void live(int address, int label, byte[] array, int offset);
  }

  TreeCheck(WholeTree tree, LiveBlocks blocks, AuditLog log) {
    this.tree = tree;
    this.blocks = blocks;
    this.log = log;
  }

  void run() throws IOException {
    checkStash();
    Liveness.RootFirst copies = tree.copies();
    int bucketBytes = tree.descriptor().sealedBytes();
    for (BucketWalk walk = tree.walk(); walk.next(); ) {
      BucketWalk.Visitor visitor = new Check(walk, copies);
      log.read(
          tree.geometry().tree(),
          walk.place(),
          walk.written(),
          (long) walk.written() * bucketBytes,
          () -> walk.read(visitor));
      log.advance(walk.partBytes());
    }
  }

  private void checkStash() {
    Stash stash = tree.stash();
    for (int slot = 0; slot < stash.slots(); slot++) {
      int address = stash.address(slot);
      if (address < 0) {
        continue;
      }
      if (address >= tree.geometry().blocks()) {
        misplaced(address, "there is no such block");
        continue;
      }
      if (!tree.isHeldUnder(address, stash.label(slot))) {
        misplaced(address, "the client holds it under a label that is not current");
      }
      blocks.live(address, stash.label(slot), stash.array(slot), stash.offset(slot));
    }
  }

  private void misplaced(int address, String what) {
    log.misplaced(tree.geometry().tree(), address, what);
  }

  /** Looks at the buckets of a level. */
  private final class Check implements BucketWalk.Visitor {
    private final BucketWalk walk;
    private final int level;
    private final boolean hidesOthers;
    private final Liveness.RootFirst copies;

    Check(BucketWalk walk, Liveness.RootFirst copies) {
      this.walk = walk;
      level = walk.level();
      hidesOthers = walk.hidesOthers();
      this.copies = copies;
    }

    @Override
    public void refused(int bucket, IntegrityException reason) {
      String consequence = hidesOthers ? " (the buckets below it cannot be checked)" : "";
      log.found(Kind.BUCKET, tree.geometry().tree(), reason.getMessage() + consequence);
    }

    @Override
    public void opened(int bucket, byte[] plain) {
      copies.enter(plain, walk.version(bucket));
      for (int slot = 0; slot < tree.geometry().slots(); slot++) {
        int address = PlainBucket.address(plain, slot);
        if (address < 0) {
          continue;
        }
        int label = PlainBucket.label(plain, slot);
        if (address >= tree.geometry().blocks()) {
          misplaced(address, "there is no such block");
        } else if (tree.geometry().bucket(label, level) != bucket) {
          misplaced(address, "bucket " + bucket + " of level " + level + " is off its path");
        } else {
          met(bucket, plain, slot, address, tree.labelNow(address, label, walk.version(bucket)));
        }
      }
    }

    /** A block that stands on its path. */
    private void met(int bucket, byte[] plain, int slot, int address, int label) {
      boolean current = copies.isCurrent(address, label);
      if (current && isBefore(plain, slot, address)) {
        misplaced(address, "it is twice in bucket " + bucket + " of level " + level);
      } else if (current && !blocks.isSeen(address)) {
        blocks.live(address, label, plain, tree.descriptor().dataOffset(slot));
      } else if (!tree.mayHaveStale(level, bucket)) {
        misplaced(
            address,
            blocks.isSeen(address)
                ? "it is held twice, where no stale copy can be"
                : "its label is not that of the position map, and no stale copy can be there");
      }
    }

    /** Whether a block stands in an earlier slot too. */
    private boolean isBefore(byte[] plain, int slot, int address) {
      for (int other = 0; other < slot; other++) {
        if (PlainBucket.address(plain, other) == address) {
          return true;
        }
      }
      return false;
    }
  }
}
