package io.github.roram.bucket;

import io.github.roram.cipher.Nonces;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a bucket (big endian). Trees may have different ones.
 *
 * <pre>
 *   0        1       2      4        8             16         28
 *   +--------+-------+------+--------+-------------+----------+-------------------+---------+
 *   | format | level | tree | epoch  | eviction t  | nonce 12 | ciphertext        | tag 16  |
 *   +--------+-------+------+--------+-------------+----------+-------------------+---------+
 *     u8 = 2   u8      u16    u32      u64
 *
 *   plaintext:
 *   +-- Z times ---------------+---------------+-- Z times -----------+
 *   | address u32 | label u32  | links         | data, blockBytes     |
 *   +--------------------------+---------------+----------------------+
 * </pre>
 *
 * The header is clear and holds only what the store knows anyway, namely which eviction wrote the
 * bucket, and a random nonce. It serves diagnosis; the values that the client expects are
 * authenticated. An empty slot has the address {@link #EMPTY} and undefined data. {@code links} is
 * empty in trees whose evictions follow a counter, unless they have tombstones ({@link
 * TombstoneDescriptor}); Path ORAM keeps there the versions of the two children (8 bytes each, see
 * {@code LinkedTree}).
 *
 * <p>A layout {@linkplain #withoutPayload without payload} keeps no data at the client, while the
 * bucket has the same size on the store: for counting what a configuration costs, see {@code
 * pattern.PatternOram}.
 *
 * @param slots Z
 * @param blockBytes bytes of a block that the client handles; 0 without payload
 * @param linkBytes bytes of the links
 * @param storedBlockBytes bytes of a block on the store, held by the client or not
 */
public record BucketDescriptor(int slots, int blockBytes, int linkBytes, int storedBlockBytes) {

  /** Format version of the bucket. 1: the nonce was tree, level and eviction. */
  public static final int FORMAT = 2;

  /** Offset of the nonce. */
  static final int NONCE = 16;

  /** Bytes of the clear header. */
  public static final int HEADER_BYTES = NONCE + Nonces.BYTES;

  /** Bytes of a slot's address and label. */
  public static final int SLOT_HEADER_BYTES = 8;

  /** Address of an empty slot. */
  public static final int EMPTY = -1;

  /** Creates the layout for Z = {@code slots} blocks of {@code blockBytes} bytes. */
  public BucketDescriptor(int slots, int blockBytes, int linkBytes) {
    this(slots, blockBytes, linkBytes, blockBytes);
  }

  /** Returns the same layout on the store, without data at the client. */
  public BucketDescriptor withoutPayload() {
    return new BucketDescriptor(slots, 0, linkBytes, storedBlockBytes);
  }

  /** Returns the bytes of a bucket before sealing. */
  public int plainBytes() {
    return slots * (SLOT_HEADER_BYTES + blockBytes) + linkBytes;
  }

  /** Returns the bytes of a bucket on the store. */
  public int sealedBytes() {
    return HEADER_BYTES + plainBytes() + slots * (storedBlockBytes - blockBytes) + 16;
  }

  /**
   * Returns the bytes at the start of a sealed bucket that have a meaning: all, or without payload
   * the number of the eviction and the plaintext (see {@code pattern.PatternStore}).
   */
  public int keptBytes() {
    return blockBytes == storedBlockBytes ? sealedBytes() : Long.BYTES + plainBytes();
  }

  /** Returns the offset of the links in the plaintext. */
  public int linkOffset() {
    return slots * SLOT_HEADER_BYTES;
  }

  /** Returns the offset of a slot's data in the plaintext. */
  public int dataOffset(int slot) {
    return linkOffset() + linkBytes + slot * blockBytes;
  }

  /** Writes the clear header to the start of the buffer's array. */
  static void putHeader(
      ByteBuffer sealed, int tree, int level, int epoch, long eviction, byte[] nonce) {
    sealed.put(0, (byte) FORMAT).put(1, (byte) level).putShort(2, (short) tree);
    sealed.putInt(4, epoch).putLong(8, eviction).put(NONCE, nonce);
  }

  static int format(ByteBuffer sealed) {
    return sealed.get(0) & 0xff;
  }

  static int level(ByteBuffer sealed) {
    return sealed.get(1) & 0xff;
  }

  static int tree(ByteBuffer sealed) {
    return sealed.getShort(2) & 0xffff;
  }

  /** Returns whether this is a bucket sealed in this format, and not zeros. */
  public static boolean isSealed(ByteBuffer sealed) {
    return format(sealed) == FORMAT;
  }

  /** Returns the key epoch that a header names. */
  public static int epoch(ByteBuffer sealed) {
    return sealed.getInt(4);
  }

  /** Returns the eviction that a header names. */
  public static long eviction(ByteBuffer sealed) {
    return sealed.getLong(8);
  }

  // Written out, for short commands: those of a record are code that Java makes when they are first
  // called.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BucketDescriptor that
        && slots == that.slots
        && blockBytes == that.blockBytes
        && linkBytes == that.linkBytes
        && storedBlockBytes == that.storedBlockBytes;
  }

  @Override
  public int hashCode() {
    return Objects.hash(slots, blockBytes, linkBytes, storedBlockBytes);
  }
}
