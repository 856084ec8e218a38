package io.github.roram.cipher;

import io.github.roram.crypto.SystemRandom;
import java.nio.ByteBuffer;

/**
 * The nonces of messages that are sealed together: a base of 96 bits, and message i has base + i
 * modulo 2^96.
 *
 * <h2>Security</h2>
 *
 * The {@linkplain SystemRandom system} draws the base at the moment of use, so a copy of a running
 * client draws other nonces than the client itself. Draw it once the messages are settled: two
 * copies made after that seal the same messages. Two of q draws for n messages each under one key
 * collide with a probability below q²n / 2^96: that is 2^−32 for 2^29 draws for 64 buckets, or for
 * 2^31 draws for 4 pages; and each opening has a key of its own.
 */
public final class Nonces {

  /** Bytes of a nonce. */
  public static final int BYTES = BucketCipher.NONCE_BYTES;

  private final int high;
  private final long low;

  private Nonces(ByteBuffer base) {
    high = base.getInt();
    low = base.getLong();
  }

  /** Returns nonces for messages that are about to be sealed, and whose contents are settled. */
  public static Nonces fresh() {
    byte[] base = new byte[BYTES];
    SystemRandom.fill(base);
    return from(base);
  }

  /** Returns nonces from a base on. */
  static Nonces from(byte[] base) {
    return new Nonces(ByteBuffer.wrap(base));
  }

  /**
   * Writes a nonce.
   *
   * @param message number of the message, from 0
   */
  public void put(int message, ByteBuffer target, int offset) {
    long sum = low + message;
    int carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
    target.putInt(offset, high + carry).putLong(offset + Integer.BYTES, sum);
  }
}
