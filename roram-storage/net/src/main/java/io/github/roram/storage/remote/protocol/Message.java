package io.github.roram.storage.remote.protocol;

import io.github.roram.ConfigurationException;
import io.github.roram.store.StoreParts;
import io.github.roram.store.StoreParts.Part;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What client and server say besides a read's or write's extents ({@link ExtentsDescriptor}) and
 * data: the payloads of frames, each with its layout. Numbers are big-endian; text is a 16-bit
 * length in bytes and UTF-8.
 */
public sealed interface Message {

  /** Appends the payload. */
  void encode(ByteBuf out);

  /** Returns the payload, in a buffer of its own on the heap. */
  default ByteBuf payload() {
    ByteBuf out = Unpooled.buffer();
    encode(out);
    return out;
  }

  /**
   * The first message of a client.
   *
   * <pre>
   *  u16 oldest version | u16 newest version | u32 max payload bytes of a frame | u16 n | n bytes token
   * </pre>
   *
   * @param oldestVersion oldest version that the client supports
   * @param newestVersion newest version that the client supports
   * @param maxPayloadBytes longest payload that the client accepts
   * @param token proves the client's identity if a certificate does not; may be empty
   */
  @SuppressWarnings("ArrayRecordComponent") // equals and hashCode know
  record Hello(int oldestVersion, int newestVersion, int maxPayloadBytes, byte[] token)
      implements Message {

    /** Longest token in bytes. */
    public static final int MAX_TOKEN_BYTES = 1024;

    /**
     * Returns the token of a client: the first line of a file; empty without a file.
     *
     * @throws ConfigurationException if the line is not a token
     */
    public static byte[] tokenIn(@Nullable Path file) throws IOException {
      if (file == null) {
        return new byte[0];
      }
      byte[] token =
          Files.readString(file, StandardCharsets.UTF_8)
              .lines()
              .findFirst()
              .orElse("")
              .strip()
              .getBytes(StandardCharsets.UTF_8);
      if (token.length == 0 || token.length > MAX_TOKEN_BYTES) {
        throw new ConfigurationException(
            "token in "
                + file
                + " has "
                + token.length
                + " bytes, must have 1 to "
                + MAX_TOKEN_BYTES);
      }
      return token;
    }

    @Override
    public void encode(ByteBuf out) {
      out.writeShort(oldestVersion).writeShort(newestVersion).writeInt(maxPayloadBytes);
      out.writeShort(token.length).writeBytes(token);
    }

    /** Takes the payload. */
    public static Hello decode(ByteBuf in) throws ProtocolException {
      Text.require(in, 10);
      int oldest = in.readUnsignedShort();
      int newest = in.readUnsignedShort();
      int maxPayload = in.readInt();
      int tokenBytes = in.readUnsignedShort();
      if (tokenBytes > MAX_TOKEN_BYTES) {
        throw new ProtocolException(
            "token of " + tokenBytes + " bytes, at most " + MAX_TOKEN_BYTES + " are allowed");
      }
      Text.require(in, tokenBytes);
      byte[] token = new byte[tokenBytes];
      in.readBytes(token);
      Text.requireEnd(in);
      return new Hello(oldest, newest, maxPayload, token);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Hello that
          && oldestVersion == that.oldestVersion
          && newestVersion == that.newestVersion
          && maxPayloadBytes == that.maxPayloadBytes
          && Arrays.equals(token, that.token);
    }

    @Override
    public int hashCode() {
      return newestVersion;
    }

    /** Returns a text without the token. */
    @Override
    public String toString() {
      return "hello of versions " + oldestVersion + " to " + newestVersion;
    }
  }

