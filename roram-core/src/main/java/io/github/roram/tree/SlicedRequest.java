package io.github.roram.tree;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a long request in slices, a few at a time, so that short ones get their turn in between.
 * How it is cut follows from its length alone. Its calls come one after another, on the executor.
 */
final class SlicedRequest {

  /** Bytes of a slice; one bucket where that is more. */
  static final int SLICE_BYTES = 1 << 17;

  /**
   * Slices that are under way at the same time. Over a line of 12 ms, with ten clients, 2 to 6 of
   * them make 108, 123, 127, 124 and 121 accesses a second at 11 MB/s, and 438, 631, 760, 768 and
   * 780 at 125 MB/s ({@code roram experiment tao}).
   */
  static final int WINDOW = 4;

  /**
   * As many where accesses wait for what is being evicted: there are few reads then that slices
   * could hold up, and four do not fill a fast line (docs/results/overlap.md).
   */
  static final int HURRIED_WINDOW = 16;

  /** Asks for the units {@code [first, first + units)}. */
  interface Slice {
    CompletableFuture<Void> ask(int first, int units);
  }

  private final int units;
  private final int sliceUnits;
  private final Slice slice;
  private final BooleanSupplier isAwaited;
  private final Executor turns;
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private int next;
  private int underWay;
  private @Nullable Throwable failure;

  private SlicedRequest(
      int units, int unitBytes, Slice slice, BooleanSupplier isAwaited, Executor turns) {
    this.units = units;
    this.isAwaited = isAwaited;
    this.slice = slice;
    this.turns = turns;
    sliceUnits = Math.max(1, SLICE_BYTES / unitBytes);
  }

  /**
   * Makes a request of so many units. If a slice fails, no more are begun; the request fails when
   * those under way have ended.
   *
   * @param isAwaited whether accesses wait for it; asked whenever a slice has ended
   */
  static CompletableFuture<Void> of(
      int units, int unitBytes, Slice slice, BooleanSupplier isAwaited, Executor turns) {
    SlicedRequest request = new SlicedRequest(units, unitBytes, slice, isAwaited, turns);
    request.goOn();
    return request.end;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // its end is told to this
  private void goOn() {
    int window = isAwaited.getAsBoolean() ? HURRIED_WINDOW : WINDOW;
    while (failure == null && next < units && underWay < window) {
      int count = Math.min(sliceUnits, units - next);
      int first = next;
      next += count;
      underWay++;
      CompletableFuture<Void> asked = slice.ask(first, count);
      asked.whenCompleteAsync((nothing, thrown) -> ended(thrown), turns);
    }
    if (underWay == 0 && failure != null) {
      end.completeExceptionally(failure);
    } else if (underWay == 0) {
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
