package io.github.roram.bucket;

/**
 * The layout of a bucket's tombstones, which take the place of its links (big endian). There is
 * room for as many as for blocks.
 *
 * <pre>
 *   +-- Z times ---------------+
 *   | address u32 | label u32  |
 *   +--------------------------+
 * </pre>
 *
 * A place without a tombstone has the address {@link BucketDescriptor#EMPTY}.
 */
public final class TombstoneDescriptor {

  /** Bytes of a tombstone. */
  public static final int BYTES = 2 * Integer.BYTES;

  private TombstoneDescriptor() {}

  /** Returns the bytes of the links of a bucket of Z slots that has tombstones. */
  public static int bytes(int slots) {
    return slots * BYTES;
  }

  private static int offset(BucketDescriptor bucket, int place) {
    return bucket.linkOffset() + place * BYTES;
  }

  /** Returns the block of a tombstone, or {@link BucketDescriptor#EMPTY} if there is none. */
  public static int address(BucketDescriptor bucket, byte[] plain, int place) {
    return PlainBucket.getInt(plain, offset(bucket, place));
  }

  /** Returns the label that the block had. */
  public static int label(BucketDescriptor bucket, byte[] plain, int place) {
    return PlainBucket.getInt(plain, offset(bucket, place) + Integer.BYTES);
  }

  /** Sets a tombstone. */
  public static void set(BucketDescriptor bucket, byte[] plain, int place, int address, int label) {
    PlainBucket.setInt(plain, offset(bucket, place), address);
    PlainBucket.setInt(plain, offset(bucket, place) + Integer.BYTES, label);
  }

  /** Clears a place. */
  public static void setNone(BucketDescriptor bucket, byte[] plain, int place) {
    set(bucket, plain, place, BucketDescriptor.EMPTY, 0);
  }
}
