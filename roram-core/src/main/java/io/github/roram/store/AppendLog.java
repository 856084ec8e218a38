package io.github.roram.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * A file of the trusted client that only grows at its end: the medium of the journal.
 *
 * <p>Obligations: {@link #append} puts the bytes after all others, and a kill of this process does
 * not undo it; bytes appended before a {@link #sync} that returned survive a power failure; of
 * bytes appended after the last sync, any part may be missing or wrong after a power failure. A
 * failed append may leave part of its bytes at the end. Thread safety: one thread at a time
 * appends, while another may sync.
 */
public interface AppendLog extends Closeable {

  /** Returns the length in bytes. */
  long bytes() throws IOException;

  /**
   * Appends all remaining bytes.
   *
   * @throws StoreFullException if the medium has no room left
   */
  void append(ByteBuffer bytes) throws IOException;

  /** Returns once everything appended before is durable. */
  void sync() throws IOException;

  /** Reads from the start; the caller closes the stream. */
  InputStream read() throws IOException;

  /** Cuts the log to a shorter length, durably. */
  void truncate(long bytes) throws IOException;

  @Override
  void close() throws IOException;
}
