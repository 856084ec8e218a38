package io.github.roram.audit;

import io.github.roram.IntegrityException;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.VerifyReport.Kind;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.stash.Stash;
import io.github.roram.tree.BucketWalk;
import io.github.roram.tree.Liveness;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.WholeTree;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Checks the trees of an ORAM against what the client knows, and against each other (construction,
 * sections 2.3 and 2.4).
 *
 * <p>Every bucket must authenticate as the one that the client, or the bucket above, names; every
 * block must stand on the path of its label; and all trees must have the same blocks with the same
 * data. Where the position map is on the store, its trees come first, the uppermost before the
 * others, and then every live block must have the label in the map. During the audit the labels of
 * all ranges are in memory.
 */
public final class TreeAudit {

  /** Gathers the labels that the blocks of a position map hold, while its trees are checked. */
  public interface LabelReading {

    /** Takes the labels out of a block of a tree of the map. */
    void take(int mapTree, int block, byte[] array, int offset);

    /** Returns the label of a block of a tree, after the map blocks that contain it were taken. */
    int label(TreeGeometry geometry, int address);
  }

  private final List<? extends WholeTree> trees;
  private final List<? extends WholeTree> maps;
  private final @Nullable LabelReading labels;
  private final AuditLog log;
  private final BlockLedger ledger;

  /** Creates an audit of these trees, which have the same blocks. */
  public TreeAudit(List<? extends WholeTree> trees, VerifyProgress progress) {
    this(trees, List.of(), null, progress);
  }

  /**
   * Creates an audit.
   *
   * @param trees trees of data, which have the same blocks
   * @param maps trees of the position map, the uppermost last
   * @param labels collects their labels; null if the client has all labels
   */
  public TreeAudit(
      List<? extends WholeTree> trees,
      List<? extends WholeTree> maps,
      @Nullable LabelReading labels,
      VerifyProgress progress) {
    this.trees = trees;
    this.maps = maps;
    this.labels = labels;
    long total = 0;
    for (WholeTree tree : trees) {
      total += tree.walk().bytes();
    }
    for (WholeTree tree : maps) {
      total += tree.walk().bytes();
    }
    log = new AuditLog(progress, total);
    WholeTree one = trees.get(0);
    int compared = trees.size() > 1 ? (int) one.geometry().blocks() : 0;
    ledger = new BlockLedger(compared, one.descriptor().blockBytes());
  }

  /** Checks everything. */
  public VerifyReport run() throws IOException {
    for (int level = maps.size() - 1; level >= 0; level--) {
      new MapCheck(maps.get(level)).run();
    }
    for (WholeTree tree : trees) {
      ledger.begin(tree.geometry().tree());
      new DataCheck(tree).run();
      ledger.end();
    }
    return log.report(ledger.blocks());
  }

  /**
   * The check of one tree. It reads the tree level by level, root side first, so the first current
   * copy of a block is the live one; a copy that the client holds comes before all others. Each
   * bucket must authenticate, and each block in it must exist and stand on the path of its label.
   */
  private abstract class TreeCheck {

    final WholeTree tree;

    /** The labels of a position map on the store, unless it is damaged or there is none. */
    private final @Nullable LabelReading sure = log.findingCount() > 0 ? null : labels;

    TreeCheck(WholeTree tree) {
      this.tree = tree;
    }

    /** Returns whether the live copy of a block was met. */
    abstract boolean isSeen(int address);

    /** Processes the live copy of a block. */
    abstract void live(int address, byte[] array, int offset);

    private void live(int address, int label, byte[] array, int offset) {
      if (sure != null && sure.label(tree.geometry(), address) != label) {
        misplaced(address, "its label is not that of the position map");
      }
      live(address, array, offset);
    }

    final void run() throws IOException {
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
        live(address, stash.label(slot), stash.array(slot), stash.offset(slot));
      }
    }

    private void misplaced(int address, String what) {
      log.misplaced(tree.geometry().tree(), address, what);
    }

    /** Checks the buckets of one part of a level. */
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

