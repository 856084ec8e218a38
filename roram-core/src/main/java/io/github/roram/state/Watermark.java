package io.github.roram.state;

import io.github.roram.cipher.SivCipher;
import io.github.roram.journal.JournalPosition;
import io.github.roram.store.BlockStore;
import java.nio.ByteBuffer;

/**
 * How far a client's records have come for good, as the store witnesses it: records that hold less
 * are older ones. Its bytes, before they are sealed (big endian):
 *
 * <pre>
 *    0  any number           u64, another each time
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

  /** Before everything. */
  static final Watermark START = new Watermark(0, JournalPosition.START);

  /** The further of both, in each. */
  Watermark orLater(Watermark other) {
    return new Watermark(Math.max(saves, other.saves), journal.orLater(other.journal));
  }

  /** Whether records that hold so much hold all of this. */
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
}