  /**
   * How a server accepts a client.
   *
   * <pre>
   *  u16 version | u32 max payload bytes | u64 max request bytes | u32 max extents | u64 server id
   * </pre>
   *
   * @param version the version that both speak from now on
   * @param maxPayloadBytes longest payload of a frame, either way
   * @param maxRequestBytes most bytes that one read or write may transfer
   * @param maxExtents most extents of one read or write
   * @param serverId a number of this server process
   */
  record Welcome(
      int version, int maxPayloadBytes, long maxRequestBytes, int maxExtents, long serverId)
      implements Message {

    private static final int BYTES = 26;

    /** Shortest payload that both sides must be able to take. */
    public static final int MIN_PAYLOAD_BYTES = 4096;

    @Override
    public void encode(ByteBuf out) {
      out.writeShort(version).writeInt(maxPayloadBytes).writeLong(maxRequestBytes);
      out.writeInt(maxExtents).writeLong(serverId);
    }

    /** Takes the payload. */
    public static Welcome decode(ByteBuf in) throws ProtocolException {
      Text.require(in, BYTES);
      Welcome welcome =
          new Welcome(
              in.readUnsignedShort(), in.readInt(), in.readLong(), in.readInt(), in.readLong());
      Text.requireEnd(in);
      if (welcome.maxPayloadBytes < MIN_PAYLOAD_BYTES
          || welcome.maxRequestBytes <= 0
          || welcome.maxExtents <= 0) {
        throw new ProtocolException("limits of the server make no sense: " + welcome);
      }
      return welcome;
    }
  }

  /**
   * Why a request failed: {@code u16 code | text}.
   *
   * @param code the kind of error
   * @param message for people; at most {@value #MAX_MESSAGE_BYTES} bytes
   */
  record Failure(ErrorCode code, String message) implements Message {

    /** Longest message in bytes. */
    public static final int MAX_MESSAGE_BYTES = 1000;

    @Override
    public void encode(ByteBuf out) {
      out.writeShort(code.code());
      Text.write(out, message, MAX_MESSAGE_BYTES);
    }

    /** Takes the payload. */
    public static Failure decode(ByteBuf in) throws ProtocolException {
      Text.require(in, Short.BYTES);
      ErrorCode code = ErrorCode.of(in.readUnsignedShort());
      String message = Text.read(in, MAX_MESSAGE_BYTES);
      Text.requireEnd(in);
      return new Failure(code, message);
    }
  }

  /**
   * Which volume to create: {@code text name | u64 capacity bytes | u64 creation id}.
   *
   * @param name of the volume
   * @param capacityBytes size of its address space
   * @param creationId a random number of the client's: a creation that is repeated with it, because
   *     its answer was lost, succeeds again
   */
  record VolumeCreate(String name, long capacityBytes, long creationId) implements Message {

    @Override
    public void encode(ByteBuf out) {
      Text.write(out, name, VolumeName.MAX_NAME_BYTES);
      out.writeLong(capacityBytes).writeLong(creationId);
    }

    /** Takes the payload. */
    public static VolumeCreate decode(ByteBuf in) throws ProtocolException {
      String name = Text.read(in, VolumeName.MAX_NAME_BYTES);
      Text.require(in, 2 * Long.BYTES);
      VolumeCreate volume = new VolumeCreate(name, in.readLong(), in.readLong());
      Text.requireEnd(in);
      return volume;
    }
  }

  /**
   * Which volume to look at or delete: {@code text}.
   *
   * @param name of the volume
   */
  record VolumeName(String name) implements Message {

    /** Longest name in bytes. */
    public static final int MAX_NAME_BYTES = 64;

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

    /** Returns whether a volume may have this name. */
    public static boolean isValid(String name) {
      return NAME.matcher(name).matches();
    }

    @Override
    public void encode(ByteBuf out) {
      Text.write(out, name, MAX_NAME_BYTES);
    }

    /** Takes the payload. */
    public static VolumeName decode(ByteBuf in) throws ProtocolException {
      VolumeName volume = new VolumeName(Text.read(in, MAX_NAME_BYTES));
      Text.requireEnd(in);
      return volume;
    }
  }

  /**
   * Asks for the lease of a volume: {@code text name | text holder | 16 bytes lease token | u8
   * mode}.
   *
   * <p>The client chooses the token. So a lost answer does no harm: a client that repeats the
   * request with the token of its own lease gets that lease.
   *
   * @param name name of the volume
   * @param holder name of the client, for others to read
   * @param token token of the lease, not {@link LeaseToken#NONE}
   * @param mode what to do if the token is not that of the volume's lease
   */
  record VolumeOpen(String name, String holder, LeaseToken token, Mode mode) implements Message {

