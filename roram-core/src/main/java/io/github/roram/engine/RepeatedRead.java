package io.github.roram.engine;

import io.github.roram.threads.Futures;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A read of paths that is asked for again, the same, when the store fails: up to {@link #TRIES}
 * times. Once it is abandoned it is not. All calls are made on a turn.
 */
public abstract class RepeatedRead implements Overlap.Read {

  /** So often a read is asked for before it is given up. */
  public static final int TRIES = 3;

  private final Executor turns;
  private final Runnable changed;
  private int tries;
  private boolean arrived;
  private boolean isAbandoned;
  private @Nullable Throwable failure;

  /**
   * One that was not asked for.
   *
   * @param turns runs one thing at a time, in order
   * @param changed is run when it arrived, or is given up
   */
  protected RepeatedRead(Executor turns, Runnable changed) {
    this.turns = turns;
    this.changed = changed;
  }

  /** Asks the store. */
  protected abstract CompletableFuture<Void> request();

  /**
   * The store has answered for the last time.
   *
   * @param isKept whether it arrived, and was not abandoned meanwhile
   */
  protected abstract void answered(boolean isKept);

  /** What arrives is not wanted any more. */
  public final void abandon() {
    isAbandoned = true;
  }

  /** Whether what arrives is not wanted any more. */
  protected final boolean isAbandoned() {
    return isAbandoned;
  }

  /** Asks for it the first time. */
  @SuppressWarnings("FutureReturnValueIgnored") // its end is told to this
  protected final void ask() {
    tries++;
    Futures.begun(this::request).whenCompleteAsync((nothing, thrown) -> answered(thrown), turns);
  }

  /** Asks for what comes behind that which arrived, as often if it fails. */
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
    } catch (RuntimeException | Error e) { // whatever it is, who waits for the read learns of it
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
