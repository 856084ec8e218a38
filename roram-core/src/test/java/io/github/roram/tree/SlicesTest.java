package io.github.roram.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SlicesTest {

  private static final int UNITS = 10;

  private final Queue<Runnable> turns = new ArrayDeque<>();

  /** Be it what a journal throws, into which a slice is recorded, or a stack that is full. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void endsWithWhatASliceThrowsInsteadOfBeginning(boolean isError) {
    RuntimeException exception = new IllegalStateException("injected");
    Error error = new StackOverflowError("injected");
    PacedSlices slices =
        paced(
            (first, units) -> {
              if (first > 0 && isError) {
                throw error;
              } else if (first > 0) {
                throw exception;
              }
              return CompletableFuture.completedFuture(null);
            });
    CompletableFuture<Void> end = slices.begin();
    slices.readBegan();
    runTurns();
    assertThat(end).isCompletedExceptionally();
    assertThat(end.handle((nothing, thrown) -> thrown).join())
        .isSameAs(isError ? error : exception);
  }

  @Test
  void asksForEachUnitOnce() {
    int[] asked = new int[UNITS];
    PacedSlices slices =
        paced(
            (first, units) -> {
              for (int unit = first; unit < first + units; unit++) {
                asked[unit]++;
              }
              return CompletableFuture.completedFuture(null);
            });
    CompletableFuture<Void> end = slices.begin();
    slices.readBegan();
    runTurns();
    assertThat(end).isCompleted();
    assertThat(asked).containsOnly(1);
  }

  private PacedSlices paced(Slices.Slice slice) {
    return new PacedSlices(UNITS, Slices.SLICE_BYTES / 4, UNITS, slice, turns::add);
  }

  private void runTurns() {
    for (Runnable turn = turns.poll(); turn != null; turn = turns.poll()) {
      turn.run();
    }
  }
}
