package io.github.roram;

import java.nio.ByteBuffer;

/**
 * Changes the blocks of an {@linkplain Oram#access access} to scattered blocks while the client
 * holds them. A program should be a quick function of the blocks' contents alone. It must not call
 * the ORAM: no other access can run until it returns.
 */
@FunctionalInterface
public interface BlockProgram {

  /**
   * Changes the blocks in place; the access writes what they contain when this returns. A program
   * that only reads leaves them as they are and copies what it needs.
   *
   * @param blocks the blocks that the access named, in its order, each of {@link
   *     OramConfig#blockBytes} bytes; valid during this call only
   */
  void run(ByteBuffer[] blocks);
}
