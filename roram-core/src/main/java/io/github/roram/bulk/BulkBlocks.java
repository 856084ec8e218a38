package io.github.roram.bulk;

import io.github.roram.engine.HeldSource;
import io.github.roram.stash.Stash;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a bulk load's source: held in memory as a whole where they fit, if the source does
 * not hold them itself, otherwise gathered group by group, each in one pass of increasing position
 * over the source.
 */
public final class BulkBlocks {

  private static final int SLAB_BLOCKS = 256;
  private static final long MOST_BLOCKS = 1 << 30;
  private static final int WINDOW_BYTES = 256 * 1024;

  private final SeekableByteChannel source;
  private final @Nullable HeldSource held;
  private final long sourceBytes;
  private final int blockBytes;
  private final int blocks;
  private final boolean payload;
  private final boolean resident;
  private final int groupBlocks;
  private final ByteBuffer window;
  private long windowStart;
  private byte[][] slabs = {};
  private long[] order = {};

  /**
   * Creates the blocks of a source.
   *
   * @param payload whether to read it; if not, only the number of its blocks counts
   */
  public BulkBlocks(SeekableByteChannel source, int blockBytes, boolean payload, long memoryBytes)
      throws IOException {
    this.source = source;
    held = source instanceof HeldSource some && some.isHeld() ? some : null;
    this.blockBytes = blockBytes;
    this.payload = payload;
    sourceBytes = source.size();
    blocks = (int) ((sourceBytes + blockBytes - 1) / blockBytes);
    resident = !payload || held != null || sourceBytes <= memoryBytes;
    groupBlocks = (int) Math.max(SLAB_BLOCKS, Math.min(MOST_BLOCKS, memoryBytes / blockBytes));
    window = ByteBuffer.allocate(Math.max(blockBytes, WINDOW_BYTES / blockBytes * blockBytes));
    window.limit(0);
    if (payload && resident && held == null) {
      for (int block = 0; block < blocks; block++) {
        readInto(block, block);
      }
    }
  }

  /** Returns the number of blocks, the last one perhaps padded. */
  public int blocks() {
    return blocks;
  }

  /**
   * Returns the most blocks that can be gathered at once, which depends on the memory alone, not on
   * the source.
   */
  public int groupBlocks() {
    return groupBlocks;
  }

  /** Makes the blocks {@code addresses[from …, to)} available as number 0, 1, …. */
  public void gather(int[] addresses, int from, int to) throws IOException {
    if (resident) {
      return;
    }
    int count = to - from;
    if (order.length < count) {
      order = new long[count];
    }
    for (int i = 0; i < count; i++) {
      order[i] = (long) addresses[from + i] << 32 | i;
    }
    Arrays.sort(order, 0, count);
    for (int i = 0; i < count; i++) {
      readInto((int) (order[i] >>> 32), (int) order[i]);
    }
  }

  /** Copies a block that was gathered. Thread safe, between one gathering and the next. */
  public void copy(int address, int number, byte[] target, int offset) {
    if (!payload) {
      return;
    }
    if (held != null) {
      held.copy(address, target, offset);
      return;
    }
    int place = resident ? address : number;
    System.arraycopy(
        slabs[place / SLAB_BLOCKS], place % SLAB_BLOCKS * blockBytes, target, offset, blockBytes);
  }

  /**
   * Has the client hold the first blocks of an array: those that no bucket took.
   *
   * @param labels the label of each
   */
  public void keep(int[] addresses, int count, IntUnaryOperator labels, Stash stash)
      throws IOException {
    for (int first = 0; first < count; first += groupBlocks) {
      int end = Math.min(count, first + groupBlocks);
      gather(addresses, first, end);
      for (int i = first; i < end; i++) {
        int slot = stash.put(addresses[i], labels.applyAsInt(addresses[i]));
        copy(addresses[i], i - first, stash.array(slot), stash.offset(slot));
      }
    }
  }

  private void readInto(int block, int place) throws IOException {
    long position = (long) block * blockBytes;
    if (position < windowStart || position + blockBytes > windowStart + window.limit()) {
      fillWindow(position);
    }
    int slab = place / SLAB_BLOCKS;
    if (slab >= slabs.length) {
      slabs = Arrays.copyOf(slabs, slab + 1);
    }
    if (slabs[slab] == null) {
      slabs[slab] = new byte[SLAB_BLOCKS * blockBytes];
    }
    window.get(
        (int) (position - windowStart), slabs[slab], place % SLAB_BLOCKS * blockBytes, blockBytes);
  }

  private void fillWindow(long position) throws IOException {
    windowStart = position;
    window.clear();
    source.position(position);
    long wanted = Math.min(window.capacity(), sourceBytes - position);
    window.limit((int) wanted);
    while (window.hasRemaining()) {
      if (source.read(window) < 0) {
        throw new EOFException(
            "the source ended at byte " + source.position() + " of " + sourceBytes);
      }
    }
    // The last block is padded with zeros.
    int padded = (int) ((wanted + blockBytes - 1) / blockBytes * blockBytes);
    Arrays.fill(window.array(), (int) wanted, padded, (byte) 0);
    window.limit(padded);
  }
}
