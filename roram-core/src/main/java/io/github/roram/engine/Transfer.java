package io.github.roram.engine;

import java.nio.ByteBuffer;

/**
 * What an access does with its blocks while the client holds them: it copies bytes out of them into
 * a buffer, or lays the bytes of a buffer over them. The bytes may begin within the first block and
 * end within the last one; what lies around them stays as it is.
 *
 * <p>Blocks may be moved in any order and again: the buffer's position is not used before {@link
 * #finish}, so an access that failed can be repeated as it stands. Without payload nothing moves.
 *
 * <p>Not thread safe.
 */
public final class Transfer {

  private static final byte[] ZEROS = new byte[4096];

  private final int block;
  private final int blocks;
  private final boolean writes;
  private final ByteBuffer buffer;

  /** Index in the buffer of the first byte of the first block, were that block there whole. */
  private final long base;

  private final int start;
  private final int end;
  private final int blockBytes;
  private final int heldBytes;

  private Transfer(OramContext context, long offset, int bytes, ByteBuffer buffer, boolean writes) {
    blockBytes = context.config().blockBytes();
    heldBytes = context.heldBlockBytes();
    block = (int) (offset / blockBytes);
    blocks = (int) ((offset + bytes - 1) / blockBytes) - block + 1;
    this.buffer = buffer;
    this.writes = writes;
    start = buffer.position();
    end = start + bytes;
    base = start - offset % blockBytes;
  }

  /**
   * Copies {@code bytes} bytes, at least one, from byte {@code offset} of the ORAM on to where a
   * buffer stands.
   */
  public static Transfer outOf(OramContext context, long offset, int bytes, ByteBuffer target) {
    return new Transfer(context, offset, bytes, target, false);
  }

  /**
   * Lays {@code bytes} bytes, at least one, of a buffer from where it stands over those of the ORAM
   * from byte {@code offset} on.
   */
  public static Transfer into(OramContext context, long offset, int bytes, ByteBuffer source) {
    return new Transfer(context, offset, bytes, source, true);
  }

  /** The first block. */
  public int block() {
    return block;
  }

  /** Number of blocks, those included of which a part is moved. */
  public int blocks() {
    return blocks;
  }

  /** Whether all bytes of a block are moved, so that what it held before does not matter. */
  public boolean isWhole(int address) {
    long blockStart = blockStart(address);
    return blockStart >= start && blockStart + blockBytes <= end;
  }

  /** Whether the blocks are changed. */
  public boolean writes() {
    return writes;
  }

  /**
   * Moves the bytes of one block.
   *
   * @param address one of the blocks
   * @param array holds it, from {@code offset} on
   */
  public void move(int address, byte[] array, int offset) {
    if (heldBytes == 0) {
      return;
    }
    long blockStart = blockStart(address);
    int from = from(blockStart);
    int within = offset + (int) (from - blockStart);
    int bytes = to(blockStart) - from;
    if (writes) {
      buffer.get(from, array, within, bytes);
    } else {
      buffer.put(from, array, within, bytes);
    }
  }

  /** Moves the bytes of a block that was never written, out of it: zeros. */
  public void moveZeros(int address) {
    long blockStart = blockStart(address);
    int from = from(blockStart);
    int bytes = to(blockStart) - from;
    for (int done = 0; done < bytes; done += ZEROS.length) {
      buffer.put(from + done, ZEROS, 0, Math.min(ZEROS.length, bytes - done));
    }
  }

  /** Index in the buffer of the first byte of a block, were that block there whole. */
  private long blockStart(int address) {
    return base + (long) (address - block) * blockBytes;
  }

  private int from(long blockStart) {
    return (int) Math.max(start, blockStart);
  }

  /** Not before {@link #from}. */
  private int to(long blockStart) {
    return (int) Math.max(from(blockStart), Math.min(end, blockStart + heldBytes));
  }

  /** Advances the buffer past the bytes: the access succeeded. */
  public void finish() {
    buffer.position(end);
  }
}