    /** Longest text about the holder, in bytes. */
    public static final int MAX_HOLDER_BYTES = 128;

    /** What to do about a lease under another token. */
    public enum Mode {
      /** Refuse: this client had the lease, and another client has it now. */
      RESUME(0),
      /** Grant a new lease, unless another client holds the volume. */
      ACQUIRE(1),
      /** Grant a new lease, whoever holds the volume. */
      TAKE_OVER(2);

      private final int code;

      Mode(int code) {
        this.code = code;
      }

      private static Mode of(int code) throws ProtocolException {
        for (Mode mode : values()) {
          if (mode.code == code) {
            return mode;
          }
        }
        throw new ProtocolException("mode of opening is " + code + ", must be 0 to 2");
      }
    }

    @Override
    public void encode(ByteBuf out) {
      Text.write(out, name, VolumeName.MAX_NAME_BYTES);
      Text.write(out, holder, MAX_HOLDER_BYTES);
      token.encode(out);
      out.writeByte(mode.code);
    }

    /** Takes the payload. */
    public static VolumeOpen decode(ByteBuf in) throws ProtocolException {
      String name = Text.read(in, VolumeName.MAX_NAME_BYTES);
      String holder = Text.read(in, MAX_HOLDER_BYTES);
      LeaseToken token = LeaseToken.decode(in);
      Text.require(in, 1);
      Mode mode = Mode.of(in.readUnsignedByte());
      Text.requireEnd(in);
      if (token.equals(LeaseToken.NONE)) {
        throw new ProtocolException("a lease needs a token that is not zero");
      }
      return new VolumeOpen(name, holder, token, mode);
    }
  }

  /**
   * The lease of a volume: {@code u64 capacity bytes | 16 bytes lease token | u64 fencing number |
   * u64 verifier | u8 n | n × watermark}.
   *
   * @param capacityBytes size of the address space
   * @param token to go on with after a lost connection
   * @param fencing number of the lease; a later lease has a higher one
   * @param verifier changes when writes that were not synced may be lost
   * @param watermarks those that the volume has, at most 255
   */
  record VolumeOpened(
      long capacityBytes, LeaseToken token, long fencing, long verifier, List<byte[]> watermarks)
      implements Message {

    @Override
    public void encode(ByteBuf out) {
      out.writeLong(capacityBytes);
      token.encode(out);
      out.writeLong(fencing).writeLong(verifier).writeByte(watermarks.size());
      watermarks.forEach(out::writeBytes);
    }

    /** Takes the payload. */
    public static VolumeOpened decode(ByteBuf in) throws ProtocolException {
      Text.require(in, Long.BYTES);
      long capacity = in.readLong();
      LeaseToken token = LeaseToken.decode(in);
      Text.require(in, 2 * Long.BYTES + 1);
      long fencing = in.readLong();
      long verifier = in.readLong();
      List<byte[]> watermarks = new ArrayList<>();
      for (int left = in.readUnsignedByte(); left > 0; left--) {
        watermarks.add(CarriedWatermark.take(in));
      }
      VolumeOpened opened = new VolumeOpened(capacity, token, fencing, verifier, watermarks);
      Text.requireEnd(in);
      if (capacity <= 0) {
        throw new ProtocolException("volume of " + capacity + " bytes");
      }
      return opened;
    }
  }

  /**
   * Facts about a volume: {@code u64 capacity bytes | u8 held}.
   *
   * @param capacityBytes size of the address space
   * @param held whether a client holds its lease
   */
  record VolumeInfo(long capacityBytes, boolean held) implements Message {

    @Override
    public void encode(ByteBuf out) {
      out.writeLong(capacityBytes).writeByte(held ? 1 : 0);
    }

    /** Takes the payload. */
    public static VolumeInfo decode(ByteBuf in) throws ProtocolException {
      Text.require(in, Long.BYTES + 1);
      VolumeInfo info = new VolumeInfo(in.readLong(), in.readByte() != 0);
      Text.requireEnd(in);
      return info;
    }
  }

  /**
   * How large the open volume is to be: {@code u64 capacity bytes}.
   *
   * @param capacityBytes size of its address space from then on
   */
  record VolumeExtend(long capacityBytes) implements Message {

