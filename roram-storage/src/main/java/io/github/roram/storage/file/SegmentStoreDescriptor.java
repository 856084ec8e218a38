package io.github.roram.storage.file;

import io.github.roram.store.Crc32c;
import io.github.roram.store.StoreDamagedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The file that says how a store is cut into segments, so that opening it takes no parameters.
 *
 * <pre>
 *  0        8        12             16                24                32      36
 *  +--------+--------+--------------+-----------------+-----------------+-------+
 *  | magic  | version| reserved (0) | segment bytes   | capacity bytes  | CRC   |
 *  +--------+--------+--------------+-----------------+-----------------+-------+
 * </pre>
 *
 * Numbers are big-endian. In every version the file starts with magic and version and ends with the
 * CRC-32C of all bytes before it, so that damage is never taken for another version.
 *
 * @param segmentBytes length of a segment file, the last one excepted
 * @param capacityBytes size of the address space
 */
record SegmentStoreDescriptor(long segmentBytes, long capacityBytes) {

  /** Name of the file. */
  static final String FILE_NAME = "store.descriptor";

  /** Name of the file while a store is being made larger. */
  static final String NEXT_NAME = "store.descriptor-next";

  static final int VERSION = 1;
  static final int OLDEST_VERSION = 1;

  private static final byte[] MAGIC = "RORAMSEG".getBytes(StandardCharsets.US_ASCII);
  private static final int CRC_BYTES = 4;
  private static final int VERSION_OFFSET = 8;
  private static final int SEGMENT_OFFSET = 16;
  private static final int CAPACITY_OFFSET = 24;
  private static final int CRC_OFFSET = 32;
  private static final int BYTES = CRC_OFFSET + CRC_BYTES;

  /** Returns the content of the file. */
  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(BYTES);
    out.put(MAGIC).putInt(VERSION).putInt(0).putLong(segmentBytes).putLong(capacityBytes);
    out.putInt(Crc32c.of(out.array(), 0, CRC_OFFSET));
    return out.array();
  }

  /**
   * Reads a file's content.
   *
   * @param file named in errors
   * @throws StoreDamagedException if the content is corrupt
   * @throws StoreVersionException if it is of a version that cannot be read
   */
  static SegmentStoreDescriptor decode(byte[] content, Path file)
      throws StoreDamagedException, StoreVersionException {
    int magicBytes = MAGIC.length;
    if (content.length < magicBytes
        || !Arrays.equals(content, 0, magicBytes, MAGIC, 0, magicBytes)) {
      throw corrupt(file, "it does not start with " + new String(MAGIC, StandardCharsets.US_ASCII));
    }
    ByteBuffer in = ByteBuffer.wrap(content);
    int crcOffset = content.length - CRC_BYTES;
    if (crcOffset < VERSION_OFFSET + Integer.BYTES
        || in.getInt(crcOffset) != Crc32c.of(content, 0, crcOffset)) {
      throw corrupt(file, "its checksum is wrong");
    }
    checkVersion(in.getInt(VERSION_OFFSET), file);
    if (content.length != BYTES) {
      throw corrupt(file, "it has " + content.length + " bytes instead of " + BYTES);
    }
    long segmentBytes = in.getLong(SEGMENT_OFFSET);
    long capacityBytes = in.getLong(CAPACITY_OFFSET);
    if (segmentBytes <= 0 || capacityBytes <= 0) {
      throw corrupt(
          file, "segments of " + segmentBytes + " and capacity of " + capacityBytes + " bytes");
    }
    return new SegmentStoreDescriptor(segmentBytes, capacityBytes);
  }

  private static void checkVersion(int version, Path file) throws StoreVersionException {
    if (version < OLDEST_VERSION) {
      throw new StoreVersionException(
          file
              + " is of format version "
              + version
              + ", too old: this version of roram reads "
              + OLDEST_VERSION
              + " to "
              + VERSION
              + "; open it with an older roram, export, and import here");
    }
    if (version > VERSION) {
      throw new StoreVersionException(
          file
              + " is of format version "
              + version
              + ", too new: this version of roram reads up to "
              + VERSION
              + "; use a newer roram");
    }
  }

  private static StoreDamagedException corrupt(Path file, String reason) {
    return new StoreDamagedException(
        file + " is corrupt: " + reason + "; restore it from a copy of the store");
  }
}
