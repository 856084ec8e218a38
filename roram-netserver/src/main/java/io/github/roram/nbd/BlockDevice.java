package io.github.roram.nbd;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * A device that an export serves: bytes that are read and written at any offset. Requests return at
 * once and complete later, on any thread and in any order; a request made after another completed
 * sees its effects. The device owns a request's buffer until then, and does not move its position.
 * Requests are within the device, and not empty.
 *
 * <p>Thread safety: safe.
 */
public interface BlockDevice extends Closeable {

  /** Returns the size in bytes. */
  long bytes();

  /** Returns the block size of accesses in bytes: a multiple of 512. */
  int blockBytes();

  /** Returns the longest request to recommend to clients, in bytes; longer ones work. */
  int longestBytes();

  /** Fills a buffer. */
  CompletableFuture<Void> read(long offset, ByteBuffer target);

  /**
   * Writes the bytes of a buffer.
   *
   * @param durable whether they must be durable when the future completes (FUA)
   */
  CompletableFuture<Void> write(long offset, ByteBuffer source, boolean durable);

  /** Returns whether {@link #trim} has an effect, and {@link #zero} writes no whole blocks. */
  default boolean trims() {
    return true;
  }

  /** Writes {@code length} zeros. */
  CompletableFuture<Void> zero(long offset, long length, boolean durable);

  /** Discards bytes, which then read as zeros or as before. */
  CompletableFuture<Void> trim(long offset, long length, boolean durable);

  /** Completes once everything that completed before this call is durable. */
  CompletableFuture<Void> flush();

  /** Completes all requests, and makes them durable. */
  @Override
  void close() throws IOException;
}
