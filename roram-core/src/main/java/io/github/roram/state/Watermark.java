package io.github.roram.state;

import io.github.roram.IntegrityException;
import io.github.roram.StaleRecordsException;
import io.github.roram.cipher.SivCipher;
import io.github.roram.crypto.MasterKey;
import io.github.roram.journal.JournalPosition;
import io.github.roram.store.BlockStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How recent a client's durable records are, kept by the store: records that contain less are older
 * ones. The bytes before they are sealed (big endian):
 *
 * <pre>
 *    0  any number           u64, a new one each time
 *    8  saves                u64
 *   16  journal's generation u64
 *   24  bytes of it          u64
 * </pre>
 *
 * @param saves number of the newest save of a record
 * @param journal where the last record of the journal ends
 */
record Watermark(long saves, JournalPosition journal) {

  static final int BYTES = BlockStore.WATERMARK_BYTES - SivCipher.TAG_BYTES;

  /** The watermark before everything. */
  static final Watermark START = new Watermark(0, JournalPosition.START);

  /** Returns the later value of both, in each component. */
  Watermark orLater(Watermark other) {
    return new Watermark(Math.max(saves, other.saves), journal.orLater(other.journal));
  }

  /**
   * Returns whether records that hold {@code held} hold everything that this watermark witnesses.
   */
  boolean isWithin(Watermark held) {
    return saves <= held.saves && journal.compareTo(held.journal) <= 0;
  }

  byte[] encode(long anyNumber) {
    return ByteBuffer.allocate(BYTES)
        .putLong(anyNumber)
        .putLong(saves)
        .putLong(journal.generation())
        .putLong(journal.bytes())
        .array();
  }

  static Watermark decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).position(Long.BYTES);
    return new Watermark(in.getLong(), new JournalPosition(in.getLong(), in.getLong()));
  }

  /**
   * The watermark that a store keeps of a client's records.
   *
   * <h2>Security</h2>
   *
   * The store sees 64 bytes that are noise without the key, and that they change: when something of
   * an access is about to be shown, and when a record was saved. An adversary who puts back older
   * records but not the store is detected at the next opening. A store that forgets a watermark, or
   * returns an older one, behaves like a store that was itself put back.
   *
   * <p>Thread safety: safe.
   */
  static final class Witness implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Watermark.class);
    private static final String PURPOSE = "roram watermark";

    private final BlockStore store;
    private final UUID storeId;
    private final SivCipher cipher;

    /** The store's watermark, or a later one. */
    private Watermark kept = Watermark.START;

    private long anyNumber = new SecureRandom().nextLong();
    private boolean closed;

    Witness(BlockStore store, MasterKey master, UUID storeId) {
      this.store = store;
      this.storeId = storeId;
      cipher = new SivCipher(master, PURPOSE, ClientRecords.salt(storeId));
    }

    /**
     * Checks records against the store's watermark.
     *
     * @throws StaleRecordsException if they hold less
     * @throws IntegrityException if the store has no watermark of this client
     */
    synchronized void check(Watermark held) throws IOException {
      List<byte[]> found = store.watermarks();
      boolean authentic = false;
      for (byte[] sealed : found) {
        Optional<Watermark> witnessed = cipher.open(sealed).map(Watermark::decode);
        if (witnessed.isPresent()) {
          authentic = true;
          kept = kept.orLater(witnessed.get());
        }
      }
      if (!authentic) {
        throw RecordErrors.noWatermark(storeId, found.size());
      }
      if (!kept.isWithin(held)) {
        throw RecordErrors.stale(storeId, held, kept);
      }
    }

    /**
     * Returns the newest watermark that the store has from this client; the lowest one if there is
     * none.
     */
    synchronized Watermark newest() throws IOException {
      for (byte[] sealed : store.watermarks()) {
        kept = cipher.open(sealed).map(Watermark::decode).map(kept::orLater).orElse(kept);
      }
      return kept;
    }

    /**
     * Makes the store keep a later watermark, if {@code reached} is later. A failure is logged, and
     * tried again next time.
     */
    synchronized void advance(Watermark reached, boolean durably) {
      if (closed || reached.isWithin(kept)) {
        return;
      }
      try {
        keep(reached, durably);
      } catch (IOException e) {
        LOG.warn(
            "store {} could not keep the client's watermark: until it can, older records that are put"
                + " back may not be noticed: {}",
            storeId,
            e.toString());
      }
    }

    /** Keeps a watermark, and returns whether the store has one then. */
    synchronized boolean keeps(Watermark reached) throws IOException {
      keep(reached, true);
      return !store.watermarks().isEmpty();
    }

    private void keep(Watermark reached, boolean durably) throws IOException {
      Watermark next = kept.orLater(reached);
      store.keepWatermark(cipher.seal(next.encode(anyNumber++)), durably);
      kept = next;
    }

    @Override
    public synchronized void close() {
      closed = true;
      cipher.close();
    }
  }
}
