package io.github.roram.storage.striped;

import io.github.roram.store.Crc32c;
import io.github.roram.store.StoreDamagedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * The first 4,096 bytes of a stripe, which identify the stripe and its store. They protect against
 * mixed-up disks; an attacker is detected by the ORAM, which authenticates buckets.
 *
 * <pre>
 *  0        8        12      16          32      36      40               48     52
 *  +--------+--------+-------+-----------+-------+-------+----------------+------+-------+
 *  | magic  | version| top   | store id  | index | count | capacity bytes | CRC  | zeros |
 *  +--------+--------+-------+-----------+-------+-------+----------------+------+-------+
 * </pre>
 *
 * Numbers are big-endian, top is in units of 4,096 bytes; the CRC-32C covers all bytes before it.
 *
 * @param storeId random, the same in all stripes of a store
 * @param index number of this stripe, from 0
 * @param count number of stripes
 * @param capacityBytes size of the address space of all stripes together
 * @param topBytes most bytes of the top levels that the first stripe holds alone, a multiple of
 *     4,096; 0 if it has a share of all levels
 */
record StripeDescriptor(UUID storeId, int index, int count, long capacityBytes, long topBytes) {

  /** What the stripe's own content comes after. */
  static final int BYTES = 4096;

  /** Most bytes of top levels that can be written. */
  static final long MOST_TOP_BYTES = 0xffff_ffffL * BYTES;

  private static final int VERSION = 1;
  private static final int VERSION_OFFSET = 8;
  private static final int CRC_OFFSET = 48;
  private static final byte[] MAGIC = "RORAMSTR".getBytes(StandardCharsets.US_ASCII);

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.put(MAGIC).putInt(VERSION).putInt((int) (topBytes / BYTES));
    out.putLong(storeId.getMostSignificantBits()).putLong(storeId.getLeastSignificantBits());
    out.putInt(index)
        .putInt(count)
        .putLong(capacityBytes)
        .putInt(Crc32c.of(out.array(), 0, CRC_OFFSET));
    return out.array();
  }

  /**
   * Reads the first bytes of a stripe.
   *
   * @param stripe named in errors
   * @throws StoreDamagedException if this is no stripe, or not one that can be read
   */
  static StripeDescriptor decode(byte[] bytes, String stripe) throws StoreDamagedException {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte[] magic = new byte[MAGIC.length];
    in.get(magic);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new StoreDamagedException(
          stripe + " is a store, but no stripe of one: give the stripes that create was given");
    }
    int version = in.getInt(VERSION_OFFSET);
    if (version != VERSION) {
      throw new StoreDamagedException(
          stripe
              + " has stripe format "
              + version
              + ", this version of roram reads "
              + VERSION
              + ": use the version that wrote it");
    }
    if (in.getInt(CRC_OFFSET) != Crc32c.of(bytes, 0, CRC_OFFSET)) {
      throw new StoreDamagedException(
          stripe + " begins with a wrong checksum; restore all stripes from one copy");
    }
    in.position(VERSION_OFFSET + Integer.BYTES);
    long topBytes = Integer.toUnsignedLong(in.getInt()) * BYTES;
    return new StripeDescriptor(
        new UUID(in.getLong(), in.getLong()), in.getInt(), in.getInt(), in.getLong(), topBytes);
  }
}
