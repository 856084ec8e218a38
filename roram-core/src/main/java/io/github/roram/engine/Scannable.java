package io.github.roram.engine;

import io.github.roram.BlockSink;
import io.github.roram.OramConfig;
import java.io.IOException;

/** An engine that can read all blocks in one pass over the store. */
public interface Scannable {

  /**
   * Passes all blocks to a sink and changes nothing: see {@link io.github.roram.Oram#scan}.
   *
   * @throws IllegalStateException if an access must succeed first
   */
  void scan(BlockSink sink) throws IOException;

  /** Returns the most bytes of the store that a scan reads now; depends on what the store saw. */
  long scanBytes();

  /**
   * Returns about how many bytes an access to a fully written store moves, including evictions;
   * depends on the configuration.
   *
   * @param blocks number of blocks of the access, 1 … the longest range
   */
  long accessBytes(int blocks);

  /**
   * Returns whether a scan moves no more bytes than accesses to {@code bytes} bytes do, each to a
   * longest range except the last one.
   */
  default boolean pays(OramConfig config, long bytes) {
    int longest = config.maxRangeBlocks();
    long blocks = (bytes + config.blockBytes() - 1) / config.blockBytes();
    int rest = (int) (blocks % longest);
    long accessed = blocks / longest * accessBytes(longest) + (rest == 0 ? 0 : accessBytes(rest));
    return bytes > 0 && scanBytes() <= accessed;
  }
}
