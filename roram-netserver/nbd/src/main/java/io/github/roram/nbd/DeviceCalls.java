package io.github.roram.nbd;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * What a device asks of its ORAM. Calls return at once; they are done later, in any order. A flush
 * covers what was done when it was called.
 *
 * <p>Thread safety: safe.
 */
interface DeviceCalls extends Closeable {

  /** An access, as {@link io.github.roram.Oram#readBytes}. */
  CompletableFuture<Void> read(long offset, int leastBlocks, ByteBuffer target);

  /** An access, as {@link io.github.roram.Oram#updateBytes}. */
  CompletableFuture<Void> update(long offset, int leastBlocks, ByteBuffer source);

  /** No access, as {@link io.github.roram.Oram#trim}; false if there was no room for it. */
  CompletableFuture<Boolean> trim(long block, long count);

  /** As {@link io.github.roram.Oram#flush}. */
  CompletableFuture<Void> flush();

  /** Waits for what was called; what is called from now on fails, but for flushes. */
  void drain() throws IOException;

  /** Waits for flushes; then nothing is done any more. */
  @Override
  void close() throws IOException;
}
