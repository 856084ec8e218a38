package io.github.roram.engine;

import java.nio.channels.SeekableByteChannel;

/**
 * A source of a bulk load that may have all blocks in memory, from where they are then taken as
 * they are needed, by several threads, rather than be held once more.
 */
public interface HeldSource extends SeekableByteChannel {

  /** Whether all blocks are in memory, as long as the source is open. */
  boolean isHeld();

  /** Copies a block, of those of the store to be loaded, if all are in memory. Thread safe. */
  void copy(int block, byte[] target, int offset);
}
