package io.github.roram.engine;

import io.github.roram.OramException;
import io.github.roram.threads.IoCall;
import io.github.roram.threads.IoTask;
import java.io.IOException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the client's state in memory is consistent. The steps that change it make no
 * requests to the store, so only a lack of memory or a bug can end a step in the middle. The state
 * then matches no journal: it is neither used nor saved any more. The next opening continues from
 * the records, as after a crash.
 *
 * <p>Not thread safe.
 */
public final class WholeState {

  private boolean isTorn;

  /** The exception that ended a step in the middle, if known. */
  private @Nullable Throwable cause;

  /** Returns the number of records, queued ones included; null if none are made. */
  private @Nullable LongSupplier records;

  /**
   * Expects that each step ends with a record from now on.
   *
   * @param number returns the number of records; null if none are made
   */
  public void startRecords(@Nullable LongSupplier number) {
    records = number;
  }

  /** Returns whether a step has begun and not ended. */
  public boolean isTorn() {
    return isTorn;
  }

  /** Thrown if a step did not end; the message contains the remedy. */
  public static final class TornException extends IOException {
    private static final long serialVersionUID = 1L;

    TornException(String remedy, @Nullable Throwable cause) {
      super(
          "an earlier access broke off in its middle, for lack of memory or because of a bug; "
              + remedy,
          cause);
    }
  }

  /** Throws if a step did not end. */
  public void check() throws TornException {
    if (isTorn) {
      throw new TornException(
          records == null
              ? "with durability NONE nothing is recorded, so the store is lost: restore it from a"
                  + " copy"
              : "close the store, and open it again with more memory: it has all that was"
                  + " acknowledged",
          cause);
    }
  }

  /**
   * Makes a step, unless an earlier one did not end. A step whose record is queued has ended,
   * whatever becomes of the record. A step has also ended if it throws an {@link OramException},
   * which it may throw only before it changes anything, or an {@link IOException}, which it may
   * throw then or because of its record: if a record was not even queued, the journal has failed,
   * and a checkpoint comes before the next access.
   *
   * @return what the step returns
   */
  public <T extends @Nullable Object> T change(IoCall<T> step) throws IOException {
    check();
    isTorn = true;
    long before = recorded();
    try {
      T result = step.call();
      isTorn = false;
      return result;
    } catch (IOException | OramException e) {
      isTorn = false;
      throw e;
    } catch (RuntimeException | Error e) {
      isTorn = recorded() == before;
      cause = e;
      throw e;
    }
  }

  /** Makes a step that returns nothing, as {@link #change(IoCall)} does. */
  public void change(IoTask step) throws IOException {
    change(
        () -> {
          step.run();
          return this;
        });
  }

  private long recorded() {
    return records == null ? 0 : records.getAsLong();
  }

  /** Makes a step that throws no such exception, and may be part of another step. */
  public <T extends @Nullable Object> T changeNow(Supplier<T> step) {
    boolean before = isTorn;
    isTorn = true;
    T result = step.get();
    isTorn = before;
    return result;
  }
}
