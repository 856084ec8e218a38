package io.github.roram.tree;

import io.github.roram.threads.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A long request made in slices, so that short ones get their turn in between. Its length and its
 * pace determine the slices. If a slice fails, no more are begun.
 *
 * <p>Calls come one after another, on an executor, on which this object also learns that a slice
 * has ended.
 */
public final class Slices {

  /** Bytes of a slice, or one bucket if that is longer. */
  static final int SLICE_BYTES = 1 << 17;

  /** The places where slices may end. */
  @FunctionalInterface
  public interface Cut {
    /**
     * Returns the first place, at or after {@code end}, where a slice may end: the number of the
     * unit that follows it.
     */
    int at(int end);
  }

  /** Requests the units of a slice. */
  @FunctionalInterface
  public interface Slice {
    /** Requests the units {@code [first, first + units)}. */
    CompletableFuture<Void> ask(int first, int units);
  }

  /** Decides when, and how much, to request. */
  @FunctionalInterface
  public interface Pace {
    /**
     * Returns the most units of the next slice; 0 to begin none yet, which is allowed only while a
     * slice is in flight.
     *
     * @param underWay number of slices in flight
     */
    int mostUnits(int underWay);
  }

  private final int units;
  private final int sliceUnits;
  private final Slice slice;
  private final Pace pace;
  private final Cut cut;
  private final Executor turns;
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private int next;
  private int underWay;
  private @Nullable Throwable failure;

  /** Creates a request of which nothing has been sent, and which may be cut only at some places. */
  Slices(int units, int unitBytes, Slice slice, Pace pace, Cut cut, Executor turns) {
    this.units = units;
    this.slice = slice;
    this.pace = pace;
    this.cut = cut;
    this.turns = turns;
    sliceUnits = Math.max(1, SLICE_BYTES / unitBytes);
  }

  /**
   * Returns a future that completes when all slices have ended. If a slice fails, the future fails
   * once the slices in flight have ended.
   */
  public CompletableFuture<Void> end() {
    return end;
  }

  /**
   * Begins slices until the pace allows no more, all units have been requested, or a slice has
   * failed.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // its end is told to this
  public void goOn() {
    int most = mostUnits();
    while (most > 0) {
      int first = next;
      int count = most;
      next += count;
      underWay++;
      Futures.begun(() -> slice.ask(first, count))
          .whenCompleteAsync((nothing, thrown) -> ended(thrown), turns);
      most = mostUnits();
    }
    if (underWay == 0 && failure != null) {
      end.completeExceptionally(failure);
    } else if (underWay == 0) {
      end.complete(null);
    }
  }

  private int mostUnits() {
    int left = failure == null ? units - next : 0;
    int most = left == 0 ? 0 : Math.min(Math.min(left, sliceUnits), pace.mostUnits(underWay));
    return most == 0 ? 0 : cut.at(next + most) - next;
  }

  private void ended(@Nullable Throwable thrown) {
    underWay--;
    if (failure == null) {
      failure = thrown;
    }
    goOn();
  }
}
