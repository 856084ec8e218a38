package io.github.roram.journal;

import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.RecordCipher;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends sealed, chained records to one generation of the journal, and makes them durable in
 * groups.
 *
 * <p>One thread appends at a time (the one that holds the ORAM's lock). Any number may wait for
 * durability: one of them syncs for all that was appended when it began.
 *
 * <p>A record whose append failed stays queued and goes first at the next append: what the client
 * has done in memory is never missing from the middle of its journal. A failed sync is final for
 * the generation, since the system may have dropped what it could not write.
 */
final class JournalWriter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JournalWriter.class);

  private final AppendLog log;
  private final RecordCipher cipher;
  private final byte[] associated =
      new byte[JournalDescriptor.RECORD_HEADER_BYTES + JournalDescriptor.TAG_BYTES];
  private final ByteBuffer associatedView = ByteBuffer.wrap(associated);
  private ByteBuffer sealed = ByteBuffer.allocate(0);
  private long number;
  private volatile long end;

  /** Bytes that the log holds; less than {@link #end} while a record is queued. */
  private volatile long written;

  private final Object syncing = new Object();
  private volatile long durable;
  private @Nullable IOException syncFailure;

  private JournalWriter(AppendLog log, RecordCipher cipher) {
    this.log = log;
    this.cipher = cipher;
  }

  /** Starts a generation: a new log whose header is durable when this returns. */
  static JournalWriter create(ClientVault vault, MasterKey master, UUID storeId, long generation)
      throws IOException {
    byte[] salt = new byte[JournalDescriptor.SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    byte[] header = JournalDescriptor.header(storeId, generation, salt);
    String name = JournalDescriptor.logName(generation);
    vault.deleteLog(name);
    AppendLog log = vault.openLog(name);
    log.append(ByteBuffer.wrap(header));
    log.sync();
    JournalWriter writer =
        new JournalWriter(log, new RecordCipher(master, JournalDescriptor.PURPOSE, header));
    writer.end = header.length;
    writer.written = header.length;
    writer.durable = header.length;
    return writer;
  }

  /** Bytes of the journal, those of a queued record included. */
  long end() {
    return end;
  }

  /** Appends a record. */
  void append(byte[] plain, int count) throws IOException {
    flush();
    int bytes = JournalDescriptor.RECORD_HEADER_BYTES + count + JournalDescriptor.TAG_BYTES;
    if (sealed.capacity() < bytes) {
      sealed = ByteBuffer.allocate(Math.max(bytes, sealed.capacity() + sealed.capacity() / 2));
    }
    JournalDescriptor.putRecordHeader(associatedView, count, number);
    byte[] array = sealed.array();
    System.arraycopy(associated, 0, array, 0, JournalDescriptor.RECORD_HEADER_BYTES);
    cipher.seal(number, associated, plain, count, array, JournalDescriptor.RECORD_HEADER_BYTES);
    System.arraycopy(
        array,
        bytes - JournalDescriptor.TAG_BYTES,
        associated,
        JournalDescriptor.RECORD_HEADER_BYTES,
        JournalDescriptor.TAG_BYTES);
    number++;
    // Only this thread changes it.
    long before = end;
    end = before + bytes;
    sealed.clear().limit(bytes);
    flush();
  }

  /** Writes a record that an earlier append left queued. */
  void flush() throws IOException {
    if (written == end) {
      return;
    }
    // A failed append may have left a part of the record.
    if (log.bytes() != written) {
      log.truncate(written);
    }
    log.append(sealed.rewind());
    written = end;
  }

  /** Returns once the first {@code bytes} bytes of the journal are durable. */
  void awaitDurable(long bytes) throws IOException {
    synchronized (syncing) {
      if (durable >= bytes) {
        return;
      }
      if (syncFailure != null) {
        throw new IOException(
            "the journal failed before: " + syncFailure.getMessage(), syncFailure);
      }
      long reached = written;
      if (reached < bytes) {
        throw new IOException("the journal could not be written; the next access tries again");
      }
      try {
        log.sync();
      } catch (IOException e) {
        syncFailure = e;
        throw e;
      }
      durable = reached;
    }
  }

  @Override
  public void close() {
    cipher.close();
    try {
      log.close();
    } catch (IOException e) {
      LOG.warn("closing the journal's log failed: {}", e.toString());
    }
  }
}
