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
 *                                                                  40  map bytes         u64
 *                                                                  48  1 if a map, or 0  u32
 * </pre>
 */
public final class StatsDescriptor {

  private static final int HEAD_BYTES = 28;
  private static final int TREE_BYTES = 52;

  private StatsDescriptor() {}

  /** Returns the payload. */
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
          .putLong(tree.paddingBlocks())
          .putLong(tree.mapBytes())
          .putInt(tree.isMap() ? 1 : 0);
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
      trees.add(tree(in));
    }
    return new OramStats(accesses, blocks, loaded, trees);
  }

  private static TreeStats tree(ByteBuffer in) {
    int rangeBlocks = in.getInt();
    int height = in.getInt();
    int treetopLevels = in.getInt();
    long evictions = in.getLong();
    int heldBlocks = in.getInt();
    int stashBlocks = in.getInt();
    int stashMaxBlocks = in.getInt();
    long paddingBlocks = in.getLong();
    long mapBytes = in.getLong();
    boolean isMap = in.getInt() == 1;
    return new TreeStats(
        rangeBlocks,
        height,
        treetopLevels,
        evictions,
        heldBlocks,
        stashBlocks,
        stashMaxBlocks,
        paddingBlocks,
        isMap,
        mapBytes);
  }
}
