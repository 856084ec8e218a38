package io.github.roram.journal;

/**
 * The kinds of journal records (construction, section 6) and their fields. Numbers are u32 unless
 * noted; a block is its address and its data.
 *
 * <pre>
 *   INTENT  tree, number of runs, (range or −1, label that is read, fresh label)*
 *   ACCESS  tree, number of blocks read, block*, number of blocks written, block*
 *   COMMIT  tree, paths evicted, epoch, number of blocks that left the client, address*
 * </pre>
 */
final class JournalRecord {

  /** Paths are about to be read. */
  static final byte INTENT = 1;

  /** The access of the last intent is complete: these blocks are with the client now. */
  static final byte ACCESS = 2;

  /** A chunk of evictions is durable on the store. */
  static final byte COMMIT = 3;

  private JournalRecord() {}
}
