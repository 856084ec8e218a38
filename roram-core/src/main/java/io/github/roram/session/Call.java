package io.github.roram.session;

import io.github.roram.engine.Transfer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call that is not answered: an access, a trim, a flush, or the last one, which closes. What
 * became of it is noted here, on turns.
 */
final class Call {

  /** What an access moves; null for others. */
  final @Nullable Transfer transfer;

  /** The blocks to trim; null for other calls. */
  final @Nullable Trim trim;

  private final Answer future = new Answer();

  /** A future that knows whether anything depends on it; who just waits does not. */
  private static final class Answer extends CompletableFuture<Void> {
    private volatile boolean hasStages;

    @Override
    public <T> CompletableFuture<T> newIncompleteFuture() {
      hasStages = true;
      return new CompletableFuture<>();
    }
  }

  /** The thread that makes the call, until the call has returned. */
  private @Nullable Thread caller = Thread.currentThread();

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

  private Call(@Nullable Transfer transfer, @Nullable Trim trim) {
    this.transfer = transfer;
    this.trim = trim;
  }

  /** Returns an access. */
  static Call access(Transfer transfer) {
    return new Call(transfer, null);
  }

  /** Returns a trim. */
  static Call trim(long first, long count) {
    return new Call(null, new Trim(first, count));
  }

  /** Returns a flush. */
  static Call flush() {
    return new Call(null, null);
  }

  /** Returns the last one; answered behind all others. */
  static Call end() {
    return new Call(null, null);
  }

  boolean isFlush() {
    return transfer == null && trim == null;
  }

  CompletableFuture<Void> future() {
    return future;
  }

  /** Returns whether this thread makes it, and nobody has its future yet. */
  boolean isBeingMadeHere() {
    return Thread.currentThread().equals(caller);
  }

  /** Returns whether something is to be done once it is answered. */
  boolean hasStages() {
    return future.hasStages;
  }

  /** Returns to the caller. */
  CompletableFuture<Void> made() {
    caller = null;
    return future;
  }

  /** Tells who called. */
  void answer() {
    Throwable thrown = failure;
    if (thrown == null && transfer != null) {
      thrown = transfer.programFailure();
    }
    if (thrown == null) {
      future.complete(null);
    } else {
      future.completeExceptionally(thrown);
    }
  }
}
