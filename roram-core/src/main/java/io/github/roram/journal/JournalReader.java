package io.github.roram.journal;

import io.github.roram.IntegrityException;
import io.github.roram.cipher.BucketCipher;
import io.github.roram.cipher.RecordCipher;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.AppendLog;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads a generation of the journal back, and holds no more of it in memory than its longest
 * record.
 *
 * <p>A crash can leave anything after the last sync: the journal ends at the first record that is
 * not whole. Zeros after the last whole record are room reserved for more. If an authentic record
 * further on says that this place was safe when that record was made, then the journal was damaged
 * or changed in the middle, which no crash does.
 */
final class JournalReader implements Closeable {

  /** Receives records. */
  @FunctionalInterface
  interface RecordSink {
    /** Reads one record's fields. */
    void accept(DataInputStream record) throws IOException;
  }

  private final UUID storeId;
  private final long generation;
  private final LogWindow log;
  private final byte[] associated =
      new byte[JournalDescriptor.RECORD_HEADER_BYTES + JournalDescriptor.TAG_BYTES];
  private final ByteBuffer associatedView = ByteBuffer.wrap(associated);
  private long records;
  private JournalChain.Link end;
  private long endBytes;
  private long tornBytes;

  /** Number of bytes of the log that were deciphered, authentic or not. */
  private long deciphered;

  /** Creates a reader of a log, which stays open. */
  JournalReader(AppendLog log, UUID storeId, long generation) throws IOException {
    this.storeId = storeId;
    this.generation = generation;
    this.end = new JournalChain.Link(generation, 0, 0, 0);
    this.log = new LogWindow(log);
  }

  @Override
  public void close() throws IOException {
    log.close();
  }

  /** Returns the number of whole records. */
  long records() {
    return records;
  }

  /** Returns the end of the last whole record, as a link. */
  JournalChain.Link end() {
    return end;
  }

  /** Returns the number of bytes up to the end of the last whole record. */
  long endBytes() {
    return endBytes;
  }

  /** Returns the number of bytes after the last whole record, up to the last that is not zero. */
  long tornBytes() {
    return tornBytes;
  }

  /** Returns whether the log has at least one whole record; nothing is replayed. */
  boolean holdsRecords(MasterKey master) throws IOException {
    try (RecordCipher cipher = cipher(master)) {
      return hasHeader(cipher) && openAt(cipher, JournalDescriptor.HEADER_BYTES, 0) != null;
    }
  }

  /**
   * Passes all whole records to the sink, in order.
   *
   * @throws IntegrityException if the journal is another's, or damaged before its end
   */
  void replay(MasterKey master, RecordSink sink) throws IOException {
    try (RecordCipher cipher = cipher(master)) {
      tornBytes = log.length();
      if (hasHeader(cipher)) {
        long position = JournalDescriptor.HEADER_BYTES;
        byte[] plain = openAt(cipher, position, records);
        while (plain != null) {
          sink.accept(new DataInputStream(new ByteArrayInputStream(plain)));
          position += recordBytes(plain.length);
          chain(position);
          records++;
          plain = openAt(cipher, position, records);
        }
        end = link();
        endBytes = position;
        refuseLaterRecords(cipher, position);
        tornBytes = bytesBeforeZeros(position);
      }
    }
  }

  /** Returns the number of bytes from a place up to the last byte that is not zero. */
  private long bytesBeforeZeros(long from) throws IOException {
    long end = from;
    for (long at = from; at < log.length(); at++) {
      int index = log.locate(at, 1);
      end = log.bytes()[index] == 0 ? end : at + 1;
    }
    return end - from;
  }

  private JournalChain.Link link() {
    ByteBuffer tag = associatedView.duplicate().position(JournalDescriptor.RECORD_HEADER_BYTES);
    return new JournalChain.Link(generation, records, tag.getLong(), tag.getLong());
  }

  private RecordCipher cipher(MasterKey master) throws IOException {
    return new RecordCipher(
        master, JournalDescriptor.PURPOSE, start(JournalDescriptor.SALTED_BYTES));
  }

  /** Returns the first bytes of the log, padded with zeros if the log is shorter. */
  private byte[] start(int count) throws IOException {
    int there = (int) Math.min(count, log.length());
    int index = log.locate(0, there);
    return Arrays.copyOf(Arrays.copyOfRange(log.bytes(), index, index + there), count);
  }

