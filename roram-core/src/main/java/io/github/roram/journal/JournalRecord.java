package io.github.roram.journal;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.IntegrityException;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.stash.Stash;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.UUID;

/**
 * The kinds of journal records (construction, section 6), and the fields of each but INTENT, which
 * {@link IntentDescriptor} describes. Each record begins with its kind, one byte, followed by:
 *
 * <pre>
 *   START, the first record of a generation, and no other: what the generation belongs to
 *    0  epoch                                       u32
 *    4  the epoch's salt                            16
 *   20  id of the state saved with the generation   16
 *   36  generation before, or -1                    u64
 *   44  its number of records                       u64
 *   52  its last tag                                16
 *
 *   ACCESS: the oldest pending access is complete
 *    0  number of the intent that is complete       u64
 *    8  tree                                        u32
 *   12  what was looked up in the position map, if that is on the store
 *       blocks read a                               u32
 *       a times                                     block
 *       blocks written b                            u32
 *       b times                                     block
 *       zeros, up to the length of the size class
 *     block: address u32, data
 *     a block that was read and written is among the written ones alone
 *
 *   COMMIT: a chunk of evictions is durable on the store
 *    0  tree                                        u32
 *    4  paths evicted                               u32
 *    8  epoch                                       u32
 *   12  blocks n that left the client               u32
 *   16  n times address                             u32
 *       which tombstones left, if the tree has tombstones
 *       zeros, up to the length for as many paths
 *
 *   NOTE: what an engine of another kind did, in its own format ({@link Journal#note})
 *
 *   TRIMS: blocks were trimmed; often none
 *    0  trims n, at most 32                         u32
 *    4  n times
 *         first block                               u32
 *         blocks                                    u32
 *       zeros, up to 32 trims: the length reveals nothing, not even whether there was a trim,
 *       because there is one before each access and in each flush
 *
 *   GROW: the store has more blocks from here on
 *    0  blocks                                      u64
 * </pre>
 */
final class JournalRecord {

  /** Records that paths are about to be read: {@link IntentDescriptor}. */
  static final byte INTENT = 1;

  static final byte ACCESS = 2;
  static final byte COMMIT = 3;
  static final byte START = 4;
  static final byte NOTE = 5;
  static final byte TRIMS = 6;
  static final byte GROW = 7;

  /** Bytes of an ACCESS without its blocks, the kind included. */
  private static final int ACCESS_FIELD_BYTES = 1 + Long.BYTES + 3 * Integer.BYTES;

  /** Bytes of a COMMIT without its addresses, the kind included. */
  private static final int COMMIT_FIELD_BYTES = 1 + 4 * Integer.BYTES;

  /** The most trims in a record. */
  static final int MOST_TRIMS = 32;

  private static final int TRIM_BYTES = 2 * Integer.BYTES;

  /** Bytes of TRIMS, the kind included. */
  static final int TRIMS_BYTES = 1 + Integer.BYTES + MOST_TRIMS * TRIM_BYTES;

  private JournalRecord() {}

  /** The source of the blocks of an ACCESS. */
  record Blocks(Stash stash, int blockBytes) {
    private void write(int address, DataOutput out) throws IOException {
      int slot = stash.find(address);
      out.writeInt(address);
      out.write(stash.array(slot), stash.offset(slot), blockBytes);
    }
  }

  /** Consecutive blocks that read as zeros. */
  record Trim(int first, int blocks) {}

  static void writeStart(JournalChain.Start start, DataOutput out) throws IOException {
    out.writeInt(start.epoch());
    out.writeLong(start.epochSalt().getMostSignificantBits());
    out.writeLong(start.epochSalt().getLeastSignificantBits());
    start.state().writeTo(out);
    JournalChain.Link before = start.before();
    out.writeLong(before.generation());
    out.writeLong(before.records());
    out.writeLong(before.tagHigh());
    out.writeLong(before.tagLow());
  }

  /** Decodes the first record of a generation. */
  static JournalChain.Start readStart(DataInputStream record) throws IOException {
    try {
      byte kind = record.readByte();
      if (kind != START) {
        throw new IntegrityException("a journal begins with a record of kind " + kind);
      }
      return new JournalChain.Start(
          record.readInt(),
          new UUID(record.readLong(), record.readLong()),
          RecordId.readFrom(record),
          new JournalChain.Link(
              record.readLong(), record.readLong(), record.readLong(), record.readLong()));
    } catch (EOFException e) {
      throw tooShort(e);
    }
  }

  /** Returns the bytes of an ACCESS with {@code blocks} blocks, the kind included. */
  static long accessBytes(long blocks, int blockBytes) {
    return ACCESS_FIELD_BYTES + blocks * (Integer.BYTES + blockBytes);
  }

