package io.github.roram.tree;

import io.github.roram.OramException;
import io.github.roram.journal.Journal;
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

  /** Bytes of the journal, those of queued records included. */
  private LongSupplier recordedBytes = () -> 0;

  /** From now on steps end with a record in a journal, if they have one. */
  public void startJournal(@Nullable Journal journal) {
    recordedBytes = journal == null ? () -> 0 : journal::bytes;
  }

  /** Whether a step has begun and not ended. */
  public boolean isTorn() {
    return isTorn;
  }

  /**
   * Throws if a step did not end.
   *
   * @throws IOException with what is to be done then
   */
  public void check() throws IOException {
    if (isTorn) {
      throw new IOException(
          "an access before ended in its middle, as the log says why: for lack of memory, or by a"
              + " bug; close the store, and open it again with more memory: it has all that was"
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
    long before = recordedBytes.getAsLong();
    try {
      step.run();
      isTorn = false;
    } catch (IOException | OramException e) {
      isTorn = false;
      throw e;
    } catch (RuntimeException | Error e) {
      isTorn = recordedBytes.getAsLong() == before;
      throw e;
    }
  }

  /** The same for a step that never fails so, and may be a part of another. */
  public void changeNow(Runnable step) {
    boolean before = isTorn;
    isTorn = true;
    step.run();
    isTorn = before;
  }
}