      /** Processes a block that is on its path. */
      private void met(int bucket, byte[] plain, int slot, int address, int label) {
        boolean current = copies.isCurrent(address, label);
        if (current && isBefore(plain, slot, address)) {
          misplaced(address, "it is twice in bucket " + bucket + " of level " + level);
        } else if (current && !isSeen(address)) {
          live(address, label, plain, tree.descriptor().dataOffset(slot));
        } else if (!tree.mayHaveStale(level, bucket)) {
          misplaced(
              address,
              isSeen(address)
                  ? "it is held twice, where no stale copy can be"
                  : "its label is not that of the position map, and no stale copy can be there");
        }
      }

      /** Returns whether a block stands in an earlier slot too. */
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

  /** The check of a tree of data: passes the blocks to the ledger. */
  private final class DataCheck extends TreeCheck {
    DataCheck(WholeTree tree) {
      super(tree);
    }

    @Override
    boolean isSeen(int address) {
      return ledger.isSeen(address);
    }

    @Override
    void live(int address, byte[] array, int offset) {
      ledger.live(address, array, offset);
    }
  }

  /** The check of a tree of the map: takes the labels out of its blocks. */
  private final class MapCheck extends TreeCheck {
    private final BitSet seen = new BitSet();

    MapCheck(WholeTree tree) {
      super(tree);
    }

    @Override
    boolean isSeen(int address) {
      return seen.get(address);
    }

    @Override
    void live(int address, byte[] array, int offset) {
      seen.set(address);
      if (labels != null) {
        labels.take(tree.geometry().tree(), address, array, offset);
      }
    }
  }

  /**
   * Records which blocks each tree holds, and whether all trees hold the same data, by 64 bits of
   * checksum for each block. The checksum detects faults; the seals of the buckets detect forgery.
   */
  private final class BlockLedger {

    private final int blockBytes;
    private final long[] checksums;
    private final BitSet known = new BitSet();
    private final BitSet seen = new BitSet();
    private final CRC32C crc32c = new CRC32C();
    private final CRC32 crc32 = new CRC32();
    private int tree;
    private boolean first = true;

    /**
     * Creates an empty ledger.
     *
     * @param blocks number of blocks; 0 for a tree that is compared with no other
     */
    BlockLedger(int blocks, int blockBytes) {
      this.blockBytes = blockBytes;
      checksums = new long[blocks];
    }

    /** Begins a tree, to which the following blocks belong. */
    void begin(int newTree) {
      tree = newTree;
      seen.clear();
    }

    /** Returns whether the tree's live copy of a block was given. */
    boolean isSeen(int address) {
      return seen.get(address);
    }

    /** Adds the tree's live copy of a block. */
    void live(int address, byte[] array, int offset) {
      seen.set(address);
      if (checksums.length == 0) {
        known.set(address);
        return;
      }
      crc32c.reset();
      crc32c.update(array, offset, blockBytes);
      crc32.reset();
      crc32.update(array, offset, blockBytes);
      long checksum = crc32c.getValue() << 32 | crc32.getValue();
      if (!known.get(address)) {
        known.set(address);
        checksums[address] = checksum;
        if (!first) {
          missing(address, "in the trees before tree " + tree + ", which has it");
        }
      } else if (checksums[address] != checksum) {
        log.found(
            Kind.DIFFERS,
            tree,
            "block " + address + ": its data in tree " + tree + " is not that of the trees before");
      }
    }

    /** Ends a tree, all of whose live blocks were added. */
    void end() {
      seen.xor(known);
      for (int address = seen.nextSetBit(0); address >= 0; address = seen.nextSetBit(address + 1)) {
        missing(address, "in tree " + tree + "; a tree before has it");
      }
      first = false;
    }

    private void missing(int address, String where) {
      log.found(Kind.MISSING, tree, "block " + address + ": not to be found " + where);
    }

    /** Returns the number of blocks that any tree has. */
    long blocks() {
      return known.cardinality();
    }
  }
}
