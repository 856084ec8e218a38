package io.github.roram.tree;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.store.BucketRuns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A {@link PathEviction} that goes on beside reads: the paths are read in slices, placed at one
 * moment, written in slices and synced. The client's state is that before the chunk until it is
 * {@linkplain #applied applied}.
 *
 * <p>It may be read while the chunk before it is written, if the two are {@linkplain
 * TreeGeometry#areApart apart}. Nothing of what is read is judged before it is placed: which copies
 * are current follows from the state of that moment.
 *
 * <p>Its steps, and all calls, come one after another on the executor; buckets are opened and
 * sealed on the store's threads. Those work on copies: the stash may change meanwhile.
 */
public final class OverlappedEviction {

  /** Requests that a chunk has under way at the same time. */
  public static final int SLICES = SlicedRequest.HURRIED_WINDOW;

  private final RangeTree tree;
  private final long first;
  private final int paths;
  private final AsyncBucketStore store;
  private final BooleanSupplier isAwaited;
  private final Executor turns;
  private final List<ArrivedBlocks> arrived = new ArrayList<>();
  private boolean hasArrived;

  /** The chunk once it is placed. */
  private @Nullable PathEviction placed;

  /**
   * A chunk of a tree.
   *
   * @param first number of its first eviction
   * @param isAwaited whether accesses wait for evictions
   */
  public OverlappedEviction(
      RangeTree tree,
      long first,
      int paths,
      AsyncBucketStore store,
      BooleanSupplier isAwaited,
      Executor turns) {
    this.tree = tree;
    this.isAwaited = isAwaited;
    this.first = first;
    this.paths = paths;
    this.store = store;
    this.turns = turns;
  }

  /** The tree. */
  public RangeTree tree() {
    return tree;
  }

  /** Number of evictions. */
  public int paths() {
    return paths;
  }

  /** Number of the eviction after its last. */
  public long end() {
    return first + paths;
  }

  /** Reads the paths. Changes nothing but this. */
  public CompletableFuture<Void> read() {
    BucketRuns runs = new BucketRuns();
    PathEviction.planRead(tree, first, paths, runs);
    return SlicedRequest.of(
        runs.units(),
        runs.bucketBytes(),
        (unit, units) -> {
          BucketRuns part = new BucketRuns().resetToPart(runs, unit, units);
          ArrivedBlocks slice =
              new ArrivedBlocks(tree.memory().lanes(), part, (address, label) -> true);
          arrived.add(slice);
          return store.read(part, slice);
        },
        isAwaited,
        turns);
  }

  /** All that it reads is here. */
  public void arrived() {
    hasArrived = true;
  }

  /** Whether all that it reads is here. */
  public boolean hasArrived() {
    return hasArrived;
  }

  /**
   * Places what was read and what the client holds, and writes.
   *
   * @param syncs whether what was written is to be durable then
   */
  public CompletableFuture<Void> write(boolean syncs) {
    return CompletableFuture.completedFuture(null)
        .thenCompose(nothing -> placeAndWrite())
        .thenCompose(nothing -> syncs ? store.sync() : CompletableFuture.completedFuture(null));
  }

  private CompletableFuture<Void> placeAndWrite() {
    PathEviction chunk = new PathEviction(tree, first, paths);
    placed = chunk;
    int units = 0;
    for (ArrivedBlocks slice : arrived) {
      int base = units;
      slice.takeAll(
          (unit, slot, address, label, array, offset) ->
              chunk.offerIfCurrent(base + unit, slot, address, label, array, offset));
      units += slice.units();
    }
    chunk.place();
    chunk.holdPlaced();
    try {
      chunk.planWrite();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return write(chunk);
  }

  private CompletableFuture<Void> write(PathEviction chunk) {
    BucketRuns runs = chunk.runs();
    return SlicedRequest.of(
        runs.units(),
        runs.bucketBytes(),
        (unit, units) -> {
          BucketRuns part = new BucketRuns().resetToPart(runs, unit, units);
          return store.write(
              part,
              new SealedBuckets(
                  tree.memory().lanes(),
                  part,
                  (ofPart, plain) -> chunk.assemble(unit + ofPart, plain)));
        },
        isAwaited,
        turns);
  }

  /** The buckets are on the store: the client's state is that after the chunk. */
  public void applied() throws IOException {
    PathEviction chunk = placed();
    chunk.applied();
    close();
  }

  /**
   * Another chunk does the same evictions; if this one may have sealed some, that seals them in
   * another epoch. The store has ended what it was asked.
   */
  public void giveUp() {
    if (placed != null) {
      tree.memory().epochs().requireNew();
    }
    close();
  }

  private void close() {
    arrived.forEach(ArrivedBlocks::clear);
    arrived.clear();
    if (placed != null) {
      placed.close();
    }
  }

  private PathEviction placed() {
    return Objects.requireNonNull(placed, "a chunk that is not placed");
  }

  /** The key epoch that sealed the chunk. */
  public int epoch() {
    return placed().epoch();
  }

  /** The tombstones that left the client by it. */
  public GoneTombstones goneTombstones() {
    return placed().goneTombstones();
  }

  /** Addresses of the blocks that left the client by it. */
  public IntArrayList left() {
    return placed().left();
  }
}
