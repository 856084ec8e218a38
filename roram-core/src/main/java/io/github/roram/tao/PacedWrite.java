package io.github.roram.tao;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A write-back in slices, as fast as paths are read: for each read that begins so much is written
 * that a write-back of k paths takes somewhat fewer than k reads; beside that, one slice is always
 * under way. So the requests of reads never wait behind much of it on the line, and it needs no
 * answers to go on, which wait behind what is being read. Without room for reads all of it is asked
 * for.
 *
 * <p>How it is cut follows from its length, when from the reads. Calls come one after another, on
 * the executor.
 */
final class PacedWrite {

  /** Bytes of a slice; one bucket where that is more. */
  private static final int SLICE_BYTES = 1 << 17;

  /**
   * How much faster than paths are read. With less, write-backs do not keep up; with more, requests
   * of reads wait behind them: 2 costs a twentieth of the accesses at 11 MB/s and 12 ms.
   */
  private static final int HASTE_PERCENT = 125;

  /** Asks for the units {@code [first, first + units)}. */
  interface Slice {
    /** Asks. */
    CompletableFuture<Void> ask(int first, int units);
  }

  private final int units;
  private final int sliceUnits;
  private final int unitsForRead;
  private final Slice slice;
  private final Executor turns;
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private int next;
  private int underWay;
  private int allowed;
  private @Nullable Throwable failure;

  /**
   * A write, of which nothing is asked for yet.
   *
   * @param paths k
   */
  PacedWrite(int units, int unitBytes, int paths, Slice slice, Executor turns) {
    this.units = units;
    this.slice = slice;
    this.turns = turns;
    sliceUnits = Math.max(1, SLICE_BYTES / unitBytes);
    unitsForRead = (units * HASTE_PERCENT / 100 + paths - 1) / paths;
  }

  /** Begins; the future fails, if a slice does, when those under way have ended. */
  CompletableFuture<Void> begin() {
    goOn();
    return end;
  }

  /** A read was asked for. */
  void readBegan() {
    allowed = Math.min(units, allowed + unitsForRead);
    goOn();
  }

  /** Reads wait for this to end. */
  void hurry() {
    allowed = units;
    goOn();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // its end is told to this
  private void goOn() {
    while (failure == null && next < units && (underWay == 0 || allowed > 0)) {
      int most = allowed > 0 ? Math.min(allowed, sliceUnits) : sliceUnits;
      int count = Math.min(most, units - next);
      int first = next;
      next += count;
      allowed = Math.max(0, allowed - count);
      underWay++;
      slice.ask(first, count).whenCompleteAsync((nothing, thrown) -> ended(thrown), turns);
    }
    if (underWay == 0 && failure != null) {
      end.completeExceptionally(failure);
    } else if (underWay == 0 && next == units) {
      end.complete(null);
    }
  }

  private void ended(@Nullable Throwable thrown) {
    underWay--;
    if (failure == null) {
      failure = thrown;
    }
    goOn();
  }
}
