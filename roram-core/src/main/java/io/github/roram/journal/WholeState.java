package io.github.roram.journal;

import io.github.roram.OramException;
import io.github.roram.threads.IoTask;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether what a client knows is of one piece. The steps that change it ask the store for nothing,
 * so what ends one in its middle is a lack of memory, or a bug. What is known then fits no journal:
 * nothing more is done with it, and it is not saved. The next opening goes on from what was
 * recorded, as after a crash.
 *
 * <p>Not thread safe.
 */
public final class WholeState {

  private boolean isTorn;

  /** How many records there are, queued ones included; null if none are made. */
  private @Nullable LongSupplier records;

  /** From now on steps end with a record, of which that is the number; null where none are made. */
  public void startRecords(@Nullable LongSupplier number) {
    records = number;
  }

  /** Whether a step has begun and not ended. */
  public boolean isTorn() {
    return isTorn;
  }

  /** Says that a step did not end, and what is to be done. */
  public static final class TornException extends IOException {
    private static final long serialVersionUID = 1L;

    TornException(String remedy) {
      super(
          "an access before ended in its middle, as the log says why: for lack of memory, or by a"
              + " bug; "
              + remedy);
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
                  + " acknowledged");
    }
  }

  /**
   * Makes a step, unless one before did not end. One whose record is queued has ended, whatever
   * becomes of the record; so has one that fails with an exception that the step itself throws.
   */
  public void change(IoTask step) throws IOException {
    check();
    isTorn = true;
    long before = recorded();
    try {
      step.run();
      isTorn = false;
    } catch (IOException | OramException e) {
      isTorn = false;
      throw e;
    } catch (RuntimeException | Error e) {
      isTorn = recorded() == before;
      throw e;
    }
  }

  private long recorded() {
    return records == null ? 0 : records.getAsLong();
  }

  /** The same for a step that never fails so, and may be a part of another. */
  public void changeNow(Runnable step) {
    boolean before = isTorn;
    isTorn = true;
    step.run();
    isTorn = before;
  }
}
