package io.github.roram.map;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import java.nio.ByteBuffer;

/**
 * Where an index has what, and its header, which is block 0; big endian. Then there is the log of
 * documents that were not merged yet, and two halves, of which one is used and the next merge
 * writes the other: a dictionary, and postings of 4 bytes.
 *
 * <pre>
 *   0  magic "RORAMIDX"            u64
 *   8  version 1                   u32
 *  12  words                       u32
 *  16  words of a document         u32
 *  20  documents of the log        u32
 *  24  blocks that the index uses  u64
 *  32  merges so far, g            u32   the half in use is g mod 2
 *  36  words of the dictionary     u32
 *  40  secret of the hash          32 bytes
 * </pre>
 *
 * @param blocks those that the index uses, of a store that may have grown since
 * @param merges g
 * @param dictionaryWords words of the dictionary in use
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record IndexLayout(
    IndexShape shape,
    int blockBytes,
    int longestRange,
    long blocks,
    int merges,
    int dictionaryWords,
    byte[] secret) {

  /** Before the words of a document: the merges when it was added, its number, its words. */
  static final int DOCUMENT_HEADER = 12;

  private static final long MAGIC = 0x524F52414D494458L;
  private static final int VERSION = 1;
  private static final int SECRET_OFFSET = 40;

  /**
   * A new index's, in all blocks of an ORAM.
   *
   * @throws ConfigurationException if a document is longer than the longest range, or there is no
   *     room for postings
   */
  static IndexLayout fresh(IndexShape shape, OramConfig config) {
    IndexLayout layout =
        new IndexLayout(
            shape,
            config.blockBytes(),
            config.maxRangeBlocks(),
            config.blocks(),
            0,
            0,
            KeyedHash.newSecret());
    String words = shape.documentWords() + " words of a document";
    WholeRun.check(config, words, layout.documentBlocks());
    if (layout.postingBlocks() < 2) {
      throw new ConfigurationException(
          "the store has "
              + config.blocks()
              + " blocks, must have "
              + (layout.logBlocks() + 2L * layout.dictionaryBlocks() + 5)
              + " at least, and more for postings; use a larger one");
    }
    return layout;
  }

  /** After a merge that made a dictionary of so many words. */
  IndexLayout merged(int words) {
    return new IndexLayout(shape, blockBytes, longestRange, blocks, merges + 1, words, secret);
  }

  /** What block 0 says. */
  static IndexLayout parse(ByteBuffer block, OramConfig config) {
    if (block.getLong(0) != MAGIC) {
      throw new ConfigurationException("the store has no index; create one");
    }
    if (block.getInt(8) != VERSION) {
      throw new ConfigurationException(
          "the store has an index of version "
              + block.getInt(8)
              + ", this version of roram opens "
              + VERSION);
    }
    byte[] secret = new byte[KeyedHash.SECRET_BYTES];
    block.get(SECRET_OFFSET, secret);
    return new IndexLayout(
        new IndexShape(block.getInt(12), block.getInt(16), block.getInt(20)),
        config.blockBytes(),
        config.maxRangeBlocks(),
        block.getLong(24),
        block.getInt(32),
        block.getInt(36),
        secret);
  }

  /** Block 0. */
  ByteBuffer block() {
    return ByteBuffer.allocate(blockBytes)
        .putLong(0, MAGIC)
        .putInt(8, VERSION)
        .putInt(12, shape.words())
        .putInt(16, shape.documentWords())
        .putInt(20, shape.bufferedDocuments())
        .putLong(24, blocks)
        .putInt(32, merges)
        .putInt(36, dictionaryWords)
        .put(SECRET_OFFSET, secret);
  }

  /** Blocks of a document in the log. */
  int documentBlocks() {
    return blocksOf(DOCUMENT_HEADER + (long) Term.BYTES * shape.documentWords());
  }

  long logBlocks() {
    return (long) documentBlocks() * shape.bufferedDocuments();
  }

  /** First block of a document in the log. */
  long documentBlock(int document) {
    return 1 + (long) document * documentBlocks();
  }

  int dictionaryBlocks() {
    int each = Dictionary.words(blockBytes);
    return (int) (((long) shape.words() + each - 1) / each);
  }

  /** Blocks of each half's postings. */
  long postingBlocks() {
    return (blocks - 1 - logBlocks()) / 2 - dictionaryBlocks();
  }

  /** How many postings a half has room for: a list may take a block more than it fills. */
  long postings() {
    return (postingBlocks() - 1) * blockBytes / Integer.BYTES;
  }

  /** First block of the half that is in use; a merge later of the other. */
  long half() {
    return 1 + logBlocks() + merges % 2 * (dictionaryBlocks() + postingBlocks());
  }

  /** First block of the postings of the half that is in use. */
  long postingsBlock() {
    return half() + dictionaryBlocks();
  }

  /** Blocks that so many bytes take. */
  int blocksOf(long bytes) {
    return Math.toIntExact((bytes + blockBytes - 1) / blockBytes);
  }
}
