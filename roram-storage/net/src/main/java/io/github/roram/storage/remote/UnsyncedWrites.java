package io.github.roram.storage.remote;

import io.github.roram.storage.remote.WriteCall.WriteRequest;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes that the server may still lose, in the order in which they were issued: those that are not
 * durable, and those under way.
 *
 * <p>Thread safety: safe.
 */
final class UnsyncedWrites {

  /** Sends a write again. */
  @FunctionalInterface
  interface Resend {
    void send(WriteRequest write) throws IOException;
  }

  private final Set<WriteRequest> writes = new LinkedHashSet<>();
  private long bytes;

  /** A write is about to be sent. */
  synchronized void begin(WriteRequest write) {
    writes.add(write);
    bytes += write.bytes();
  }

  /** The server has the write. */
  synchronized void acknowledged(WriteRequest write) {
    write.acknowledge();
  }

  /** The caller was told that the write failed: it must not come back later. */
  synchronized void failed(WriteRequest write) {
    forget(write);
  }

  private void forget(WriteRequest write) {
    if (writes.remove(write)) {
      bytes -= write.bytes();
      write.release();
    }
  }

  /** Bytes of memory held. */
  synchronized long bytes() {
    return bytes;
  }

  /** The writes that a sync from now on makes durable. */
  synchronized List<WriteRequest> acknowledgedWrites() {
    return writes.stream().filter(WriteRequest::isAcknowledged).toList();
  }

  /** These writes are durable. */
  synchronized void synced(List<WriteRequest> durable) {
    durable.forEach(this::forget);
  }

  /** Sends everything again, in order. Others wait meanwhile. */
  synchronized void replay(Resend resend) throws IOException {
    for (WriteRequest write : writes) {
      resend.send(write);
    }
  }

  synchronized void clear() {
    writes.forEach(WriteRequest::release);
    writes.clear();
    bytes = 0;
  }
}
