package io.github.roram.proxy.protocol;

import io.github.roram.engine.AccessLimits;
import io.github.roram.storage.remote.protocol.ProtocolException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The payload of a request for scattered blocks, in one access; big endian.
 *
 * <pre>
 *   0  blocks n, 1 to 16           u16
 *   2  1 if it writes, or 0        u16
 *   4  their numbers               n u64
 *      if it writes:
 *      SHA-256 of what each is expected to be    n times 32 bytes
 *      what each becomes                         n blocks
 * </pre>
 *
 * <p>It writes all blocks if all are as expected, or else none. The answer: 1 if it wrote, or 0, in
 * a u32, and the n blocks as they were before.
 *
 * @param blocks their numbers
 * @param expected SHA-256 of each, one after another; empty if it reads
 * @param contents what they become; empty if it reads
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record ScatteredDescriptor(long[] blocks, byte[] expected, ByteBuffer contents) {

  private static final int HEAD_BYTES = 4;
  private static final int HASH_BYTES = 32;

  /** Bytes of an answer before the blocks. */
  public static final int ANSWER_HEAD_BYTES = 4;

  /** Returns a payload that reads blocks. */
  public static ScatteredDescriptor reading(long[] blocks) {
    return new ScatteredDescriptor(blocks, new byte[0], ByteBuffer.allocate(0));
  }

  /**
   * Returns a payload that writes blocks.
   *
   * @param before expected content of the blocks, one after another
   * @param after new content of the blocks
   */
  public static ScatteredDescriptor writing(long[] blocks, ByteBuffer before, ByteBuffer after) {
    ByteBuffer expected = ByteBuffer.allocate(blocks.length * HASH_BYTES);
    int blockBytes = before.remaining() / blocks.length;
    for (int i = 0; i < blocks.length; i++) {
      expected.put(hash(before.slice(before.position() + i * blockBytes, blockBytes)));
    }
    return new ScatteredDescriptor(blocks, expected.array(), after);
  }

  /** Returns whether the access writes. */
  public boolean writes() {
    return contents.hasRemaining();
  }

  /** Returns whether a block has the expected content. */
  public boolean isAsExpected(int index, ByteBuffer block) {
    byte[] hash = Arrays.copyOfRange(expected, index * HASH_BYTES, (index + 1) * HASH_BYTES);
    return MessageDigest.isEqual(hash(block.duplicate()), hash);
  }

  /** Returns the new content of a block. */
  public ByteBuffer content(int index) {
    int blockBytes = contents.remaining() / blocks.length;
    return contents.slice(contents.position() + index * blockBytes, blockBytes);
  }

  private static byte[] hash(ByteBuffer block) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(block);
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }

  /** Returns the bytes of the longest payload. */
  public static long mostBytes(int blockBytes) {
    return HEAD_BYTES + AccessLimits.MOST_SCATTERED * ((long) Long.BYTES + HASH_BYTES + blockBytes);
  }

  /** Returns the bytes of the blocks of an answer to a payload of this many bytes, at most. */
  public static long mostAnswered(int payloadBytes, int blockBytes) {
    long blocks = Math.min(AccessLimits.MOST_SCATTERED, payloadBytes / Long.BYTES);
    return ANSWER_HEAD_BYTES + blocks * blockBytes;
  }

  /** Returns the payload's bytes. */
  public ByteBuffer encode() {
    int bytes = HEAD_BYTES + blocks.length * Long.BYTES + expected.length + contents.remaining();
    ByteBuffer out =
        ByteBuffer.allocate(bytes)
            .putShort((short) blocks.length)
            .putShort((short) (writes() ? 1 : 0));
    for (long block : blocks) {
      out.putLong(block);
    }
    return out.put(expected).put(contents.duplicate()).flip();
  }

  /**
   * Decodes a payload from the rest of a buffer, which it keeps.
   *
   * @throws ProtocolException if it is not a valid payload for blocks of {@code blockBytes} bytes
   */
  public static ScatteredDescriptor decode(ByteBuffer in, int blockBytes) throws ProtocolException {
    int bytes = in.remaining();
    int count = bytes < HEAD_BYTES ? 0 : in.getShort() & 0xFFFF;
    int writes = bytes < HEAD_BYTES ? 0 : in.getShort() & 0xFFFF;
    long each = writes == 0 ? Long.BYTES : Long.BYTES + HASH_BYTES + (long) blockBytes;
    if (count < 1
        || count > AccessLimits.MOST_SCATTERED
        || writes > 1
        || bytes != HEAD_BYTES + count * each) {
      throw new ProtocolException(
          "a request of " + bytes + " bytes for " + count + " scattered blocks makes no sense");
    }
    long[] blocks = new long[count];
    for (int i = 0; i < count; i++) {
      blocks[i] = in.getLong();
    }
    byte[] expected = new byte[writes * count * HASH_BYTES];
    in.get(expected);
    return new ScatteredDescriptor(blocks, expected, in.slice());
  }
}
