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

  /** Keeps a write that is about to be sent. */
  synchronized void begin(WriteRequest write) {
    writes.add(write);
    bytes += write.bytes();
  }

  /** Notes that the server has acknowledged a write. */
  synchronized void acknowledged(WriteRequest write) {
    write.acknowledge();
  }

  /** Drops a write that failed: its caller was told, so it must not be sent again later. */
  synchronized void failed(WriteRequest write) {
    forget(write);
  }

  private void forget(WriteRequest write) {
    if (writes.remove(write)) {
      bytes -= write.bytes();
      write.release();
    }
  }

  /** Returns the bytes of memory held. */
  synchronized long bytes() {
    return bytes;
  }

  /** Returns the writes that a sync makes durable if it begins now. */
  synchronized List<WriteRequest> acknowledgedWrites() {
    return writes.stream().filter(WriteRequest::isAcknowledged).toList();
  }

  /** Drops writes that are durable. */
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
