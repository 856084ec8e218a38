package io.github.roram.state;

import io.github.roram.cipher.SivCipher;
import io.github.roram.journal.JournalPosition;
import io.github.roram.store.BlockStore;
import java.nio.ByteBuffer;

/**
 * The bytes of a watermark before it is sealed (big endian).
 *
 * <pre>
 *    0  any number           u64, another each time
 *    8  saves                u64
 *   16  journal's generation u64
 *   24  bytes of it          u64
 * </pre>
 */
final class WatermarkDescriptor {

  static final int BYTES = BlockStore.WATERMARK_BYTES - SivCipher.TAG_BYTES;

  private WatermarkDescriptor() {}

  static byte[] encode(Watermark watermark, long anyNumber) {
    return ByteBuffer.allocate(BYTES)
        .putLong(anyNumber)
        .putLong(watermark.saves())
        .putLong(watermark.journal().generation())
        .putLong(watermark.journal().bytes())
        .array();
  }

  static Watermark decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).position(Long.BYTES);
    return new Watermark(in.getLong(), new JournalPosition(in.getLong(), in.getLong()));
  }
}
