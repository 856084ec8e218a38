package io.github.roram.storage.view;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * How a recorded view begins.
 *
 * <pre>
 *  0        8         10            12      16
 *  +--------+---------+-------------+-------+---------------------------------------------+
 *  | magic  | version | reserved, 0 | CRC   | zlib: config, sights, end                   |
 *  +--------+---------+-------------+-------+---------------------------------------------+
 *     8        u16        u16         u32
 *
 *  config: scheme (u8 length, ASCII), blocks u64, block bytes u32, number of parameters u16, and
 *          name and value of each (u8 length, ASCII)
 *  sights: {@link SightDescriptor}
 *  end:    0 u8, number of sights u64, CRC-32C of config, sights and the fields of the end before
 *          it u32
 * </pre>
 *
 * <p>Version 2 had no scans, version 3 no watermarks; they are else the same.
 *
 * <p>Numbers are big-endian. The CRC of the head is the CRC-32C of the 12 bytes before it, so that
 * damage is never taken for another version.
 */
final class ViewDescriptor {

  static final int VERSION = 4;
  static final int OLDEST_VERSION = 2;
  static final int HEAD_BYTES = 16;

  private static final byte[] MAGIC = "rORAMvw1".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION_OFFSET = 8;
  private static final int CRC_OFFSET = 12;

  private ViewDescriptor() {}

  static byte[] encodeHead() {
    ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES);
    out.put(MAGIC).putShort((short) VERSION).putShort((short) 0);
    return out.putInt(crc(out.array())).array();
  }

  /**
   * Checks a head.
   *
   * @param file named in errors
   * @return its version
   */
  static int checkHead(byte[] head, String file) throws IOException {
    if (head.length < HEAD_BYTES || !Arrays.equals(head, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new ViewFormatException(
          file + " is no recorded view: it does not start with rORAMvw1; --record makes one");
    }
    ByteBuffer in = ByteBuffer.wrap(head);
    if (in.getInt(CRC_OFFSET) != crc(head)) {
      throw corrupt(file, "the checksum of its head is wrong");
    }
    int version = Short.toUnsignedInt(in.getShort(VERSION_OFFSET));
    if (version < OLDEST_VERSION || version > VERSION) {
      throw new ViewVersionException(
          file
              + " is of format version "
              + version
              + (version < OLDEST_VERSION ? ", too old" : ", too new")
              + ": this version of roram reads "
              + OLDEST_VERSION
              + " to "
              + VERSION
              + (version < OLDEST_VERSION ? "; record it again" : "; use a newer roram"));
    }
    return version;
  }

  static ViewFormatException corrupt(String file, String reason) {
    return new ViewFormatException(file + " is corrupt: " + reason + "; record it again");
  }

  private static int crc(byte[] head) {
    CRC32C crc = new CRC32C();
    crc.update(head, 0, CRC_OFFSET);
    return (int) crc.getValue();
  }

  static void writeConfig(DataOutput out, OramConfig config) throws IOException {
    writeText(out, config.scheme());
    out.writeLong(config.blocks());
    out.writeInt(config.blockBytes());
    Map<String, String> settings = config.parameters().settings();
    out.writeShort(settings.size());
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      writeText(out, setting.getKey());
      writeText(out, setting.getValue());
    }
  }

  /**
   * Reads what {@link #writeConfig} wrote.
   *
   * @throws ConfigurationException if it is impossible, or no jar at hand has the scheme
   */
  static OramConfig readConfig(DataInput in) throws IOException {
    String scheme = readText(in);
    OramConfig.Builder builder =
        OramConfig.builder(in.readLong()).scheme(scheme).blockBytes(in.readInt());
    for (int left = in.readUnsignedShort(); left > 0; left--) {
      builder.set(readText(in), readText(in));
    }
    return builder.build();
  }

  /** Up to 255 characters of ASCII. */
  static void writeText(DataOutput out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length > 255) {
      throw new IllegalArgumentException("name has " + bytes.length + " characters, more than 255");
    }
    out.writeByte(bytes.length);
    out.write(bytes);
  }

  static String readText(DataInput in) throws IOException {
    byte[] bytes = new byte[in.readUnsignedByte()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
