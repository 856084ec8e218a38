package io.github.roram;

import java.nio.ByteBuffer;

/**
 * What an {@linkplain Oram#access access} to scattered blocks does with them while the client holds
 * them. It should be a function of their contents alone, quick, and leave the ORAM alone: it runs
 * while no other access can.
 */
@FunctionalInterface
public interface BlockProgram {

  /**
   * Says what the blocks become: what is in them when this returns. Whoever reads only leaves them
   * as they are, and copies out what it wants.
   *
   * @param blocks as the access named them, in its order, each of {@link OramConfig#blockBytes}
   *     bytes; not to be kept
   */
  void run(ByteBuffer[] blocks);
}
