package io.github.roram.crypto;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HKDF with HMAC-SHA256 (RFC 5869), on the JDK's {@link Mac}. */
final class Hkdf {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int HASH_BYTES = 32;

  /** Most bytes that one key yields. */
  private static final int MAX_BYTES = 255 * HASH_BYTES;

  private Hkdf() {}

  /**
   * Extracts and expands.
   *
   * @param secret input key material of any length
   * @param salt salt of any length; an empty one counts as 32 zeros
   * @param info purpose of the result
   * @param bytes length of the result, 0 to 8160; the caller wipes the result
   */
  static byte[] derive(byte[] secret, byte[] salt, byte[] info, int bytes) {
    if (bytes < 0 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "HKDF gives 0 to " + MAX_BYTES + " bytes, not " + bytes + "; derive several keys");
    }
    byte[] pseudorandomKey = mac(salt.length == 0 ? new byte[HASH_BYTES] : salt).doFinal(secret);
    byte[] derived = new byte[bytes];
    byte[] block = {};
    try {
      Mac mac = mac(pseudorandomKey);
      for (int done = 0; done < bytes; done += HASH_BYTES) {
        mac.update(block);
        mac.update(info);
        byte[] next = mac.doFinal(new byte[] {(byte) (done / HASH_BYTES + 1)});
        Arrays.fill(block, (byte) 0);
        block = next;
        System.arraycopy(block, 0, derived, done, Math.min(HASH_BYTES, bytes - done));
      }
      return derived;
    } finally {
      Arrays.fill(block, (byte) 0);
      Arrays.fill(pseudorandomKey, (byte) 0);
    }
  }

  private static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
