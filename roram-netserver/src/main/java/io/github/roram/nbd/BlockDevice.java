package io.github.roram.nbd;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * What an export serves: bytes that are read and written at any place. Requests return at once and
 * complete later, on any thread and in any order; a request that comes after the answer of another
 * sees what that one did. Buffers are the device's until then; their positions stay. Requests lie
 * within the device, and are not empty.
 *
 * <p>Thread safety: safe.
 */
public interface BlockDevice extends Closeable {

  /** Size in bytes. */
  long bytes();

  /** The block that accesses are made of, in bytes: a multiple of 512. */
  int blockBytes();

  /** Longest request, in bytes, that clients are asked to make; longer ones work. */
  int longestBytes();

  /** Fills a buffer. */
  CompletableFuture<Void> read(long offset, ByteBuffer target);

  /**
   * Writes the bytes of a buffer.
   *
   * @param durable whether they must be durable when the future completes (FUA)
   */
  CompletableFuture<Void> write(long offset, ByteBuffer source, boolean durable);

  /** Whether {@link #trim} does anything, and {@link #zero} moves no bytes of whole blocks. */
  default boolean trims() {
    return true;
  }

  /** Writes so many zeros. */
  CompletableFuture<Void> zero(long offset, long length, boolean durable);

  /** The bytes are needed no more: they read as zeros or as before. */
  CompletableFuture<Void> trim(long offset, long length, boolean durable);

  /** Completes once all that was answered before this call is durable. */
  CompletableFuture<Void> flush();

  /** Completes what was asked for, and makes it durable. */
  @Override
  void close() throws IOException;
}
