package io.github.roram.nbd;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of the handshake, fixed newstyle (NBD protocol, "Fixed newstyle negotiation"); big
 * endian.
 *
 * <pre>
 *   greeting, server               flags, client
 *    0  magic "NBDMAGIC"    8       0  flags    u32
 *    8  magic "IHAVEOPT"    8
 *   16  flags             u16
 *
 *   option, client                 reply, server
 *    0  magic "IHAVEOPT"    8       0  magic 0x3e889045565a9  u64
 *    8  option            u32       8  option                 u32
 *   12  length n          u32      12  kind                   u32
 *   16  data                n      16  length n               u32
 *                                  20  data                     n
 *
 *   end of EXPORT_NAME, server     data of a reply INFO
 *    0  bytes             u64       0  kind of information    u16
 *    8  flags             u16       2  the information
 *   10  zeros             124
 * </pre>
 *
 * The zeros are left out where both sides say so.
 */
final class HandshakeDescriptor {

  static final int FLAGS_BYTES = 4;
  static final int OPTION_BYTES = 16;

  static final int FIXED_NEWSTYLE = 1;
  static final int NO_ZEROES = 2;

  static final int OPT_EXPORT_NAME = 1;
  static final int OPT_ABORT = 2;
  static final int OPT_LIST = 3;
  static final int OPT_STARTTLS = 5;
  static final int OPT_INFO = 6;
  static final int OPT_GO = 7;
  static final int OPT_STRUCTURED_REPLY = 8;

  static final int REP_ACK = 1;
  static final int REP_SERVER = 2;
  static final int REP_INFO = 3;
  static final int REP_ERR_UNSUP = 0x80000001;
  static final int REP_ERR_POLICY = 0x80000002;
  static final int REP_ERR_INVALID = 0x80000003;
  static final int REP_ERR_TLS_REQD = 0x80000005;
  static final int REP_ERR_UNKNOWN = 0x80000006;

  static final int INFO_EXPORT = 0;
  static final int INFO_NAME = 1;
  static final int INFO_DESCRIPTION = 2;
  static final int INFO_BLOCK_SIZE = 3;

  static final long OPTION_MAGIC = 0x49484156454f5054L;

  private static final long GREETING_MAGIC = 0x4e42444d41474943L;
  private static final long REPLY_MAGIC = 0x3e889045565a9L;
  private static final int REPLY_BYTES = 20;
  private static final int ZEROS = 124;

  private HandshakeDescriptor() {}

  static ByteBuffer greeting() {
    return ByteBuffer.allocate(18)
        .putLong(GREETING_MAGIC)
        .putLong(OPTION_MAGIC)
        .putShort((short) (FIXED_NEWSTYLE | NO_ZEROES))
        .flip();
  }

  static ByteBuffer reply(int option, int kind, byte[] data) {
    return ByteBuffer.allocate(REPLY_BYTES + data.length)
        .putLong(REPLY_MAGIC)
        .putInt(option)
        .putInt(kind)
        .putInt(data.length)
        .put(data)
        .flip();
  }

  /** Data of a reply SERVER. */
  static byte[] server(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(4 + bytes.length).putInt(bytes.length).put(bytes).array();
  }

  static byte[] infoExport(long bytes, int flags) {
    return ByteBuffer.allocate(12)
        .putShort((short) INFO_EXPORT)
        .putLong(bytes)
        .putShort((short) flags)
        .array();
  }

  static byte[] infoBlockSize(int least, int preferred, int most) {
    return ByteBuffer.allocate(14)
        .putShort((short) INFO_BLOCK_SIZE)
        .putInt(least)
        .putInt(preferred)
        .putInt(most)
        .array();
  }

  /** Returns a name or a description. */
  static byte[] infoText(int kind, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(2 + bytes.length).putShort((short) kind).put(bytes).array();
  }

  static ByteBuffer exportNameEnd(long bytes, int flags, boolean zeros) {
    ByteBuffer end = ByteBuffer.allocate(10 + (zeros ? ZEROS : 0));
    end.putLong(bytes).putShort((short) flags);
    return end.rewind();
  }
}
