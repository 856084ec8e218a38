package io.github.roram.netserver;

import io.github.roram.storage.remote.protocol.LeaseToken;
import io.github.roram.store.ClientVault;
import io.github.roram.store.Crc32c;
import io.github.roram.store.PrintableText;
import io.github.roram.store.StoreDamagedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The server's record of a volume.
 *
 * <pre>
 *  0        8         12        20        28            36           44
 *  +--------+---------+---------+---------+-------------+------------+--------+-------+---------+-----+
 *  | magic  | version | created | fencing | token, high | token, low | holder | owner | charged | CRC |
 *  +--------+---------+---------+---------+-------------+------------+--------+-------+---------+-----+
 * </pre>
 *
 * Numbers are big-endian. Holder and owner are each a 16-bit length in bytes and UTF-8; the CRC-32C
 * covers all bytes before it. Version 1 has neither owner nor charged bytes: such volumes count for
 * nobody.
 *
 * @param creationId the client's id of the creation
 * @param fencing number of the latest lease; 0 before the first
 * @param token token of the latest lease; {@link LeaseToken#NONE} once it was given back
 * @param holder name of the lease's holder
 * @param owner name of the identity that created the volume; empty if unknown
 * @param chargedBytes bytes that count against the owner's limit
 */
record VolumeRecordDescriptor(
    long creationId,
    long fencing,
    LeaseToken token,
    String holder,
    String owner,
    long chargedBytes) {

  static final int VERSION = 2;

  /** The record of a volume without a lease or a known owner. */
  static final VolumeRecordDescriptor NONE =
      new VolumeRecordDescriptor(0, 0, LeaseToken.NONE, "", "", 0);

  private static final int VERSION_WITHOUT_OWNER = 1;
  private static final String RECORD = "lease";
  private static final byte[] MAGIC = "RORAMVOL".getBytes(StandardCharsets.US_ASCII);
  private static final int FIXED_BYTES = 56;
  private static final int CRC_BYTES = 4;
  private static final int MAX_BYTES = 4096;

  /** Returns the record of a new volume. */
  static VolumeRecordDescriptor created(long creationId, ClientIdentity owner, long chargedBytes) {
    return new VolumeRecordDescriptor(
        creationId, 0, LeaseToken.NONE, "", owner.name(), chargedBytes);
  }

  /** Returns this record with the next lease. */
  VolumeRecordDescriptor leasedTo(LeaseToken newToken, String newHolder) {
    return new VolumeRecordDescriptor(
        creationId, fencing + 1, newToken, newHolder, owner, chargedBytes);
  }

  /** Returns this record after the lease was given back. */
  VolumeRecordDescriptor released() {
    return new VolumeRecordDescriptor(
        creationId, fencing, LeaseToken.NONE, "", owner, chargedBytes);
  }

  /** Returns this record with other charged bytes. */
  VolumeRecordDescriptor charged(long bytes) {
    return new VolumeRecordDescriptor(creationId, fencing, token, holder, owner, bytes);
  }

  byte[] encode() {
    byte[] holderText = holder.getBytes(StandardCharsets.UTF_8);
    byte[] ownerText = owner.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out =
        ByteBuffer.allocate(FIXED_BYTES + holderText.length + ownerText.length + CRC_BYTES);
    out.put(MAGIC).putInt(VERSION).putLong(creationId).putLong(fencing);
    out.putLong(token.high()).putLong(token.low());
    out.putShort((short) holderText.length).put(holderText);
    out.putShort((short) ownerText.length).put(ownerText);
    out.putLong(chargedBytes);
    return out.putInt(Crc32c.of(out.array(), 0, out.position())).array();
  }

  static VolumeRecordDescriptor decode(byte[] content, String volume) throws StoreDamagedException {
    int bytes = content.length - CRC_BYTES;
    ByteBuffer in = ByteBuffer.wrap(content);
    if (bytes < MAGIC.length + Integer.BYTES
        || !Arrays.equals(content, 0, MAGIC.length, MAGIC, 0, MAGIC.length)
        || in.getInt(bytes) != Crc32c.of(content, 0, bytes)) {
      throw corrupt(volume);
    }
    int version = in.position(MAGIC.length).limit(bytes).getInt();
    if (version != VERSION && version != VERSION_WITHOUT_OWNER) {
      throw new StoreDamagedException(
          "the lease record of volume "
              + volume
              + " is of version "
              + version
              + ", known are 1 and 2: use a newer server");
    }
    try {
      return decode(in, version == VERSION);
    } catch (BufferUnderflowException e) {
      throw corrupt(volume);
    }
  }

  private static VolumeRecordDescriptor decode(ByteBuffer in, boolean hasOwner) {
    long creationId = in.getLong();
    long fencing = in.getLong();
    LeaseToken token = new LeaseToken(in.getLong(), in.getLong());
    String holder = PrintableText.of(text(in)); // records of version 1 may hold anything
    String owner = hasOwner ? text(in) : "";
    long chargedBytes = hasOwner ? in.getLong() : 0;
    return new VolumeRecordDescriptor(creationId, fencing, token, holder, owner, chargedBytes);
  }

  private static String text(ByteBuffer in) {
    byte[] text = new byte[Short.toUnsignedInt(in.getShort())];
    in.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  private static StoreDamagedException corrupt(String volume) {
    return new StoreDamagedException(
        "the lease record of volume " + volume + " is corrupt: restore it from a copy");
  }

  /** Saves the record durably, in place of the previous one. */
  void save(ClientVault vault) throws IOException {
    byte[] content = encode();
    vault.save(RECORD, out -> out.write(content));
  }

  /** Loads the record; {@link #NONE} if there is none. */
  static VolumeRecordDescriptor load(ClientVault vault, String volume) throws IOException {
    var record = vault.load(RECORD);
    if (record.isEmpty()) {
      return NONE;
    }
    try (InputStream in = record.get()) {
      return decode(in.readNBytes(MAX_BYTES), volume);
    }
  }
}
