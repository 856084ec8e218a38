package io.github.roram.map;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.map.Dictionary.Term;
import java.nio.ByteBuffer;

/**
 * The layout of an index and its header, which is block 0; big endian. The log of documents that
 * are not merged yet follows, and then two halves, one in use and one that the next merge writes:
 * each has a dictionary, and postings of 4 bytes.
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
 * @param blocks blocks that the index uses, in a store that may have grown since
 * @param merges g
 * @param dictionaryWords words of the dictionary in use
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record IndexLayout(
    IndexShape shape,
    int blockBytes,
    int longestRange,
    long blocks,
    int merges,
    int dictionaryWords,
    byte[] secret) {

  /** Bytes before a document's words: merges when it was added, its number, its number of words. */
  static final int DOCUMENT_HEADER = 12;

  private static final long MAGIC = 0x524F52414D494458L;
  private static final int VERSION = 1;
  private static final int SECRET_OFFSET = 40;

  /**
   * Returns the layout of a new index, in all blocks of an ORAM.
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
    layout.checkDocuments(config);
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

  /** Returns the layout after a merge whose dictionary has {@code words} words. */
  IndexLayout merged(int words) {
    return new IndexLayout(shape, blockBytes, longestRange, blocks, merges + 1, words, secret);
  }

  /** Parses block 0. */
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
    IndexLayout layout =
        new IndexLayout(
            new IndexShape(block.getInt(12), block.getInt(16), block.getInt(20)),
            config.blockBytes(),
            config.maxRangeBlocks(),
            block.getLong(24),
            block.getInt(32),
            block.getInt(36),
            secret);
    layout.checkDocuments(config);
    return layout;
  }

  private void checkDocuments(OramConfig config) {
    WholeRun.check(config, shape.documentWords() + " words of a document", documentBlocks());
  }

  /** Returns block 0. */
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

  /** Returns the blocks of a document in the log. */
  int documentBlocks() {
    return blocksOf(DOCUMENT_HEADER + (long) Term.BYTES * shape.documentWords());
  }

  long logBlocks() {
    return (long) documentBlocks() * shape.bufferedDocuments();
  }

  /** Returns the first block of a document in the log. */
  long documentBlock(int document) {
    return 1 + (long) document * documentBlocks();
  }

  int dictionaryBlocks() {
    int each = Dictionary.words(blockBytes);
    return (int) (((long) shape.words() + each - 1) / each);
  }

  /** Returns the blocks of each half's postings. */
  long postingBlocks() {
    return (blocks - 1 - logBlocks()) / 2 - dictionaryBlocks();
  }

  /** Returns how many postings fit in a half: a list may take a block more than it fills. */
  long postings() {
    return (postingBlocks() - 1) * blockBytes / Integer.BYTES;
  }

  /** Returns the first block of the half in use; after a merge, that of the other half. */
  long half() {
    return 1 + logBlocks() + merges % 2 * (dictionaryBlocks() + postingBlocks());
  }

  /** Returns the first block of the postings of the half in use. */
  long postingsBlock() {
    return half() + dictionaryBlocks();
  }

  /** Returns the blocks that {@code bytes} bytes take. */
  int blocksOf(long bytes) {
    return Math.toIntExact((bytes + blockBytes - 1) / blockBytes);
  }
}