  /**
   * Returns whether the log has a header, and chains the first record to it. The header is synced
   * before the first record is written, so in a log that is not longer, the header may be torn.
   */
  private boolean hasHeader(RecordCipher cipher) throws IOException {
    int headerBytes = JournalDescriptor.HEADER_BYTES;
    if (log.length() < headerBytes) {
      return false;
    }
    byte[] header = start(headerBytes);
    boolean authentic =
        cipher.open(
            JournalDescriptor.headerNonce(),
            new byte[0],
            header,
            JournalDescriptor.SALTED_BYTES,
            JournalDescriptor.TAG_BYTES,
            new byte[0]);
    if (!authentic && log.length() == headerBytes) {
      return false;
    }
    int format = JournalDescriptor.format(header);
    if (authentic && format >= 0 && format != JournalDescriptor.FORMAT) {
      throw otherFormat(format);
    }
    if (!authentic
        || format != JournalDescriptor.FORMAT
        || !JournalDescriptor.storeId(header).equals(storeId)
        || JournalDescriptor.generation(header) != generation) {
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

  private IntegrityException otherFormat(int format) {
    return new IntegrityException(
        "journal "
            + generation
            + " of store "
            + storeId
            + " is of "
            + (format < JournalDescriptor.FORMAT ? "an older" : "a newer")
            + " version of roram (format "
            + format
            + ", expected "
            + JournalDescriptor.FORMAT
            + "); open and close the store with the version that wrote it, which leaves no journal,"
            + " or export the data with it and import them into a new store");
  }

  private static int recordBytes(int plainBytes) {
    return JournalDescriptor.RECORD_HEADER_BYTES + plainBytes + JournalDescriptor.TAG_BYTES;
  }

  /** Chains the next record to the tag that ends at {@code recordEnd}. */
  private void chain(long recordEnd) throws IOException {
    int tagBytes = JournalDescriptor.TAG_BYTES;
    int index = log.locate(recordEnd - tagBytes, tagBytes);
    System.arraycopy(
        log.bytes(), index, associated, JournalDescriptor.RECORD_HEADER_BYTES, tagBytes);
  }

  /** Returns the plaintext of a record, or null if there is no complete record at that position. */
  private byte @Nullable [] openAt(RecordCipher cipher, long position, long number)
      throws IOException {
    if (position > log.length() - recordBytes(0)) {
      return null;
    }
    int index = locateRecord(position, 0);
    ByteBuffer in = ByteBuffer.wrap(log.bytes());
    int plainBytes = in.getInt(index + 4);
    if (in.getInt(index) != JournalDescriptor.RECORD_MAGIC
        || in.getLong(index + 8) != number
        || plainBytes < 0
        || plainBytes > JournalDescriptor.MAX_PLAIN_BYTES
        || plainBytes > log.length() - position - recordBytes(0)) {
      return null;
    }
    byte[] nonce = new byte[BucketCipher.NONCE_BYTES];
    in.get(index + JournalDescriptor.NONCE, nonce);
    long safe = in.getLong(index + 16);
    JournalDescriptor.putRecordHeader(associatedView, plainBytes, number, safe, nonce);
    deciphered += recordBytes(plainBytes);
    byte[] plain = new byte[plainBytes];
    int record = locateRecord(position, plainBytes);
    boolean authentic =
        cipher.open(
            nonce,
            associated,
            log.bytes(),
            record + JournalDescriptor.RECORD_HEADER_BYTES,
            plainBytes + JournalDescriptor.TAG_BYTES,
            plain);
    return authentic ? plain : null;
  }

  /** Fetches a record and the tag before it; returns the record's index in the window. */
  private int locateRecord(long position, int plainBytes) throws IOException {
    int tagBytes = JournalDescriptor.TAG_BYTES;
    return log.locate(position - tagBytes, tagBytes + recordBytes(plainBytes)) + tagBytes;
  }

  /**
   * Refuses the log if an authentic record after the end says that the end was safe. Each record is
   * chained to the bytes just before it. Records that clients wrote do not overlap, so if there is
   * more to decipher than the log has bytes, the log was forged.
   */
  private void refuseLaterRecords(RecordCipher cipher, long end) throws IOException {
    long most = deciphered + log.length();
    for (long position = end + 1; position <= log.length() - recordBytes(0); position++) {
      int index = locateRecord(position, 0);
      ByteBuffer in = ByteBuffer.wrap(log.bytes());
      if (in.getInt(index) != JournalDescriptor.RECORD_MAGIC) {
        continue;
      }
      chain(position);
      index = locateRecord(position, 0);
      long number = in.getLong(index + 8);
      boolean wasSafe = in.getLong(index + 16) > end;
      if (wasSafe
          && number > records
          && (openAt(cipher, position, number) != null || deciphered > most)) {
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