  /**
   * Writes an access of a tree, whose stash holds the blocks.
   *
   * @param lookUp the labels that were looked up, in the engine's form; empty if none were
   * @param arrivals addresses of blocks that came from the tree
   * @param written the written blocks, ascending
   */
  static void writeAccess(
      DataOutput out,
      long number,
      int tree,
      byte[] lookUp,
      Blocks blocks,
      IntArrayList arrivals,
      int[] written)
      throws IOException {
    out.writeLong(number);
    out.writeInt(tree);
    out.write(lookUp);
    int read = 0;
    for (int i = 0; i < arrivals.size(); i++) {
      read += isWritten(arrivals.get(i), written) ? 0 : 1;
    }
    out.writeInt(read);
    for (int i = 0; i < arrivals.size(); i++) {
      if (!isWritten(arrivals.get(i), written)) {
        blocks.write(arrivals.get(i), out);
      }
    }
    out.writeInt(written.length);
    for (int address : written) {
      blocks.write(address, out);
    }
  }

  private static boolean isWritten(int address, int[] written) {
    return Arrays.binarySearch(written, address) >= 0;
  }

  private static void readAccess(DataInputStream in, JournalReplay replay) throws IOException {
    long number = in.readLong();
    int tree = in.readInt();
    replay.lookedUp(number, tree, in);
    replay.complete(number, tree);
    for (int i = readCount(in, "blocks read", Integer.BYTES); i > 0; i--) {
      replay.arrived(tree, in.readInt(), in);
    }
    for (int i = readCount(in, "blocks written", Integer.BYTES); i > 0; i--) {
      replay.written(in.readInt(), in);
    }
  }

  /** Returns the bytes of a COMMIT of {@code blocks} blocks, the kind included. */
  static long commitBytes(long blocks) {
    return COMMIT_FIELD_BYTES + blocks * Integer.BYTES;
  }

  static void writeCommit(
      DataOutput out, int tree, int paths, int epoch, IntArrayList left, byte[] tombstones)
      throws IOException {
    out.writeInt(tree);
    out.writeInt(paths);
    out.writeInt(epoch);
    out.writeInt(left.size());
    for (int i = 0; i < left.size(); i++) {
      out.writeInt(left.get(i));
    }
    out.write(tombstones);
  }

  private static void readCommit(DataInputStream in, JournalReplay replay) throws IOException {
    int tree = in.readInt();
    replay.evicted(tree, in.readInt(), in.readInt());
    for (int i = readCount(in, "blocks that left", Integer.BYTES); i > 0; i--) {
      replay.left(tree, in.readInt());
    }
    replay.tombstonesLeft(tree, in);
  }

  static void writeTrims(DataOutput out, Collection<Trim> trims) throws IOException {
    out.writeInt(trims.size());
    for (Trim trim : trims) {
      out.writeInt(trim.first());
      out.writeInt(trim.blocks());
    }
  }

  private static void readTrims(DataInputStream in, JournalReplay replay) throws IOException {
    if (1 + in.available() != TRIMS_BYTES) {
      throw new IntegrityException(
          "a journal record of trims has "
              + (1 + in.available())
              + " bytes, expected "
              + TRIMS_BYTES);
    }
    for (int i = readCount(in, "trims", TRIM_BYTES); i > 0; i--) {
      replay.trimmed(in.readInt(), in.readInt());
    }
  }

  static void writeGrow(DataOutput out, long blocks) throws IOException {
    out.writeLong(blocks);
  }

  private static void readGrow(DataInputStream in, JournalReplay replay) throws IOException {
    if (in.available() != Long.BYTES) {
      throw new IntegrityException(
          "a journal record of a growth has "
              + in.available()
              + " bytes after its kind, expected "
              + Long.BYTES);
    }
    replay.grown(in.readLong());
  }

  /**
   * Decodes any record but the first of a generation, and passes its content on.
   *
   * @return the record's kind; {@link #ACCESS} for a note of an access
   */
  static byte replay(DataInputStream record, JournalReplay replay) throws IOException {
    try {
      byte kind = record.readByte();
      switch (kind) {
        case INTENT -> replay.intent(IntentDescriptor.read(record, record.available()));
        case ACCESS -> readAccess(record, replay);
        case COMMIT -> readCommit(record, replay);
        case NOTE -> {
          return replay.note(record) ? ACCESS : NOTE;
        }
        case TRIMS -> readTrims(record, replay);
        case GROW -> readGrow(record, replay);
        default ->
            throw new IntegrityException(
                "the journal has a record of kind " + kind + " where none may be");
      }
      return kind;
    } catch (EOFException e) {
      throw tooShort(e);
    }
  }

  private static IntegrityException tooShort(EOFException cause) {
    return new IntegrityException("a journal record ends too early", cause);
  }

  /** Reads a count of things, and checks that the rest of the record has room for them. */
  private static int readCount(DataInputStream record, String things, int bytesEach)
      throws IOException {
    int count = record.readInt();
    if (count < 0 || count > record.available() / bytesEach) {
      throw new IntegrityException(
          "a journal record has "
              + record.available()
              + " bytes for "
              + count
              + " "
              + things
              + " of at least "
              + bytesEach
              + " bytes each");
    }
    return count;
  }
}
