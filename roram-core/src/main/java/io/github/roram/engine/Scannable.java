package io.github.roram.engine;

import io.github.roram.BlockSink;
import java.io.IOException;

/** An engine that can read all blocks in one pass over the store. */
public interface Scannable {

  /**
   * Hands all blocks to a sink, changing nothing: see {@link io.github.roram.Oram#scan}.
   *
   * @throws IllegalStateException if an access has to succeed first
   */
  void scan(BlockSink sink) throws IOException;

  /** The most bytes of the store that a scan reads now; follows from what the store saw. */
  long scanBytes();

  /**
   * About how many bytes an access moves once the store was written all over, evictions included;
   * follows from the configuration.
   *
   * @param blocks how many it is of, 1 … the longest range
   */
  long accessBytes(int blocks);
}
