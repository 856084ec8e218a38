package io.github.roram.journal;

import io.github.roram.cipher.Nonces;
import io.github.roram.cipher.RecordCipher;
import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.SystemRandom;
import io.github.roram.store.AppendLog;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends sealed, chained records to one generation of the journal, and makes them durable in
 * groups (group commit).
 *
 * <p>One thread at a time appends, the one that holds the ORAM's lock. Any number may wait for
 * durability: one of them syncs everything that was appended when it began.
 *
 * <p>If an append fails, its record stays queued, as do those after it, and is written first at the
 * next append: no change of the client's state is ever missing from the middle of its journal. A
 * failed sync is final for the generation, because the system may have dropped data that it could
 * not write.
 */
final class JournalWriter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JournalWriter.class);

  private static final byte[] NONE = {};
  private static final long HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final AppendLog log;
  private final RecordCipher cipher;
  private final boolean syncs;
  private final long generation;
  private final Consumer<JournalPosition> onDurable;
  private final byte[] associated =
      new byte[JournalDescriptor.RECORD_HEADER_BYTES + JournalDescriptor.TAG_BYTES];
  private final ByteBuffer associatedView = ByteBuffer.wrap(associated);
  private final byte[] nonce = new byte[Nonces.BYTES];
  private final ByteBuffer nonceView = ByteBuffer.wrap(nonce);

  /** Initial bytes of memory for queued records. */
  static final int FIRST_BYTES = 1 << 12;

  /** The queued records, from index 0 to the buffer's position. */
  private ByteBuffer queue = ByteBuffer.allocate(FIRST_BYTES);

  private long number;
  private volatile long end;

  /** Number of bytes in the log; less than {@link #end} while records are queued. */
  private volatile long written;

  /**
   * Why the last append failed, which may have left a part of the queue in the log; null if it
   * succeeded.
   */
  private volatile @Nullable Throwable appendFailure;

  /** Bytes that somebody waits for, now or soon. */
  private long marked;

  private final Object syncing = new Object();
  private volatile long durable;
  private volatile @Nullable IOException syncFailure;

  private JournalWriter(
      AppendLog log,
      RecordCipher cipher,
      boolean syncs,
      long generation,
      Consumer<JournalPosition> onDurable) {
    this.log = log;
    this.cipher = cipher;
    this.syncs = syncs;
    this.generation = generation;
    this.onDurable = onDurable;
  }

  /**
   * Creates a generation: a new log whose header is durable on return.
   *
   * @param onDurable receives the end of the durable records, whenever more are durable
   */
  static JournalWriter create(
      ClientVault vault,
      MasterKey master,
      UUID storeId,
      long generation,
      boolean syncs,
      Consumer<JournalPosition> onDurable)
      throws IOException {
    byte[] salt = new byte[JournalDescriptor.SALT_BYTES];
    SystemRandom.fill(salt);
    byte[] salted = JournalDescriptor.salted(storeId, generation, salt);
    RecordCipher cipher = new RecordCipher(master, JournalDescriptor.PURPOSE, salted);
    byte[] header = Arrays.copyOf(salted, JournalDescriptor.HEADER_BYTES);
    cipher.seal(JournalDescriptor.headerNonce(), NONE, NONE, 0, header, salted.length);
    String name = JournalDescriptor.logName(generation);
    vault.deleteLog(name);
    AppendLog log = vault.openLog(name);
    boolean created = false;
    try {
      log.append(ByteBuffer.wrap(header));
      log.sync();
      created = true;
    } finally {
      if (!created) {
        cipher.close();
        close(log);
      }
    }
    JournalWriter writer = new JournalWriter(log, cipher, syncs, generation, onDurable);
    writer.chain(header, header.length);
    writer.end = header.length;
    writer.written = header.length;
    writer.durable = header.length;
    return writer;
  }

  /** Returns whether nothing was recorded. */
  boolean isEmpty() {
    return number == 0;
  }

  /** Returns the end of this generation as a link, queued records included. */
  JournalChain.Link link(long generation) {
    ByteBuffer tag = associatedView.duplicate().position(JournalDescriptor.RECORD_HEADER_BYTES);
    return new JournalChain.Link(generation, number, tag.getLong(), tag.getLong());
  }

  /** Returns the size of the generation in bytes, queued records included. */
  long end() {
    return end;
  }

  /** Returns the bytes of the journal now, for somebody to wait for. */
  long mark() {
    marked = end;
    return end;
  }

  /** Makes durable what somebody waits for, which is impossible once this is closed. */
  void settleMarked() throws IOException {
    awaitDurable(marked, false);
  }

  /** Queues a record, which is written with the next append. */
  void queue(byte[] plain, int count) {
    int bytes = JournalDescriptor.RECORD_HEADER_BYTES + count + JournalDescriptor.TAG_BYTES;
    reserve(bytes);
    long safe = syncs ? durable : written;
    Nonces.fresh().put(0, nonceView, 0);
    JournalDescriptor.putRecordHeader(associatedView, count, number, safe, nonce);
    byte[] array = queue.array();
    int start = queue.position();
    int data = start + JournalDescriptor.RECORD_HEADER_BYTES;
    System.arraycopy(associated, 0, array, start, JournalDescriptor.RECORD_HEADER_BYTES);
    cipher.seal(nonce, associated, plain, count, array, data);
    chain(array, start + bytes);
    number++;
    // Only this thread changes the field.
    long before = end;
    end = before + bytes;
    queue.position(start + bytes);
  }

  /** Chains the next record to the tag that ends at index {@code end}. */
  private void chain(byte[] bytes, int end) {
    System.arraycopy(
        bytes,
        end - JournalDescriptor.TAG_BYTES,
        associated,
        JournalDescriptor.RECORD_HEADER_BYTES,
        JournalDescriptor.TAG_BYTES);
  }

  private void reserve(int bytes) {
    if (queue.remaining() < bytes) {
      int needed = Math.addExact(queue.position(), bytes);
      ByteBuffer larger = ByteBuffer.allocate(Math.addExact(needed, needed / 8));
      queue = larger.put(queue.flip());
    }
  }

  /** Releases the queue's memory: nothing is appended any more. */
  void release() {
    if (queue.position() == 0) {
      queue = ByteBuffer.allocate(0);
    }
  }

  /** Returns the bytes of memory for queued records. */
  long heldBytes() {
    return queue.capacity();
  }

  /** Writes the queued records. */
  void flush() throws IOException {
    if (written == end) {
      return;
    }
    if (appendFailure != null && log.bytes() != written) {
      log.truncate(written);
    }
    try {
      log.append(queue.duplicate().flip());
    } catch (IOException | RuntimeException | Error e) {
      appendFailure = e;
      throw e;
    }
    appendFailure = null;
    queue.clear();
    written = end;
  }

  /**
   * Returns once the first {@code bytes} bytes of the generation are durable.
   *
   * @param others whether another thread is about to sync: it then gets the time to begin
   */
  void awaitDurable(long bytes, boolean others) throws IOException {
    synchronized (syncing) {
      if (others) {
        letOthersSync(bytes);
      }
      if (durable >= bytes) {
        return;
      }
      IOException failure = syncFailure;
      if (failure != null) {
        throw new IOException("the journal failed before: " + failure.getMessage(), failure);
      }
      long reached = written;
      if (reached < bytes) {
        Throwable why = appendFailure;
        String reason = why == null ? "" : ": " + why.getMessage();
        throw new IOException(
            "the journal could not be written" + reason + "; the next access tries again", why);
      }
      try {
        log.sync();
      } catch (IOException e) {
        syncFailure = e;
        throw e;
      }
      durable = reached;
      onDurable.accept(new JournalPosition(generation, reached));
      syncing.notifyAll();
    }
  }

  /**
   * Waits a little, and releases the monitor meanwhile; a sync that begins keeps it until the sync
   * is done.
   */
  private void letOthersSync(long bytes) {
    long deadline = System.nanoTime() + HEAD_START_NANOS;
    try {
      long remaining = HEAD_START_NANOS;
      while (durable < bytes && remaining > 0) {
        TimeUnit.NANOSECONDS.timedWait(syncing, remaining);
        remaining = deadline - System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns why a sync failed, after which this generation can promise nothing; null if none did.
   * Does not wait for a sync in flight: overlapping accesses ask on every turn.
   */
  @Nullable IOException failure() {
    return syncFailure;
  }

  @Override
  public void close() {
    cipher.close();
    close(log);
  }

  private static void close(AppendLog log) {
    try {
      log.close();
    } catch (IOException e) {
      LOG.warn("closing the journal's log failed: {}", e.toString());
    }
  }
}
