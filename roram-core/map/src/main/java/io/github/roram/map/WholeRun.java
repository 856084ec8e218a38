package io.github.roram.map;

import io.github.roram.ConfigurationException;
import io.github.roram.Oram;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.engine.AccessLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Consecutive blocks that one access reads or writes, all or nothing. If the scheme makes a range
 * one access per block, this is an access to scattered blocks. Reading and writing look the same.
 *
 * @param first the first block
 * @param blocks number of blocks
 */
record WholeRun(Oram oram, long first, int blocks) {

  /**
   * Refuses runs that are longer than one access.
   *
   * @param what content of such a run, for the message
   */
  static void check(OramConfig config, String what, long blocks) {
    int most = config.maxRangeBlocks();
    if (!config.has(Scheme.Trait.WHOLE_RANGES)) {
      most = Math.min(most, AccessLimits.MOST_SCATTERED);
    }
    if (blocks > most) {
      throw new ConfigurationException(
          what
              + " take "
              + blocks
              + " blocks, must be at most "
              + most
              + ", the longest access of the store's scheme; use shorter ones, or larger blocks");
    }
  }

  /** Reads the first bytes, as many as the target has room for. */
  void read(ByteBuffer target) throws IOException {
    if (isOneRange()) {
      oram.readBytes(offset(), blocks, target);
    } else {
      oram.access(
          named(),
          contents -> {
            for (ByteBuffer block : contents) {
              target.put(block.slice(0, Math.min(target.remaining(), block.capacity())));
            }
          });
    }
  }

  /** Writes the first bytes; the others do not change. */
  void write(ByteBuffer source) throws IOException {
    if (isOneRange()) {
      oram.updateBytes(offset(), blocks, source);
    } else {
      oram.access(
          named(),
          contents -> {
            ByteBuffer left = source.duplicate();
            for (ByteBuffer block : contents) {
              int bytes = Math.min(left.remaining(), block.capacity());
              block.put(0, left, left.position(), bytes);
              left.position(left.position() + bytes);
            }
          });
    }
  }

  private boolean isOneRange() {
    return blocks == 1 || oram.config().has(Scheme.Trait.WHOLE_RANGES);
  }

  private long offset() {
    return first * oram.config().blockBytes();
  }

  private long[] named() {
    long[] named = new long[blocks];
    Arrays.setAll(named, i -> first + i);
    return named;
  }
}
