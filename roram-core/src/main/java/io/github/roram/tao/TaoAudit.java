package io.github.roram.tao;

import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.audit.AuditLog;
import io.github.roram.audit.LevelCheck;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.path.PathWalk;
import io.github.roram.stash.Stash;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * Checks the tree of a TaORAM: every bucket from the uppermost ones on with the version that its
 * parent names. A block stands on the path of its label. Copies that are stale stand on paths that
 * are being read or are not written back yet, and nowhere else.
 */
final class TaoAudit {

  private final TaoTree tree;
  private final BucketDescriptor descriptor;
  private final AuditLog log;

  /** Paths that are being read, or wait to be written back. */
  private final PathUnion unwritten;

  /** Blocks whose current copy was found. */
  private final BitSet seen = new BitSet();

  TaoAudit(TaoTree tree, RequestMap requests, VerifyProgress progress) {
    this.tree = tree;
    descriptor = tree.descriptor();
    log = new AuditLog(progress, PathWalk.bytes(tree));
    // A write-back may have placed a block that was then asked for again, and so stayed.
    unwritten =
        new PathUnion(
            tree.geometry(),
            IntStream.concat(
                    Arrays.stream(tree.oldestUnwritten(tree.unwrittenPaths())), requests.labels())
                .toArray());
  }

  /** Checks everything. */
  VerifyReport run() throws IOException {
    checkStash();
    for (PathWalk walk = new PathWalk(tree); walk.next(); ) {
      Check visitor = new Check(walk.level());
      int last = walk.first() + walk.count() - 1;
      log.read(
          tree.geometry().tree(),
          "level " + walk.level() + ", buckets " + walk.first() + " to " + last,
          walk.written(),
          (long) walk.written() * descriptor.sealedBytes(),
          () -> walk.read(visitor));
      log.advance((long) walk.count() * descriptor.sealedBytes());
    }
    return log.report(seen.cardinality());
  }

  private void checkStash() {
    Stash stash = tree.stash();
    for (int slot = 0; slot < stash.slots(); slot++) {
      int address = stash.address(slot);
      if (address < 0) {
        continue;
      }
      if (address >= tree.geometry().blocks()) {
        log.misplaced(tree.geometry().tree(), address, "there is no such block");
        continue;
      }
      seen.set(address);
      if (stash.label(slot) != tree.positions().label(address)) {
        log.misplaced(tree.geometry().tree(), address, "its label is not that of the position map");
      }
    }
  }

  /** Looks at the buckets of a level. */
  private final class Check extends LevelCheck {
    private final int level;

    Check(int level) {
      super(log, tree.geometry(), descriptor, level);
      this.level = level;
    }

    @Override
    protected String consequence() {
      return level < tree.geometry().height() ? " (the buckets below it cannot be checked)" : "";
    }

    @Override
    protected void met(int bucket, byte[] plain, int slot, int address, int label) {
      boolean current = !seen.get(address) && label == tree.positions().label(address);
      if (current) {
        seen.set(address);
      } else if (!unwritten.contains(PathUnion.key(level, bucket))) {
        misplaced(address, "it stands where no stale copy can be");
      }
    }
  }
}
