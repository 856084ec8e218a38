package io.github.roram.engine;

import java.nio.channels.SeekableByteChannel;

/**
 * A source of a bulk load that may have all blocks in memory. Several threads then copy blocks from
 * the source as needed, instead of holding them twice.
 */
public interface HeldSource extends SeekableByteChannel {

  /** Returns whether all blocks are in memory, as long as the source is open. */
  boolean isHeld();

  /** Copies a block of the store to be loaded, if all blocks are in memory. Thread safe. */
  void copy(int block, byte[] target, int offset);
}
