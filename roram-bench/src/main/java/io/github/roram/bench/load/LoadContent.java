package io.github.roram.bench.load;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * What a load writes: each block says by which run, where and as which version it was written, and
 * the rest of it follows from that.
 *
 * <pre>
 *  u64 run | u64 block | u64 version | noise to the end
 * </pre>
 *
 * <p>Immutable.
 */
final class LoadContent {

  private static final int HEAD_BYTES = 24;

  private final long run;
  private final int blockBytes;

  /**
   * Contents of a run.
   *
   * @param run a number that no other run has
   */
  LoadContent(long run, int blockBytes) {
    this.run = run;
    this.blockBytes = blockBytes;
  }

  /** Puts a version of a block where a buffer stands. */
  void put(ByteBuffer target, long block, long version) {
    target.putLong(run).putLong(block).putLong(version);
    long state = mix(run ^ mix(block ^ mix(version)));
    for (int i = HEAD_BYTES; i < blockBytes; i += Long.BYTES) {
      state += 0x9E3779B97F4A7C15L;
      target.putLong(mix(state));
    }
  }

  /**
   * The version that a block holds; nothing if it is of no load of this run.
   *
   * @return −1 if it was written by this run, and is not as it was written
   */
  OptionalLong version(byte[] data, int position, long block) {
    ByteBuffer found = ByteBuffer.wrap(data, position, blockBytes);
    if (found.getLong() != run) {
      return OptionalLong.empty();
    }
    long foundBlock = found.getLong();
    long version = found.getLong();
    byte[] expected = new byte[blockBytes];
    put(ByteBuffer.wrap(expected), block, version);
    boolean right =
        foundBlock == block
            && Arrays.equals(data, position, position + blockBytes, expected, 0, blockBytes);
    return OptionalLong.of(right ? version : -1);
  }

  /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
  private static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
    return b ^ (b >>> 31);
  }
}
