package io.github.roram.journal;

import io.github.roram.IntegrityException;
import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.RecordCipher;
import io.github.roram.store.AppendLog;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;

/**
 * Reads a generation of the journal back.
 *
 * <p>A crash can leave anything after the last sync: the journal ends at the first record that is
 * not whole. An authentic record further on that says that this place was safe when it was made
 * shows that the journal was damaged or changed in its middle, which no crash does.
 */
final class JournalReader {

  /** Takes a record. */
  @FunctionalInterface
  interface RecordSink {
    /** Reads one record's fields. */
    void accept(DataInputStream record) throws IOException;
  }

  private final UUID storeId;
  private final long generation;
  private final byte[] bytes;
  private final byte[] associated =
      new byte[JournalDescriptor.RECORD_HEADER_BYTES + JournalDescriptor.TAG_BYTES];
  private final ByteBuffer associatedView = ByteBuffer.wrap(associated);
  private int records;
  private int tornBytes;

  private JournalReader(UUID storeId, long generation, byte[] bytes) {
    this.storeId = storeId;
    this.generation = generation;
    this.bytes = bytes;
  }

  /** Reads a whole log. */
  static JournalReader of(AppendLog log, UUID storeId, long generation) throws IOException {
    try (InputStream in = new BufferedInputStream(log.read())) {
      return new JournalReader(storeId, generation, in.readAllBytes());
    }
  }

  /** Number of whole records. */
  int records() {
    return records;
  }

  /** Bytes after the last whole record. */
  int tornBytes() {
    return tornBytes;
  }

  /** Whether the log has at least one whole record; nothing is replayed. */
  boolean holdsRecords(MasterKey master) {
    try (RecordCipher cipher = cipher(master)) {
      return hasHeader(cipher) && openAt(cipher, JournalDescriptor.HEADER_BYTES, 0) != null;
    }
  }

  /**
   * Hands all whole records to the sink, in order.
   *
   * @throws IntegrityException if the journal is another's, or damaged before its end
   */
  void replay(MasterKey master, RecordSink sink) throws IOException {
    try (RecordCipher cipher = cipher(master)) {
      int position = 0;
      if (hasHeader(cipher)) {
        position = JournalDescriptor.HEADER_BYTES;
        byte[] plain = openAt(cipher, position, records);
        while (plain != null) {
          sink.accept(new DataInputStream(new ByteArrayInputStream(plain)));
          position += recordBytes(plain.length);
          chain(position);
          records++;
          plain = openAt(cipher, position, records);
        }
        refuseLaterRecords(cipher, position);
      }
      tornBytes = bytes.length - position;
    }
  }

  private RecordCipher cipher(MasterKey master) {
    byte[] salted = Arrays.copyOf(bytes, JournalDescriptor.SALTED_BYTES);
    return new RecordCipher(master, JournalDescriptor.PURPOSE, salted);
  }

  /**
   * Whether there is a header, which the first record is then chained to. It is synced before the
   * first record: in a log that is not longer, it may be torn.
   */
  private boolean hasHeader(RecordCipher cipher) {
    int headerBytes = JournalDescriptor.HEADER_BYTES;
    if (bytes.length < headerBytes) {
      return false;
    }
    boolean authentic =
        cipher.open(
            JournalDescriptor.HEADER_NUMBER,
            new byte[0],
            bytes,
            JournalDescriptor.SALTED_BYTES,
            JournalDescriptor.TAG_BYTES,
            new byte[0]);
    if (!authentic && bytes.length == headerBytes) {
      return false;
    }
    if (!authentic
        || !JournalDescriptor.hasMagic(bytes)
        || !JournalDescriptor.storeId(bytes).equals(storeId)
        || JournalDescriptor.generation(bytes) != generation) {
      throw new IntegrityException(
          "journal "
              + generation
              + " is corrupt, or of another store (expected "
              + storeId
              + "); restore it from a copy made together with the client's other records");
    }
    chain(headerBytes);
    return true;
  }

  private static int recordBytes(int plainBytes) {
    return JournalDescriptor.RECORD_HEADER_BYTES + plainBytes + JournalDescriptor.TAG_BYTES;
  }

  private void chain(int recordEnd) {
    System.arraycopy(
        bytes,
        recordEnd - JournalDescriptor.TAG_BYTES,
        associated,
        JournalDescriptor.RECORD_HEADER_BYTES,
        JournalDescriptor.TAG_BYTES);
  }

  /** The plaintext of a record, or null if there is no whole one at that place. */
  private byte @org.jspecify.annotations.Nullable [] openAt(
      RecordCipher cipher, int position, long number) {
    if (position > bytes.length - recordBytes(0)) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int plainBytes = in.getInt(position + 4);
    if (in.getInt(position) != JournalDescriptor.RECORD_MAGIC
        || in.getLong(position + 8) != number
        || plainBytes < 0
        || plainBytes > bytes.length - position - recordBytes(0)) {
      return null;
    }
    JournalDescriptor.putRecordHeader(
        associatedView, plainBytes, number, in.getLong(position + 16));
    byte[] plain = new byte[plainBytes];
    boolean authentic =
        cipher.open(
            number,
            associated,
            bytes,
            position + JournalDescriptor.RECORD_HEADER_BYTES,
            plainBytes + JournalDescriptor.TAG_BYTES,
            plain);
    return authentic ? plain : null;
  }

  /** Looks for authentic records after the end: each is chained to the bytes just before it. */
  private void refuseLaterRecords(RecordCipher cipher, int end) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    for (int position = end + 1; position <= bytes.length - recordBytes(0); position++) {
      if (in.getInt(position) != JournalDescriptor.RECORD_MAGIC) {
        continue;
      }
      chain(position);
      long number = in.getLong(position + 8);
      boolean wasSafe = in.getLong(position + 16) > end;
      if (wasSafe && number > records && openAt(cipher, position, number) != null) {
        throw new IntegrityException(
            "journal "
                + generation
                + " of store "
                + storeId
                + " is damaged at byte "
                + end
                + ", before its record "
                + number
                + "; restore it from a copy, nothing was changed");
      }
    }
  }
}
