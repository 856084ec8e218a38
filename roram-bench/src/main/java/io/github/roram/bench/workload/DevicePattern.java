package io.github.roram.bench.workload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Block contents that follow from a seed, the block's number and its version, so that the contents
 * of a device of any size can be told from one small version number a block. Any two differ in
 * nearly every byte, and none is all zeros, so a block of another place, an older version and one
 * never written are all told from the right one.
 *
 * <p>The bytes are those of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): fast, well mixed, and
 * no secret. Thread safe.
 */
public final class DevicePattern {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private final long seed;
  private final int blockBytes;

  /**
   * A pattern.
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

  /** Bytes in a block. */
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

  /** Whether the bytes of {@code answer} from {@code offset} on are the contents of the block. */
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
