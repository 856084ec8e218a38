package io.github.roram.bench.replay;

import io.github.roram.Oram;
import io.github.roram.engine.ReadOnlyChannel;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What every block of a device must hold now: the model that each answer is compared with. It keeps
 * a version number for each block that was written, so that a device of 16 GB of 4 KB blocks takes
 * at most 16 MB. Not thread safe.
 */
public final class DeviceContents {

  private static final int PAGE_BITS = 12;
  private static final int PAGE_BLOCKS = 1 << PAGE_BITS;

  private final long blocks;
  private final DevicePattern pattern;
  private final boolean initiallyZero;
  private final int[] @Nullable [] versionPages;

  private DeviceContents(long blocks, DevicePattern pattern, boolean initiallyZero) {
    if (blocks < 1 || blocks > (long) Integer.MAX_VALUE << PAGE_BITS) {
      throw new IllegalArgumentException("blocks is " + blocks + ", must be 1 to 2^43");
    }
    this.blocks = blocks;
    this.pattern = pattern;
    this.initiallyZero = initiallyZero;
    this.versionPages = new int[(int) ((blocks - 1) >> PAGE_BITS) + 1][];
  }

  /** A device that was filled with {@link #initialContents}. */
  public static DeviceContents filled(long blocks, DevicePattern pattern) {
    return new DeviceContents(blocks, pattern, false);
  }

  /** A device whose blocks are zeros until they are written. */
  public static DeviceContents zeros(long blocks, DevicePattern pattern) {
    return new DeviceContents(blocks, pattern, true);
  }

  /** Returns the number of blocks. */
  public long blocks() {
    return blocks;
  }

  /** Returns the bytes in a block. */
  public int blockBytes() {
    return pattern.blockBytes();
  }

  /**
   * Bulk-loads an ORAM with version 0 of all blocks.
   *
   * @param memoryBytes how much of it may be in memory at once
   * @param progressBytes called from time to time with the number of bytes written since the last
   *     call
   */
  public void load(Oram oram, long memoryBytes, LongConsumer progressBytes) throws IOException {
    try (SeekableByteChannel source = initialContents()) {
      oram.bulkLoad(source, memoryBytes, progressBytes);
    }
  }

  /** Returns version 0 of all blocks, as a read-only channel to fill a store from. */
  public SeekableByteChannel initialContents() {
    return new InitialContentsChannel(blocks, pattern, initiallyZero);
  }

  /**
   * Decides what a write puts into {@code count} blocks from {@code block} on: the next version of
   * each. From now on they must hold that.
   *
   * @param target takes the contents, from index 0 on
   */
  public void nextWrite(long block, int count, byte[] target) {
    checkRange(block, count);
    for (int i = 0; i < count; i++) {
      int version = bumpVersion(block + i);
      pattern.fill(block + i, version, target, i * blockBytes());
    }
  }

  /**
   * Compares every byte of an answer.
   *
   * @param answer what was read for {@code count} blocks from {@code block} on, from index 0 on
   * @return the number of blocks with any wrong byte
   */
  public int mismatches(long block, int count, byte[] answer) {
    checkRange(block, count);
    int wrong = 0;
    for (int i = 0; i < count; i++) {
      if (!isCurrent(block + i, answer, i * blockBytes())) {
        wrong++;
      }
    }
    return wrong;
  }

  private boolean isCurrent(long block, byte[] answer, int offset) {
    int version = version(block);
    if (version == 0 && initiallyZero) {
      for (int i = offset; i < offset + blockBytes(); i++) {
        if (answer[i] != 0) {
          return false;
        }
      }
      return true;
    }
    return pattern.matches(block, version, answer, offset);
  }

  private int version(long block) {
    int[] page = versionPages[(int) (block >> PAGE_BITS)];
    return page == null ? 0 : page[(int) block & (PAGE_BLOCKS - 1)];
  }