    @Override
    public void encode(ByteBuf out) {
      out.writeLong(capacityBytes);
    }

    /** Takes the payload. */
    public static VolumeExtend decode(ByteBuf in) throws ProtocolException {
      Text.require(in, Long.BYTES);
      VolumeExtend extend = new VolumeExtend(in.readLong());
      Text.requireEnd(in);
      return extend;
    }
  }

  /**
   * How a client uses the volume that it has open, so that the server can serve it well: {@code u16
   * reads | u32 n | n × ( u64 offset | u64 bytes )}.
   *
   * @param reads number of reads to answer concurrently, at least 1
   * @param parts parts to keep in the server's memory as far as possible, most frequently read
   *     first: the top levels of the trees. They do not overlap
   */
  record VolumeUse(int reads, List<Part> parts) implements Message {

    /** Most reads that a client may ask for. */
    public static final int MAX_READS = 0xffff;

    private static final int HEAD_BYTES = Short.BYTES + Integer.BYTES;
    private static final int PART_BYTES = 2 * Long.BYTES;

    /** Nothing is known: the server need not be told. */
    public static final VolumeUse UNKNOWN = new VolumeUse(1, List.of());

    /** Copies the list. */
    public VolumeUse {
      parts = List.copyOf(parts);
    }

    @Override
    public void encode(ByteBuf out) {
      out.writeShort(reads).writeInt(parts.size());
      for (Part part : parts) {
        out.writeLong(part.offset()).writeLong(part.bytes());
      }
    }

    /** Returns this use with at least {@code newReads} concurrent reads. */
    public VolumeUse withReads(int newReads) {
      return new VolumeUse(Math.min(Math.max(reads, newReads), MAX_READS), parts);
    }

    /** Returns this use with the parts of a store, most frequently read first. */
    public VolumeUse withParts(StoreParts of, long capacityBytes) {
      return new VolumeUse(reads, of.inOrder(capacityBytes));
    }

    /** Returns this use with as many of the first parts as fit a payload. */
    public VolumeUse within(int maxPayloadBytes) {
      int most = Math.min(parts.size(), (maxPayloadBytes - HEAD_BYTES) / PART_BYTES);
      return new VolumeUse(reads, parts.subList(0, most));
    }

    /** Takes the payload. Nothing is allocated before its length is known to be right. */
    public static VolumeUse decode(ByteBuf in) throws ProtocolException {
      Text.require(in, HEAD_BYTES);
      int reads = in.readUnsignedShort();
      int count = in.readInt();
      if (reads == 0 || count < 0) {
        throw new ProtocolException(reads + " reads at a time and " + count + " parts");
      }
      Text.require(in, (long) count * PART_BYTES);
      List<Part> parts = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        long offset = in.readLong();
        long bytes = in.readLong();
        if (offset < 0 || bytes <= 0 || offset > Long.MAX_VALUE - bytes) {
          throw new ProtocolException("part of " + bytes + " bytes at " + offset);
        }
        parts.add(new Part(offset, bytes));
      }
      Text.requireEnd(in);
      return new VolumeUse(reads, parts);
    }
  }

  /**
   * What a server does for the use of a volume ({@link VolumeUse}): {@code u16 reads | u64 cached
   * bytes}.
   *
   * @param reads how many reads of the connection it answers at the same time
   * @param cachedBytes how much of the volume it has in memory
   */
  record VolumeService(int reads, long cachedBytes) implements Message {

    @Override
    public void encode(ByteBuf out) {
      out.writeShort(reads).writeLong(cachedBytes);
    }

    /** Takes the payload. */
    public static VolumeService decode(ByteBuf in) throws ProtocolException {
      Text.require(in, Short.BYTES + Long.BYTES);
      VolumeService service = new VolumeService(in.readUnsignedShort(), in.readLong());
      Text.requireEnd(in);
      if (service.reads() == 0 || service.cachedBytes() < 0) {
        throw new ProtocolException(
            service.reads() + " reads at a time, " + service.cachedBytes() + " bytes in memory");
      }
      return service;
    }
  }
}
