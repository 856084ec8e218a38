package io.github.roram.engine;

import io.github.roram.BlockProgram;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The work of an access on its blocks while the client holds them: it copies bytes from the blocks
 * to a buffer, or from a buffer to the blocks. The bytes may begin within the first block and end
 * within the last one; bytes around them do not change. Further blocks of which no byte is moved
 * may be added, so that the access looks like a longer one. A trimmed block is zeros.
 *
 * <p>A transfer may also {@linkplain #hasProgram have a program}: then the blocks may be anywhere.
 * First all are {@linkplain #take taken}, then the program is {@linkplain #run run}, and then they
 * are moved like those of a write. Repeating such an access repeats the program's result, not the
 * program.
 *
 * <p>Blocks may be moved in any order and again: the buffer's position is not used before {@link
 * #finish}, so an access that failed can be repeated as it stands. Without payload no bytes move.
 *
 * <p>Not thread safe.
 */
public final class Transfer {

  private static final byte[] ZEROS = new byte[4096];

  private final int block;
  private final int blocks;
  private final boolean writes;

  /** The caller's buffer, whose position tells that the access succeeded. */
  private final ByteBuffer callers;

  /**
   * A view of the same bytes with a limit of its own. If the caller could change the limit during
   * the access, the access could end in the middle, and leave a journal that fits no state.
   */
  private final ByteBuffer buffer;

  private final TrimmedBlocks trimmed;

  /**
   * Index in the buffer of the first byte of block {@link #block}, if the whole block were there.
   */
  private final long base;

  private final int start;
  private final int end;
  private final int blockBytes;
  private final int heldBytes;

  /** The blocks of a program, in its order, padded to the number that the access looks like. */
  private final int @Nullable [] scattered;

  private final int shownBlocks;
  private final @Nullable BlockProgram program;

  /** Whether the program has run, so that the buffer contains its result. */
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
    callers = moved.buffer();
    buffer = callers.duplicate();
    writes = moved.writes();
    start = buffer.position();
    end = start + bytes;
    buffer.limit(end);
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
    this.program = Objects.requireNonNull(program); // without one it would write zeros
    blocks = scattered.length;
    shownBlocks = Math.max(blocks, atMostAll(leastBlocks, context));
    block = scattered[0];
    writes = true;
    start = 0;
    end = blocks * blockBytes;
    buffer = ByteBuffer.allocate(end);
    callers = buffer;
    base = 0;
  }

  /** Limits a number to the store's blocks, which a longest range, a power of two, may exceed. */
  private static int atMostAll(int leastBlocks, OramContext context) {
    return (int) Math.min(leastBlocks, context.config().blocks());
  }

  /** The bytes of a transfer. */
  private record Bytes(
      long offset, int bytes, ByteBuffer buffer, boolean writes, int leastBlocks) {}

  /**
   * Returns a transfer of {@code bytes} bytes, at least one, from byte {@code offset} of the ORAM
   * to a buffer's position.
   *
   * @param leastBlocks least number of blocks of the access; blocks without bytes of the transfer
   *     follow it, or precede it at the end of the ORAM
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
   * Returns a transfer of {@code bytes} bytes, at least one, from a buffer's position to byte
   * {@code offset} of the ORAM.
   *
   * @param leastBlocks as in {@link #outOf}; blocks without bytes of the transfer do not change
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
   * Returns a transfer that changes blocks by a program, wherever they are.
   *
   * @param scattered the blocks, each once
   * @param leastBlocks least number of blocks that the access looks like
   */
  public static Transfer of(
      OramContext context,
      TrimmedBlocks trimmed,
      int[] scattered,
      int leastBlocks,
      BlockProgram program) {
    return new Transfer(context, trimmed, scattered, leastBlocks, program);
  }

  /**
   * Returns whether there is a program, so that the blocks may be anywhere; a scheme may refuse
   * that.
   */
  public boolean hasProgram() {
    return program != null;
  }

  /** Returns the number of blocks that the access looks like: at least {@link #blocks}. */
  public int shownBlocks() {
    return shownBlocks;
  }

  /** Returns the block at an index, 0 … {@link #blocks} − 1, in the order of the access. */
  public int address(int index) {
    return scattered == null ? block + index : scattered[index];
  }

  /** Returns the blocks that the access may change, ascending; none if it reads. */
  public int[] written() {
    int[] addresses = new int[writes ? blocks : 0];
    Arrays.setAll(addresses, this::address);
    if (scattered != null) {
      Arrays.sort(addresses);
    }
    return addresses;
  }

  /**
   * Copies a block for the program, which sees zeros for blocks that were not copied.
   *
   * @param address one of the blocks
   * @param array array with the block, from {@code offset} on
   */
  public void take(int address, byte[] array, int offset) {
    if (heldBytes > 0 && !hasRun && !trimmed.contains(address)) {
      buffer.put((int) blockStart(address), array, offset, heldBytes);
    }
  }

  /**
   * Runs the program, unless it has run. A program that fails changes no block. It may throw
   * checked exceptions of which the compiler does not know, as in Kotlin.
   */
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
    } catch (Throwable e) {
      boolean unchecked = e instanceof RuntimeException || e instanceof Error;
      programFailure = unchecked ? e : new UndeclaredThrowableException(e);
      buffer.put(0, before);
    }
    hasRun = true;
  }

  /**
   * Returns what the program threw, or null; the access itself has succeeded, and changed nothing.
   */
  public @Nullable Throwable programFailure() {
    return programFailure;
  }

  /** Returns the first block. */
  public int block() {
    return block;
  }

  /** Returns the number of blocks, including those of which only a part is moved. */
  public int blocks() {
    return blocks;
  }

  /** Returns whether all bytes of a block are moved, so that its old content does not matter. */
  public boolean isWhole(int address) {
    long blockStart = blockStart(address);
    return blockStart >= start && blockStart + blockBytes <= end;
  }

  /** Returns whether the blocks are changed. */
  public boolean writes() {
    return writes;
  }

  /**
   * Moves the bytes of one block.
   *
   * @param address one of the blocks
   * @param array array with the block, from {@code offset} on
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
   * Returns the array into which a block can be read, or from which it can be written, if the whole
   * block is moved and needs no copy: its bytes begin at {@link #indexOf}. Returns null if the
   * block must be {@linkplain #move moved}. Call this once per block, in place of moving.
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

  /** Returns the index in {@link #memoryOf} at which a block begins. */
  public int indexOf(int address) {
    return buffer.arrayOffset() + (int) blockStart(address);
  }

  /** Moves the bytes of a block that was never written, which are zeros, to the buffer. */
  public void moveZeros(int address) {
    long blockStart = blockStart(address);
    int from = from(blockStart);
    int bytes = to(blockStart) - from;
    for (int done = 0; done < bytes; done += ZEROS.length) {
      buffer.put(from + done, ZEROS, 0, Math.min(ZEROS.length, bytes - done));
    }
  }

  /**
   * Returns the index in the buffer of a block's first byte, if the whole block were in the buffer.
   */
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

  /** Returns the end of a block's bytes in the buffer, not before {@link #from}. */
  private int to(long blockStart) {
    return (int) Math.max(from(blockStart), Math.min(end, blockStart + heldBytes));
  }

  /**
   * Advances the buffer past the bytes after the access has succeeded.
   *
   * @throws RuntimeException the exception of its program
   */
  public void finish() {
    if (programFailure instanceof RuntimeException failure) {
      throw failure;
    }
    if (programFailure instanceof Error failure) {
      throw failure;
    }
    callers.position(end);
  }
}
