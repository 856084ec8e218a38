package io.github.roram.journal;

import io.github.roram.cipher.BucketCipher;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;

/**
 * The bytes of a journal (big endian).
 *
 * <pre>
 *   header, 80 bytes
 *    0  magic "rORAMjn5"      8
 *    8  store id             16
 *   24  generation           u64
 *   32  salt                 32
 *   64  tag                  16
 *
 *   record
 *    0  magic "jrec"         u32
 *    4  plaintext length n   u32
 *    8  number               u64, from 0
 *   16  safe                 u64
 *   24  nonce               12
 *   36  ciphertext           n
 *   36 + n  tag              16
 * </pre>
 *
 * The key is HKDF of the master key with the header's first 64 bytes as salt, so it opens no
 * journal of another store or generation. The header's tag is that of an empty message with nonce
 * 2^64 − 1. The associated data of a record is its header and the tag before it (for the first
 * record, the header's): each record is chained to all before it. The first record chains the
 * generation to the previous one: see {@link JournalChain}. The nonce of a record is drawn when it
 * is sealed, because a copy of a running client continues the same generation, with its key and
 * numbers.
 *
 * <p>Safe is the number of the journal's first bytes that no crash could destroy any more when the
 * record was made. A power failure may keep a record and lose an earlier one that was not synced
 * either; if a record is missing from the safe bytes of a later one, something else has removed it.
 */
final class JournalDescriptor {

  static final int SALTED_BYTES = 64;
  static final int SALT_BYTES = 32;
  static final int NONCE = 24;
  static final int RECORD_HEADER_BYTES = NONCE + BucketCipher.NONCE_BYTES;
  static final int TAG_BYTES = 16;
  static final int HEADER_BYTES = SALTED_BYTES + TAG_BYTES;
  static final int RECORD_MAGIC = 0x6a726563;
  static final int MAX_PLAIN_BYTES = 1 << 30;

  /**
   * The format's version. 1: generations were not chained. 2: one intent at a time, without a
   * number; commits padded to all that a client can hold. 3: no trims. 4: the nonce of a record was
   * its number.
   */
  static final int FORMAT = 5;

  static final String PURPOSE = "roram journal";

  private static final long MAGIC = 0x724f52414d6a6e35L;

  /**
   * Masks the bytes that the magics of all versions share; the last byte is the version's digit.
   */
  private static final long MAGIC_MASK = ~0xffL;

  private JournalDescriptor() {}

  /** Returns the header without its tag. */
  static byte[] salted(UUID storeId, long generation, byte[] salt) {
    return ByteBuffer.allocate(SALTED_BYTES)
        .putLong(MAGIC)
        .putLong(storeId.getMostSignificantBits())
        .putLong(storeId.getLeastSignificantBits())
        .putLong(generation)
        .put(salt)
        .array();
  }

  /**
   * Returns the format of a journal with this header; −1 if this is not a header of any version.
   */
  static int format(byte[] header) {
    long magic = ByteBuffer.wrap(header).getLong();
    int format = (int) (magic & ~MAGIC_MASK) - '0';
    return (magic & MAGIC_MASK) == (MAGIC & MAGIC_MASK) && format >= 1 && format <= 9 ? format : -1;
  }

  static UUID storeId(byte[] header) {
    ByteBuffer in = ByteBuffer.wrap(header);
    return new UUID(in.getLong(8), in.getLong(16));
  }

  static long generation(byte[] header) {
    return ByteBuffer.wrap(header).getLong(24);
  }

  /** Returns the nonce of the header's tag. */
  static byte[] headerNonce() {
    byte[] nonce = new byte[BucketCipher.NONCE_BYTES];
    Arrays.fill(nonce, Integer.BYTES, nonce.length, (byte) 0xff);
    return nonce;
  }

  /** Adds a record's associated data: its header, followed by the previous tag. */
  static void putRecordHeader(
      ByteBuffer associated, int plainBytes, long number, long safeBytes, byte[] nonce) {
    associated
        .putInt(0, RECORD_MAGIC)
        .putInt(4, plainBytes)
        .putLong(8, number)
        .putLong(16, safeBytes)
        .put(NONCE, nonce);
  }

  /** Returns the name of the log that holds a generation. */
  static String logName(long generation) {
    return "journal-" + generation;
  }

  /** Returns the generation in a log's name, or −1. */
  static long generationOf(String logName) {
    if (!logName.matches("journal-[0-9]{1,18}")) {
      return -1;
    }
    return Long.parseLong(logName.substring("journal-".length()));
  }
}
