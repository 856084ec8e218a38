package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.LeaseToken;
import io.github.roram.store.ClientVault;
import io.github.roram.store.StoreDamagedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What the server remembers of a volume.
 *
 * <pre>
 *  0        8         12        20        28            36           44       46
 *  +--------+---------+---------+---------+-------------+------------+--------+--------+-----+
 *  | magic  | version | created | fencing | token, high | token, low | length | holder | CRC |
 *  +--------+---------+---------+---------+-------------+------------+--------+--------+-----+
 * </pre>
 *
 * Numbers are big-endian. The holder is UTF-8; the CRC-32C covers all bytes before it.
 *
 * @param creationId what the client called the creation
 * @param fencing number of the latest lease; 0 before the first
 * @param token of the latest lease, {@link LeaseToken#NONE} once it was given back
 * @param holder who has it
 */
record VolumeRecordDescriptor(long creationId, long fencing, LeaseToken token, String holder) {

  static final int VERSION = 1;

  private static final String RECORD = "lease";
  private static final byte[] MAGIC = "RORAMVOL".getBytes(StandardCharsets.US_ASCII);
  private static final int FIXED_BYTES = 46;
  private static final int CRC_BYTES = 4;
  private static final int MAX_BYTES = 4096;

  byte[] encode() {
    byte[] text = holder.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + text.length + CRC_BYTES);
    out.put(MAGIC).putInt(VERSION).putLong(creationId).putLong(fencing);
    out.putLong(token.high()).putLong(token.low()).putShort((short) text.length).put(text);
    return out.putInt(crc(out.array(), out.position())).array();
  }

  static VolumeRecordDescriptor decode(byte[] content, String volume) throws StoreDamagedException {
    int textBytes = content.length - FIXED_BYTES - CRC_BYTES;
    ByteBuffer in = ByteBuffer.wrap(content);
    if (textBytes < 0
        || !Arrays.equals(content, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
        || in.getInt(content.length - CRC_BYTES) != crc(content, content.length - CRC_BYTES)) {
      throw new StoreDamagedException(
          "the lease record of volume " + volume + " is corrupt: restore it from a copy");
    }
    int version = in.position(MAGIC.length).getInt();
    if (version != VERSION) {
      throw new StoreDamagedException(
          "the lease record of volume "
              + volume
              + " is of version "
              + version
              + ", only 1 is known: use a newer server");
    }
    long creationId = in.getLong();
    long fencing = in.getLong();
    LeaseToken token = new LeaseToken(in.getLong(), in.getLong());
    in.getShort();
    byte[] text = new byte[textBytes];
    in.get(text);
    return new VolumeRecordDescriptor(
        creationId, fencing, token, new String(text, StandardCharsets.UTF_8));
  }

  /** Replaces the record, durably. */
  void save(ClientVault vault) throws IOException {
    byte[] content = encode();
    vault.save(RECORD, out -> out.write(content));
  }

  /** The record, or one of a volume that had no lease yet. */
  static VolumeRecordDescriptor load(ClientVault vault, String volume) throws IOException {
    var record = vault.load(RECORD);
    if (record.isEmpty()) {
      return new VolumeRecordDescriptor(0, 0, LeaseToken.NONE, "");
    }
    try (InputStream in = record.get()) {
      return decode(in.readNBytes(MAX_BYTES), volume);
    }
  }

  private static int crc(byte[] content, int bytes) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, bytes);
    return (int) crc.getValue();
  }
}
