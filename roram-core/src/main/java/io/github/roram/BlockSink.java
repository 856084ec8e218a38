package io.github.roram;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes the blocks that a {@linkplain Oram#scan scan} meets. */
@FunctionalInterface
public interface BlockSink {

  /**
   * Takes a block; each comes once.
   *
   * @param block its number, 0 … {@link OramConfig#blocks} − 1
   * @param data its {@link OramConfig#blockBytes} bytes, read-only, valid during this call
   */
  void accept(long block, ByteBuffer data) throws IOException;

  /**
   * Is told, from time to time, how far the scan is.
   *
   * @param doneBytes bytes of the store that were read
   * @param totalBytes all that there are to read; the same at every call
   */
  default void advancedTo(long doneBytes, long totalBytes) throws IOException {}
}