  private int bumpVersion(long block) {
    int number = (int) (block >> PAGE_BITS);
    int[] page = versionPages[number];
    if (page == null) {
      page = new int[PAGE_BLOCKS];
      versionPages[number] = page;
    }
    return ++page[(int) block & (PAGE_BLOCKS - 1)];
  }

  private void checkRange(long block, int count) {
    if (block < 0 || count < 1 || block > blocks - count) {
      throw new IndexOutOfBoundsException(
          count + " blocks from " + block + " on, of a device of " + blocks);
    }
  }

  /** Version 0 of every block of a device, made up as it is read. Not thread safe. */
  static final class InitialContentsChannel extends ReadOnlyChannel {

    private final DevicePattern pattern;
    private final byte[] current;
    private final long sizeBytes;
    private long currentBlock = -1;
    private final boolean zero;

    InitialContentsChannel(long blocks, DevicePattern pattern, boolean zero) {
      this.zero = zero;
      this.pattern = pattern;
      this.current = new byte[pattern.blockBytes()];
      this.sizeBytes = Math.multiplyExact(blocks, pattern.blockBytes());
    }

    @Override
    public int read(ByteBuffer destination) throws ClosedChannelException {
      checkOpen();
      if (position >= sizeBytes) {
        return -1;
      }
      int wanted = (int) Math.min(destination.remaining(), sizeBytes - position);
      for (int left = wanted; left > 0; ) {
        long block = position / current.length;
        int offset = (int) (position % current.length);
        if (block != currentBlock && !zero) {
          pattern.fill(block, 0, current, 0);
          currentBlock = block;
        }
        int piece = Math.min(left, current.length - offset);
        destination.put(current, offset, piece);
        position += piece;
        left -= piece;
      }
      return wanted;
    }

    @Override
    public long size() throws ClosedChannelException {
      checkOpen();
      return sizeBytes;
    }
  }

  /**
   * Block contents that follow from a seed, the block's number and its version, so that the
   * contents of a device of any size can be told from one small version number a block. Any two
   * differ in nearly every byte, and none is all zeros, so a block of another place, an older
   * version and one never written are all told from the right one.
   *
   * <p>The bytes are those of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): fast, well mixed,
   * and no secret. Thread safe.
   */
  public static final class DevicePattern {

    private static final VarHandle LONGS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private final long seed;
    private final int blockBytes;

    /**
     * Creates a pattern.
     *
     * @param seed devices of different seeds have different contents
     * @param blockBytes bytes in a block, a positive multiple of 8
     */
    public DevicePattern(long seed, int blockBytes) {
      if (blockBytes <= 0 || blockBytes % Long.BYTES != 0) {
        throw new IllegalArgumentException(
            "blockBytes is " + blockBytes + ", must be a positive multiple of " + Long.BYTES);
      }
      this.seed = seed;
      this.blockBytes = blockBytes;
    }

    /** Returns the bytes in a block. */
    public int blockBytes() {
      return blockBytes;
    }

    /** Puts the contents of a block into {@code target} from {@code offset} on. */
    public void fill(long block, int version, byte[] target, int offset) {
      long state = start(block, version);
      for (int end = offset + blockBytes; offset < end; offset += Long.BYTES) {
        state += GOLDEN_GAMMA;
        LONGS.set(target, offset, mix(state));
      }
    }

    /**
     * Returns whether the bytes of {@code answer} from {@code offset} on are the contents of the
     * block.
     */
    public boolean matches(long block, int version, byte[] answer, int offset) {
      long state = start(block, version);
      long differences = 0;
      for (int end = offset + blockBytes; offset < end; offset += Long.BYTES) {
        state += GOLDEN_GAMMA;
        differences |= mix(state) ^ (long) LONGS.get(answer, offset);
      }
      return differences == 0;
    }

    private long start(long block, int version) {
      return mix(mix(seed + GOLDEN_GAMMA * (block + 1)) + version);
    }

    private static long mix(long z) {
      z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
      z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
      return z ^ (z >>> 31);
    }
  }
}
