package io.github.roram.session;

import io.github.roram.engine.Transfer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call of {@link OverlappedCalls} that is not answered: an access, a trim or a flush. What became
 * of it is noted here, on turns.
 */
final class OverlappedCall {

  /** What an access moves; null for others. */
  final @Nullable Transfer transfer;

  /** What is trimmed; null for others. */
  final @Nullable Trim trim;

  private final CompletableFuture<Void> future = new CompletableFuture<>();

  /** How many reads an access takes, were begun, and were applied. */
  int reads;

  int begun;
  int applied;

  /** Whether nothing is left to do, but to wait for its record to be durable. */
  boolean done;

  /** Number of the record that it waits for; 0 for none. */
  long record;

  /** Whether it counts against the calls that may be under way, until it is answered. */
  boolean tookRoom;

  /** Whether a trim had room. */
  volatile boolean trimmed;

  @Nullable Throwable failure;

  /** Consecutive blocks that are to read as zeros. */
  record Trim(long first, long count) {}

  private OverlappedCall(@Nullable Transfer transfer, @Nullable Trim trim) {
    this.transfer = transfer;
    this.trim = trim;
  }

  /** An access. */
  static OverlappedCall access(Transfer transfer) {
    return new OverlappedCall(transfer, null);
  }

  /** A trim. */
  static OverlappedCall trim(long first, long count) {
    return new OverlappedCall(null, new Trim(first, count));
  }

  /** A flush. */
  static OverlappedCall flush() {
    return new OverlappedCall(null, null);
  }

  boolean isFlush() {
    return transfer == null && trim == null;
  }

  CompletableFuture<Void> future() {
    return future;
  }

  /** Tells who called. */
  void answer() {
    if (failure == null) {
      future.complete(null);
    } else {
      future.completeExceptionally(failure);
    }
  }
}
