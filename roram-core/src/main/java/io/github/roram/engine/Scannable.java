package io.github.roram.engine;

import io.github.roram.BlockSink;
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
}
