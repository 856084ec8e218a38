package io.github.roram.engine;

import io.github.roram.OramConfig;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/**
 * Checks the arguments of an access before anything happens. Each check throws the exceptions that
 * {@link io.github.roram.Oram} documents. Immutable, except that the limits of an ORAM grow with
 * it.
 */
public final class AccessLimits {

  /** Most scattered blocks of an access. */
  public static final int MOST_SCATTERED = 16;

  private final Supplier<OramConfig> config;

  /**
   * Creates the limits of an ORAM.
   *
   * @param config supplies the configuration at each check
   */
  public AccessLimits(Supplier<OramConfig> config) {
    this.config = config;
  }

  /** Checks that a buffer fits a read of {@code count} blocks. */
  public void checkDestination(int count, ByteBuffer destination) {
    if (destination.isReadOnly()) {
      throw new IllegalArgumentException("the destination is read-only");
    }
    long bytes = (long) count * config.get().blockBytes();
    if (destination.remaining() < bytes) {
      throw new IllegalArgumentException(
          "the destination has room for "
              + destination.remaining()
              + " bytes, "
              + count
              + " blocks take "
              + bytes);
    }
  }

  /** Returns the number of blocks in a buffer, which must hold whole blocks. */
  public int blocksOf(ByteBuffer source) {
    int blockBytes = config.get().blockBytes();
    if (source.remaining() % blockBytes != 0) {
      throw new IllegalArgumentException(
          "the source has "
              + source.remaining()
              + " bytes, must be a multiple of the block size of "
              + blockBytes
              + "; use update or channel() for parts of blocks");
    }
    return source.remaining() / blockBytes;
  }

  /** Checks that a range is within the store and not longer than ranges may be. */
  public void checkRange(long block, int count) {
    int maxRange = config.get().maxRangeBlocks();
    if (count < 1 || count > maxRange) {
      throw new IllegalArgumentException(
          "count is "
              + count
              + " blocks, must be 1 to "
              + maxRange
              + "; split larger ranges, or use channel()");
    }
    if (block < 0 || block > config.get().blocks() - count) {
      throw new IndexOutOfBoundsException(
          "blocks "
              + block
              + " to "
              + (block + count - 1)
              + " are not within 0 to "
              + (config.get().blocks() - 1));
    }
  }

  /** Checks a read that fills a buffer, of {@code leastBlocks} blocks or more. */
  public void checkRead(long offset, int leastBlocks, ByteBuffer target) {
    checkWrite(offset, leastBlocks, target);
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("the target is read-only");
    }
  }

  /** Checks a write of a buffer's bytes, of {@code leastBlocks} blocks or more. */
  public void checkWrite(long offset, int leastBlocks, ByteBuffer source) {
    checkUpdate(offset, source.remaining());
    checkLeast(leastBlocks);
  }

  /** Checks the least number of blocks of an access. */
  private void checkLeast(int leastBlocks) {
    int maxRange = config.get().maxRangeBlocks();
    if (leastBlocks < 1 || leastBlocks > maxRange) {
      throw new IllegalArgumentException(
          "leastBlocks is " + leastBlocks + ", must be 1 to " + maxRange);
    }
  }

  /**
   * Checks that scattered blocks are few, distinct and within the store.
   *
   * @return the same blocks, as engines take them
   */
  public int[] checkScattered(long[] blocks, int leastBlocks) {
    if (blocks.length < 1 || blocks.length > MOST_SCATTERED) {
      throw new IllegalArgumentException(
          "the access is to "
              + blocks.length
              + " scattered blocks, must be 1 to "
              + MOST_SCATTERED
              + "; make several");
    }
    checkLeast(leastBlocks);
    int[] checked = new int[blocks.length];
    for (int i = 0; i < blocks.length; i++) {
      checkRange(blocks[i], 1);
      checked[i] = (int) blocks[i];
      for (int before = 0; before < i; before++) {
        if (checked[before] == checked[i]) {
          throw new IllegalArgumentException(
              "block " + blocks[i] + " is named twice; name it once, and ask for leastBlocks");
        }
      }
    }
    int maxRange = config.get().maxRangeBlocks();
    if (blocks.length > maxRange) {
      throw new IllegalArgumentException(
          "the access is to "
              + blocks.length
              + " blocks, the store's longest range is of "
              + maxRange
              + "; make several");
    }
    return checked;
  }

  /** Checks that a trim is of at least one block, and of none beyond the store. */
  public void checkTrim(long block, long count) {
    if (count < 1 || block < 0 || block > config.get().blocks() - count) {
      throw new IndexOutOfBoundsException(
          count
              + " blocks from "
              + block
              + " on are none, or not within the store's "
              + config.get().blocks());
    }
  }

  /** Checks that the store has at least {@code bytes} bytes. */
  public void checkBytes(long bytes) {
    if (bytes < 0 || bytes > config.get().bytes()) {
      throw new IllegalArgumentException(
          "bytes is " + bytes + ", must be 0 to the store's " + config.get().bytes());
    }
  }

  /** Checks that bytes are within the store, and in no more blocks than a range may have. */
  public void checkUpdate(long offset, int bytes) {
    if (offset < 0 || offset > config.get().bytes() - bytes) {
      throw new IndexOutOfBoundsException(
          bytes
              + " bytes from byte "
              + offset
              + " on are not within the store's "
              + config.get().bytes()
              + " bytes");
    }
    if (bytes == 0) {
      throw new IllegalArgumentException("the source is empty, must have at least one byte");
    }
    int blockBytes = config.get().blockBytes();
    long count = (offset + bytes - 1) / blockBytes - offset / blockBytes + 1;
    if (count > config.get().maxRangeBlocks()) {
      throw new IllegalArgumentException(
          bytes
              + " bytes from byte "
              + offset
              + " on lie in "
              + count
              + " blocks, must be at most "
              + config.get().maxRangeBlocks()
              + "; split longer updates, or use channel()");
    }
  }
}
