package io.github.roram.journal;

/**
 * The kinds of journal records (construction, section 6) and their fields. Numbers are u32 unless
 * noted; an id has 16 bytes; a block is its address and its data.
 *
 * <pre>
 *   START   epoch, the epoch's salt, id of the state that is saved with the generation, link to
 *           the generation before: its number u64, its number of records u64, its last tag;
 *           -1, 0 and zeros if there is no link
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

  /** A generation begins: its first record, and no other. See {@link JournalChain}. */
  static final byte START = 4;

  private JournalRecord() {}
}
