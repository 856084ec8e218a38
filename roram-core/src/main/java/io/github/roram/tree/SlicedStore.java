package io.github.roram.tree;

import io.github.roram.store.AsyncBucketStore;
import io.github.roram.store.BucketRuns;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;

/**
 * A store that is asked for long requests in {@link Slices}, a few at a time. How a request is cut
 * follows from its length, and from what the store keeps together.
 */
public final class SlicedStore {

  /**
   * Slices of a request that are under way at the same time. Over a line of 12 ms, with ten
   * clients, 2 to 6 of them make 108, 123, 127, 124 and 121 accesses a second at 11 MB/s, and 438,
   * 631, 760, 768 and 780 at 125 MB/s ({@code roram experiment tao}).
   */
  private static final int WINDOW = 4;

  /**
   * Number of slices in flight while accesses wait for evictions: then there are few reads that
   * slices could delay, and four slices do not fill a fast line (docs/results/overlap.md).
   */
  public static final int HURRIED_WINDOW = 16;

  private final AsyncBucketStore store;
  private final IntUnaryOperator unitOf;
  private final BooleanSupplier isAwaited;
  private final Executor turns;

  /** Asks for a part of a request. */
  @FunctionalInterface
  interface Slice {
    /**
     * Asks.
     *
     * @param first number, in the whole request, of its first unit
     */
    CompletableFuture<Void> ask(BucketRuns part, int first);
  }

  /**
   * Creates a view that asks a store in slices.
   *
   * @param unitOf {@link io.github.roram.store.BucketStore#unit} of a tree
   * @param isAwaited returns whether accesses wait for the data; called whenever a slice has ended
   * @param turns runs one task at a time, in order
   */
  public SlicedStore(
      AsyncBucketStore store, IntUnaryOperator unitOf, BooleanSupplier isAwaited, Executor turns) {
    this.store = store;
    this.unitOf = unitOf;
    this.isAwaited = isAwaited;
    this.turns = turns;
  }

  /** Returns the store, for requests that are not cut. */
  AsyncBucketStore whole() {
    return store;
  }

  /**
   * Makes a request. If a slice fails, no more are begun; the request fails when those under way
   * have ended.
   *
   * @param runs stays as it is until the last slice was begun
   */
  CompletableFuture<Void> request(BucketRuns runs, Slice slice) {
    int together = unitOf.applyAsInt(runs.tree());
    Slices slices =
        new Slices(
            runs.units(),
            runs.bucketBytes(),
            (first, units) -> slice.ask(new BucketRuns().resetToPart(runs, first, units), first),
            underWay -> underWay < window() ? runs.units() : 0,
            end -> runs.endOfWhole(end, together),
            turns);
    slices.goOn();
    return slices.end();
  }

  private int window() {
    return isAwaited.getAsBoolean() ? HURRIED_WINDOW : WINDOW;
  }
}
