package io.github.roram.client;

import io.github.roram.BlockSink;
import io.github.roram.ConfigurationException;
import io.github.roram.engine.HeldSource;
import io.github.roram.engine.ReadOnlyChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a store, taken in the order in which a scan meets them, given in their own: in
 * memory where they fit, else in a {@link ScratchFile}. Blocks that were never taken are zeros.
 *
 * <h2>Security</h2>
 *
 * The disk of the file sees which place of the store each block was at, so it must be one that
 * observers of the store cannot see, like that of a position map in a file; and nobody may change
 * it, since what it returns is not authenticated.
 *
 * <p>Not thread safe, but for {@link #copy}.
 */
final class ScratchBlocks extends ReadOnlyChannel implements BlockSink, HeldSource {

  /** Large enough that a collector of garbage does not move it. */
  private static final int SLAB_BYTES = 16 << 20;

  private static final int WINDOW_BYTES = 256 << 10;

  private final int blockBytes;
  private final long blocks;
  private final Progress progress;

  /** The blocks, equally many in each array but the last; none if they are in the file. */
  private final byte[][] slabs;

  private final int slabBlocks;
  private final @Nullable ScratchFile file;

  /** Blocks that were read from the file, from {@link #windowStart} on. */
  private byte[] window = {};

  private long windowStart;
  private int windowBytes;

  /** Is told how far something is. */
  @FunctionalInterface
  interface Progress {
    void advancedTo(long done, long total) throws IOException;
  }

  /**
   * No blocks.
   *
   * @param directory where the file is made, if it is needed
   * @param blocks how many it gives; others are refused unless they are zeros
   * @param memoryBytes how many bytes of blocks are held in memory at most
   */
  ScratchBlocks(Path directory, int blockBytes, long blocks, long memoryBytes, Progress progress)
      throws IOException {
    this.blockBytes = blockBytes;
    this.blocks = blocks;
    this.progress = progress;
    slabBlocks = (int) Math.min(blocks, Math.max(1, SLAB_BYTES / blockBytes));
    boolean fits = blocks * blockBytes <= memoryBytes;
    slabs = new byte[fits ? (int) ((blocks + slabBlocks - 1) / slabBlocks) : 0][];
    file = fits ? null : new ScratchFile(directory, blockBytes);
  }

  @Override
  public void accept(long block, ByteBuffer data) throws IOException {
    if (block >= blocks) {
      requireZeros(block, data);
    } else if (file != null) {
      file.put(block, data);
    } else {
      data.get(slab(block), offset(block), blockBytes);
    }
  }

  private byte[] slab(long block) {
    int number = (int) (block / slabBlocks);
    if (slabs[number] == null) {
      slabs[number] = new byte[slabBlocks * blockBytes];
    }
    return slabs[number];
  }

  private int offset(long block) {
    return (int) (block % slabBlocks) * blockBytes;
  }

  private void requireZeros(long block, ByteBuffer data) {
    while (data.hasRemaining()) {
      if (data.get() != 0) {
        throw new ConfigurationException(
            "block "
                + block
                + " holds data, and the copy is to have "
                + blocks
                + " blocks: give it more, or trim or overwrite with zeros what is beyond them");
      }
    }
  }

  @Override
  public void advancedTo(long doneBytes, long totalBytes) throws IOException {
    progress.advancedTo(doneBytes, totalBytes);
  }

  @Override
  public boolean isHeld() {
    return file == null;
  }

  @Override
  public void copy(int block, byte[] target, int offset) {
    byte[] slab = slabs[block / slabBlocks];
    if (slab == null) {
      Arrays.fill(target, offset, offset + blockBytes, (byte) 0);
    } else {
      System.arraycopy(slab, offset(block), target, offset, blockBytes);
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (position >= size()) {
      return -1;
    }
    int before = target.remaining();
    while (target.hasRemaining() && position < size()) {
      if (position < windowStart || position >= windowStart + windowBytes) {
        fillWindow(position / blockBytes);
      }
      int from = (int) (position - windowStart);
      int count = Math.min(target.remaining(), windowBytes - from);
      target.put(window, from, count);
      position += count;
    }
    return before - target.remaining();
  }

  private void fillWindow(long first) throws IOException {
    int most = Math.max(1, WINDOW_BYTES / blockBytes);
    int count = (int) Math.min(most, blocks - first);
    if (window.length == 0) {
      window = new byte[most * blockBytes];
    }
    if (file != null) {
      file.get(first, window, count);
    } else {
      for (int i = 0; i < count; i++) {
        copy((int) first + i, window, i * blockBytes);
      }
    }
    windowStart = first * blockBytes;
    windowBytes = count * blockBytes;
  }

  @Override
  public long size() {
    return blocks * blockBytes;
  }

  /** Lets go of the blocks. */
  @Override
  public void close() throws IOException {
    super.close();
    Arrays.fill(window, (byte) 0);
    Arrays.fill(slabs, null);
    if (file != null) {
      file.close();
    }
  }
}
