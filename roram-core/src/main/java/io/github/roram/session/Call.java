package io.github.roram.session;

import io.github.roram.engine.Transfer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call from its submission to its answer: an access, a trim, a flush, or the last call, which
 * closes the ORAM. Its progress is recorded here, on turns.
 */
final class Call {

  /** The transfer of an access; null for other calls. */
  final @Nullable Transfer transfer;

  /** The blocks to trim; null for other calls. */
  final @Nullable Trim trim;

  private final Answer future = new Answer();

  /**
   * A future that knows whether a stage depends on it. A thread that only waits for it is no stage.
   */
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

  /** Numbers of reads: that an access takes, that have begun, and that were applied. */
  int reads;

  int begun;
  int applied;

  /** Whether nothing is left to do but wait until its record is durable. */
  boolean done;

  /** Number of the record that must be durable before the answer; 0 for none. */
  long record;

  /** Whether the call holds a permit until it is answered. */
  boolean tookRoom;

  /** Whether there was room to record a trim. */
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

  /** Returns the last call, which is answered after all others. */
  static Call end() {
    return new Call(null, null);
  }

  boolean isFlush() {
    return transfer == null && trim == null;
  }

  CompletableFuture<Void> future() {
    return future;
  }

  /** Returns whether this thread is making the call, so that no other thread has its future yet. */
  boolean isBeingMadeHere() {
    return Thread.currentThread().equals(caller);
  }

  /** Returns whether a stage of its future waits for the answer. */
  boolean hasStages() {
    return future.hasStages;
  }

  /** Ends the making of the call; returns its future. */
  CompletableFuture<Void> made() {
    caller = null;
    return future;
  }

  /** Completes the future. */
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
