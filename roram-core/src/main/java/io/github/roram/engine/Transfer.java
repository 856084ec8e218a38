package io.github.roram.engine;

import io.github.roram.BlockProgram;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What an access does with its blocks while the client holds them: it copies bytes out of them into
 * a buffer, or lays the bytes of a buffer over them. The bytes may begin within the first block and
 * end within the last one; what lies around them stays as it is. Blocks may be added that no byte
 * is moved of, so that the access looks like one of more. A block that was trimmed is zeros.
 *
 * <p>Or it is {@linkplain #hasProgram of a program}: then the blocks are anywhere, and are first
 * {@linkplain #take taken}; once all are, the program is {@linkplain #run run}; and then they are
 * moved as those of a write are. Whoever repeats such an access repeats what the program said, not
 * the program.
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
  private final TrimmedBlocks trimmed;

  /** Index in the buffer of the first byte of the first block, were that block there whole. */
  private final long base;

  private final int start;
  private final int end;
  private final int blockBytes;
  private final int heldBytes;

  /** The blocks of a program, in its order, and as many as the access is to look like. */
  private final int @Nullable [] scattered;

  private final int shownBlocks;
  private final @Nullable BlockProgram program;

  /** Whether the buffer has what the program made of the blocks. */
  private boolean hasRun;

  private @Nullable Throwable programFailure;

  private Transfer(Bytes moved, OramContext context, TrimmedBlocks trimmed) {
    blockBytes = context.config().blockBytes();
    heldBytes = context.heldBlockBytes();
    this.trimmed = trimmed;
    long offset = moved.offset();
    int bytes = moved.bytes();
    int touched = (int) ((offset + bytes - 1) / blockBytes - offset / blockBytes) + 1;
    blocks = Math.max(touched, atMostAll(moved.leastBlocks(), context));
    block = (int) Math.min(offset / blockBytes, context.config().blocks() - blocks);
    ByteBuffer buffer = moved.buffer();
    boolean writes = moved.writes();
    this.buffer = buffer;
    this.writes = writes;
    start = buffer.position();
    end = start + bytes;
    base = start - (offset - (long) block * blockBytes);
    scattered = null;
    shownBlocks = blocks;
    program = null;
  }

  private Transfer(
      OramContext context,
      TrimmedBlocks trimmed,
      int[] scattered,
      int leastBlocks,
      BlockProgram program) {
    blockBytes = context.config().blockBytes();
    heldBytes = context.heldBlockBytes();
    this.trimmed = trimmed;
    this.scattered = scattered;
    this.program = program;
    blocks = scattered.length;
    shownBlocks = Math.max(blocks, atMostAll(leastBlocks, context));
    block = scattered[0];
    writes = true;
    start = 0;
    end = blocks * blockBytes;
    buffer = ByteBuffer.allocate(end);
    base = 0;
  }

  /** A longest range is a power of two, and may be longer than the store. */
  private static int atMostAll(int leastBlocks, OramContext context) {
    return (int) Math.min(leastBlocks, context.config().blocks());
  }

  /** What a transfer is of. */
  private record Bytes(
      long offset, int bytes, ByteBuffer buffer, boolean writes, int leastBlocks) {}

  /**
   * Copies {@code bytes} bytes, at least one, from byte {@code offset} of the ORAM on to where a
   * buffer stands.
   *
   * @param leastBlocks of how many blocks the access is at least; those without bytes of the
   *     transfer lie behind it, or before it at the end of the ORAM
   */
  public static Transfer outOf(
      OramContext context,
      TrimmedBlocks trimmed,
      long offset,
      int bytes,
      ByteBuffer target,
      int leastBlocks) {
    return new Transfer(new Bytes(offset, bytes, target, false, leastBlocks), context, trimmed);
  }

  /**
   * Lays {@code bytes} bytes, at least one, of a buffer from where it stands over those of the ORAM
   * from byte {@code offset} on.
   *
   * @param leastBlocks as in {@link #outOf}; blocks without bytes of the transfer stay as they are
   */
  public static Transfer into(
      OramContext context,
      TrimmedBlocks trimmed,
      long offset,
      int bytes,
      ByteBuffer source,
      int leastBlocks) {
    return new Transfer(new Bytes(offset, bytes, source, true, leastBlocks), context, trimmed);
  }

  /**
   * Has a program say what blocks become, wherever they are.
   *
   * @param scattered the blocks, each once
   * @param leastBlocks of how many blocks the access is to look like at least
   */
  public static Transfer of(
      OramContext context,
      TrimmedBlocks trimmed,
      int[] scattered,
      int leastBlocks,
      BlockProgram program) {
    return new Transfer(context, trimmed, scattered, leastBlocks, program);
  }

  /** Whether it is of a program, and its blocks are anywhere: a scheme may refuse such. */
  public boolean hasProgram() {
    return program != null;
  }

  /** Of how many blocks it is to look: at least {@link #blocks}. */
  public int shownBlocks() {
    return shownBlocks;
  }

  /** One of the blocks, in their order. */
  public int address(int index) {
    return scattered == null ? block + index : scattered[index];
  }

  /** The blocks that it may change, ascending; none if it reads. */
  public int[] written() {
    int[] addresses = new int[writes ? blocks : 0];
    Arrays.setAll(addresses, this::address);
    if (scattered != null) {
      Arrays.sort(addresses);
    }
    return addresses;
  }

  /**
   * Copies a block for the program, which gets zeros for one that is not copied.
   *
   * @param address one of the blocks
   * @param array holds it, from {@code offset} on
   */
  public void take(int address, byte[] array, int offset) {
    if (heldBytes > 0 && !hasRun && !trimmed.contains(address)) {
      buffer.put((int) blockStart(address), array, offset, heldBytes);
    }
  }

  /** Runs the program, once: a second time nothing happens. One that fails changes no block. */
  @SuppressWarnings("CatchingUnchecked")
  public void run() {
    if (program == null || hasRun || heldBytes == 0) {
      return;
    }
    ByteBuffer[] pieces = new ByteBuffer[blocks];
    byte[] before = buffer.array().clone();
    Arrays.setAll(pieces, i -> buffer.slice(i * blockBytes, blockBytes));
    try {
      program.run(pieces);
    } catch (RuntimeException | Error e) {
      programFailure = e;
      buffer.put(0, before);
    }
    hasRun = true;
  }

  /** What the program threw; the access itself has succeeded, and changed nothing. */
  public @Nullable Throwable programFailure() {
    return programFailure;
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
    if (!writes && trimmed.contains(address)) {
      moveZeros(address);
      return;
    }
    if (writes && trimmed.remove(address)) {
      Arrays.fill(array, offset, offset + heldBytes, (byte) 0);
    }
    long blockStart = blockStart(address);
    int from = from(blockStart);
    int bytes = to(blockStart) - from;
    if (bytes == 0) {
      return;
    }
    int within = offset + (int) (from - blockStart);
    if (writes) {
      buffer.get(from, array, within, bytes);
    } else {
      buffer.put(from, array, within, bytes);
    }
  }

  /**
   * The array that a block is read into or written from, where all of it is moved and no copy is
   * needed: its bytes begin at {@link #indexOf}. Null where it is to be {@linkplain #move moved}.
   * To be asked once, as it takes the place of moving.
   */
  public byte @Nullable [] memoryOf(int address) {
    if (heldBytes != blockBytes || !isWhole(address) || !buffer.hasArray()) {
      return null;
    }
    if (writes) {
      trimmed.remove(address);
    } else if (trimmed.contains(address)) {
      return null;
    }
    return buffer.array();
  }

  /** Where a block begins in {@link #memoryOf} it. */
  public int indexOf(int address) {
    return buffer.arrayOffset() + (int) blockStart(address);
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
    if (scattered != null) {
      for (int i = 0; i < blocks; i++) {
        if (scattered[i] == address) {
          return (long) i * blockBytes;
        }
      }
      throw new IllegalArgumentException("block " + address + " is not of the access");
    }
    return base + (long) (address - block) * blockBytes;
  }

  private int from(long blockStart) {
    return (int) Math.max(start, blockStart);
  }

  /** Not before {@link #from}. */
  private int to(long blockStart) {
    return (int) Math.max(from(blockStart), Math.min(end, blockStart + heldBytes));
  }

  /**
   * Advances the buffer past the bytes: the access succeeded.
   *
   * @throws RuntimeException what its program threw
   */
  public void finish() {
    if (programFailure instanceof RuntimeException failure) {
      throw failure;
    }
    if (programFailure instanceof Error failure) {
      throw failure;
    }
    buffer.position(end);
  }
}
