package io.github.roram.proxy.protocol;

import io.github.roram.OramStats;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.storage.remote.protocol.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Counters of an ORAM; big endian.
 *
 * <pre>
 *   0  accesses           u64          of each tree:
 *   8  blocks accessed    u64           0  range blocks      u32   20  held blocks       u32
 *  16  bulk load bytes    u64           4  height            u32   24  stash blocks      u32
 *  24  trees              u32           8  treetop levels    u32   28  stash max blocks  u32
 *                                      12  evictions         u64   32  padding blocks    u64
 * </pre>
 */
public final class StatsDescriptor {

  private static final int HEAD_BYTES = 28;
  private static final int TREE_BYTES = 40;

  private StatsDescriptor() {}

  /** The payload. */
  public static ByteBuffer encode(OramStats stats) {
    ByteBuffer out =
        ByteBuffer.allocate(HEAD_BYTES + TREE_BYTES * stats.trees().size())
            .putLong(stats.accesses())
            .putLong(stats.blocksAccessed())
            .putLong(stats.bulkLoadBytes())
            .putInt(stats.trees().size());
    for (TreeStats tree : stats.trees()) {
      out.putInt(tree.rangeBlocks())
          .putInt(tree.height())
          .putInt(tree.treetopLevels())
          .putLong(tree.evictions())
          .putInt(tree.heldBlocks())
          .putInt(tree.stashBlocks())
          .putInt(tree.stashMaxBlocks())
          .putLong(tree.paddingBlocks());
    }
    return out.flip();
  }

  /**
   * Reads a payload.
   *
   * @throws ProtocolException if it is none
   */
  public static OramStats decode(ByteBuffer in) throws ProtocolException {
    int bytes = in.remaining();
    if (bytes < HEAD_BYTES || (bytes - HEAD_BYTES) % TREE_BYTES != 0) {
      throw new ProtocolException("counters of " + bytes + " bytes");
    }
    long accesses = in.getLong();
    long blocks = in.getLong();
    long loaded = in.getLong();
    if (in.getInt() != in.remaining() / TREE_BYTES) {
      throw new ProtocolException("counters of another number of trees than they say");
    }
    List<TreeStats> trees = new ArrayList<>();
    while (in.hasRemaining()) {
      trees.add(
          new TreeStats(
              in.getInt(),
              in.getInt(),
              in.getInt(),
              in.getLong(),
              in.getInt(),
              in.getInt(),
              in.getInt(),
              in.getLong()));
    }
    return new OramStats(accesses, blocks, loaded, trees);
  }
}
