package io.github.roram.engine;

import io.github.roram.threads.Futures;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A read of paths that is repeated unchanged when the store fails, up to {@link #TRIES} times,
 * unless it has been abandoned. All calls are made on a turn.
 */
public abstract class RepeatedRead implements Overlap.Read {

  /** Most attempts of a read. */
  public static final int TRIES = 3;

  private final Executor turns;
  private final Runnable changed;
  private int tries;
  private boolean arrived;
  private boolean isAbandoned;
  private @Nullable Throwable failure;

  /**
   * Creates a read that has not been sent.
   *
   * @param turns runs one task at a time, in order
   * @param changed runs when the read has arrived or is given up
   */
  protected RepeatedRead(Executor turns, Runnable changed) {
    this.turns = turns;
    this.changed = changed;
  }

  /** Sends the read to the store. */
  protected abstract CompletableFuture<Void> request();

  /**
   * Called with the store's last answer.
   *
   * @param isKept whether the read arrived, and was not abandoned before
   */
  protected abstract void answered(boolean isKept);

  /** Abandons the read: its result is no longer needed. */
  public final void abandon() {
    isAbandoned = true;
  }

  /** Returns whether the read has been abandoned. */
  protected final boolean isAbandoned() {
    return isAbandoned;
  }

  /** Sends the read for the first time. */
  @SuppressWarnings("FutureReturnValueIgnored") // its end is reported to this object
  protected final void ask() {
    tries++;
    Futures.begun(this::request).whenCompleteAsync((nothing, thrown) -> answered(thrown), turns);
  }

  /** Sends a further read, after the first has arrived, with as many attempts. */
  protected final void askAnew() {
    tries = 0;
    arrived = false;
    ask();
  }

  private void answered(@Nullable Throwable thrown) {
    Throwable cause = thrown == null ? null : Futures.cause(thrown);
    if (cause instanceof IOException && tries < TRIES && !isAbandoned) {
      ask();
      return;
    }
    failure = cause;
    arrived = cause == null;
    try {
      answered(arrived && !isAbandoned);
    } catch (RuntimeException | Error e) { // whatever it is, the waiting call learns of it
      failure = e;
    }
    changed.run();
  }

  @Override
  public boolean hasArrived() {
    return arrived;
  }

  @Override
  public final @Nullable Throwable failure() {
    return failure;
  }
}
