package io.github.roram.map;

import io.github.roram.AsyncOram;
import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.threads.Futures;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Block 0 of a map's ORAM; big endian, followed by zeros.
 *
 * <pre>
 *   0  magic "RORAMMAP"            u64
 *   8  version 1                   u16
 *  10  kind: 1 hashed, 2 sorted    u16
 *  12  key bytes                   u32
 *  16  value bytes                 u32
 *  20  c: leaves of 2^c blocks     u32
 *  24  secret of the hash          32 bytes
 *  56  blocks that the map uses    u64; 0 in a map that was not opened since this field was added
 *  64  key bytes of a multimap     u32; 0 in others, and in one older than this field
 * </pre>
 *
 * @param kind kind of the map
 * @param shape shape of its entries
 * @param leafExponent c; 0 for a hashed map
 * @param secret key of the hash; keys chosen with knowledge of it can fill a block
 * @param blocks blocks that the map uses, in a store that may have grown since
 * @param pairKeyBytes the longest key of a multimap, whose pairs are the keys here; or 0
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record MapHeader(
    int kind, EntryShape shape, int leafExponent, byte[] secret, long blocks, int pairKeyBytes) {

  static final int HASHED = 1;
  static final int SORTED = 2;

  private static final String HASHED_INSTEAD = "hashed; open it as ObliviousMap";
  private static final long MAGIC = 0x524F52414D4D4150L;
  private static final int SECRET_OFFSET = 24;
  private static final int BLOCKS_OFFSET = 56;
  private static final int PAIR_OFFSET = 64;

  /** Returns the header of a new map. */
  static MapHeader fresh(
      int kind, EntryShape shape, int leafExponent, long blocks, int pairKeyBytes) {
    return new MapHeader(kind, shape, leafExponent, KeyedHash.newSecret(), blocks, pairKeyBytes);
  }

  /**
   * Writes the header to an ORAM that has none.
   *
   * @throws ConfigurationException if there is one
   */
  void create(AsyncOram oram) throws IOException {
    Futures.join(oram.access(new long[] {0}, 1, blocks -> write(blocks[0])));
  }

  /**
   * Writes the header to block 0.
   *
   * @throws ConfigurationException if the block is not zeros
   */
  void write(ByteBuffer block) {
    if (hasData(block)) {
      throw new ConfigurationException(
          "block 0 of the store is not empty; open the map that is there, or make one in a new"
              + " store");
    }
    block
        .putLong(0, MAGIC)
        .putShort(8, (short) 1)
        .putShort(10, (short) kind)
        .putInt(12, shape.keyBytes())
        .putInt(16, shape.valueBytes())
        .putInt(20, leafExponent)
        .put(SECRET_OFFSET, secret)
        .putLong(BLOCKS_OFFSET, blocks)
        .putInt(PAIR_OFFSET, pairKeyBytes);
  }

  /** Returns whether a block is not all zeros: a file system's first block begins with zeros. */
  static boolean hasData(ByteBuffer block) {
    return block.duplicate().clear().mismatch(ByteBuffer.allocate(block.capacity())) >= 0;
  }

  /**
   * Reads the header of a kind of map.
   *
   * @throws ConfigurationException if there is none of this kind and version
   */
  static MapHeader read(AsyncOram oram, int kind) throws IOException {
    MapHeader header = read(oram);
    if (header.kind != kind) {
      throw new ConfigurationException(
          "the map in the store is "
              + (header.kind == SORTED ? "sorted; open it as ObliviousSortedMap" : HASHED_INSTEAD));
    }
    return header;
  }

  /**
   * Reads the header of either kind of map.
   *
   * @throws ConfigurationException if there is none of this version
   */
  static MapHeader read(AsyncOram oram) throws IOException {
    @Nullable MapHeader[] found = new MapHeader[1];
    Futures.join(
        oram.access(
            new long[] {0}, 1, blocks -> found[0] = parse(blocks[0], oram.config().blocks())));
    MapHeader header = found[0];
    if (header == null) {
      throw new IllegalStateException("the access completed without running its program");
    }
    return header;
  }

  /** Makes the map of an ORAM, if there is one, keep to the present blocks. */
  static void keepBlocks(Oram oram) throws IOException {
    oram.access(new long[] {0}, block -> keepBlocks(block[0], oram.config().blocks()));
  }

  /**
   * Makes the map with this block 0, if it is a map's, keep to {@code blocks} blocks.
   *
   * @return how many blocks the map uses; 0 if there is no map
   */
  static long keepBlocks(ByteBuffer block, long blocks) {
    return block.getLong(0) == MAGIC ? parse(block, blocks).blocks() : 0;
  }

  /**
   * Parses block 0.
   *
   * @param blocks number of blocks that the map uses if the block does not say; then stored there
   */
  private static MapHeader parse(ByteBuffer block, long blocks) {
    if (block.getLong(0) != MAGIC) {
      throw new ConfigurationException("the store has no map; create one");
    }
    int version = block.getShort(8);
    if (version != 1) {
      throw new ConfigurationException(
          "the store has a map of version " + version + ", this version of roram opens 1");
    }
    byte[] secret = new byte[KeyedHash.SECRET_BYTES];
    block.get(SECRET_OFFSET, secret);
    EntryShape shape = new EntryShape(block.getInt(12), block.getInt(16));
    if (block.getLong(BLOCKS_OFFSET) == 0) {
      block.putLong(BLOCKS_OFFSET, blocks);
    }
    return new MapHeader(
        block.getShort(10),
        shape,
        block.getInt(20),
        secret,
        block.getLong(BLOCKS_OFFSET),
        block.getInt(PAIR_OFFSET));
  }
}
