package io.github.roram.audit;

import io.github.roram.VerifyReport.Kind;
import java.util.BitSet;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * Which blocks each tree holds, and whether all trees hold the same: for each block 64 bits of
 * checksum, no data. The checksum finds faults; against forgery the buckets are sealed.
 */
final class BlockLedger {

  private final AuditLog log;
  private final int blockBytes;
  private final long[] checksums;
  private final BitSet known = new BitSet();
  private final BitSet seen = new BitSet();
  private final CRC32C crc32c = new CRC32C();
  private final CRC32 crc32 = new CRC32();
  private int tree;
  private boolean first = true;

  /**
   * An empty ledger.
   *
   * @param blocks how many there are; 0 for a tree that is compared with none
   */
  BlockLedger(AuditLog log, int blocks, int blockBytes) {
    this.log = log;
    this.blockBytes = blockBytes;
    checksums = new long[blocks];
  }

  /** The blocks to come are those of this tree. */
  void begin(int newTree) {
    tree = newTree;
    seen.clear();
  }

  /** Whether the tree's live copy of a block was given. */
  boolean isSeen(int address) {
    return seen.get(address);
  }

  /** The tree's live copy of a block. */
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

  /** All live blocks of the tree were given. */
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

  /** Number of blocks that any tree has. */
  long blocks() {
    return known.cardinality();
  }
}
