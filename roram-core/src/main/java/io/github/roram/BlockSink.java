package io.github.roram;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Receives the blocks that a {@linkplain Oram#scan scan} finds. */
@FunctionalInterface
public interface BlockSink {

  /**
   * Receives one block; each block comes once.
   *
   * @param block its number, 0 … {@link OramConfig#blocks} − 1
   * @param data its {@link OramConfig#blockBytes} bytes, read-only, valid during this call
   */
  void accept(long block, ByteBuffer data) throws IOException;

  /**
   * Reports the scan's progress from time to time.
   *
   * @param doneBytes bytes of the store that have been read
   * @param totalBytes bytes that the scan reads in all; the same at every call
   */
  default void advancedTo(long doneBytes, long totalBytes) throws IOException {}
}
