package io.github.roram.tree;

import io.github.roram.threads.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A long request made in slices, so that short ones get their turn in between. How it is cut
 * follows from its length and its pace. If a slice fails, no more are begun.
 *
 * <p>Calls come one after another, on an executor, which also learns there that a slice has ended.
 */
public final class Slices {

  /** Bytes of a slice; one bucket where that is more. */
  static final int SLICE_BYTES = 1 << 17;

  /** Where slices may end. */
  @FunctionalInterface
  public interface Cut {
    /**
     * Returns the first place, at or after {@code end}, where a slice may end: the number of the
     * unit that follows it.
     */
    int at(int end);
  }

  /** Asks for the units {@code [first, first + units)}. */
  @FunctionalInterface
  public interface Slice {
    /** Asks. */
    CompletableFuture<Void> ask(int first, int units);
  }

  /** When how much is asked for. */
  @FunctionalInterface
  public interface Pace {
    /**
     * Returns the most units of the next slice; 0 if none is to be begun yet. Where no slice is
     * under way one has to be.
     *
     * @param underWay slices
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

  /** Ends when all slices did; fails, if one does, when those under way have ended. */
  public CompletableFuture<Void> end() {
    return end;
  }

  /** Begins as many slices as may be. */
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
