package io.github.roram.tree;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.store.BucketRuns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * A {@link PathEviction} that goes on beside reads: the paths are read in slices, placed at one
 * moment, written in slices and synced. The client's state is that before the chunk until it is
 * {@linkplain #applied applied}.
 *
 * <p>Its steps, and all calls, come one after another on the executor; buckets are opened and
 * sealed on the store's threads. Those work on copies: the stash may change meanwhile.
 */
public final class OverlappedEviction {

  /** Requests that a chunk has under way at the same time. */
  public static final int SLICES = SlicedRequest.HURRIED_WINDOW;

  private final RangeTree tree;
  private final int paths;
  private final PathEviction chunk;
  private final AsyncBucketStore store;
  private final BooleanSupplier isAwaited;
  private final Executor turns;
  private final Set<Rule> rules;
  private final List<ArrivedBlocks> arrived = new ArrayList<>();

  /**
   * The next chunk of a tree.
   *
   * @param isAwaited whether accesses wait for evictions
   */
  public OverlappedEviction(
      RangeTree tree,
      int paths,
      AsyncBucketStore store,
      BooleanSupplier isAwaited,
      Executor turns,
      Set<Rule> rules) {
    this.tree = tree;
    this.isAwaited = isAwaited;
    this.paths = paths;
    this.store = store;
    this.turns = turns;
    this.rules = rules;
    chunk = new PathEviction(tree, paths);
  }

  /** The tree. */
  public RangeTree tree() {
    return tree;
  }

  /** Number of evictions. */
  public int paths() {
    return paths;
  }

  /**
   * Reads, places, writes.
   *
   * @param syncs whether what was written is to be durable then
   */
  public CompletableFuture<Void> run(boolean syncs) {
    return read()
        .thenComposeAsync(nothing -> placeAndWrite(), turns)
        .thenCompose(nothing -> syncs ? store.sync() : CompletableFuture.completedFuture(null));
  }

  private CompletableFuture<Void> read() {
    BucketRuns runs = chunk.runs();
    return SlicedRequest.of(
        runs.units(),
        runs.bucketBytes(),
        (first, units) -> {
          BucketRuns part = new BucketRuns().resetToPart(runs, first, units);
          ArrivedBlocks slice =
              new ArrivedBlocks(tree.memory().lanes(), part, (address, label) -> true);
          arrived.add(slice);
          return store.read(part, slice);
        },
        isAwaited,
        turns);
  }

  private CompletableFuture<Void> placeAndWrite() {
    int first = 0;
    for (ArrivedBlocks slice : arrived) {
      int base = first;
      slice.takeAll(
          (unit, slot, address, label, array, offset) ->
              chunk.offerIfCurrent(base + unit, slot, address, label, array, offset));
      first += slice.units();
    }
    chunk.place();
    chunk.holdPlaced();
    try {
      chunk.planWrite();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!rules.contains(Rule.STATE)) {
      chunk.applied();
    }
    return write();
  }

  private CompletableFuture<Void> write() {
    BucketRuns runs = chunk.runs();
    return SlicedRequest.of(
        runs.units(),
        runs.bucketBytes(),
        (first, units) -> {
          BucketRuns part = new BucketRuns().resetToPart(runs, first, units);
          return store.write(
              part,
              new SealedBuckets(
                  tree.memory().lanes(),
                  part,
                  (unit, plain) -> chunk.assemble(first + unit, plain)));
        },
        isAwaited,
        turns);
  }

  /** The buckets are on the store: the client's state is that after the chunk. */
  public void applied() throws IOException {
    if (!rules.contains(Rule.EPOCH)) {
      chunk.takeEpochInUse();
    }
    if (!rules.contains(Rule.STAMP)) {
      chunk.forgetStamps();
    }
    if (rules.contains(Rule.STATE)) {
      chunk.applied();
    }
    close();
  }

  /** The chunk failed: another does the same evictions, and seals them in another epoch. */
  public void giveUp() {
    tree.memory().epochs().requireNew();
    close();
  }

  private void close() {
    arrived.forEach(ArrivedBlocks::clear);
    arrived.clear();
    chunk.close();
  }

  /** The key epoch that sealed the chunk. */
  public int epoch() {
    return chunk.epoch();
  }

  /** The tombstones that left the client by it. */
  public GoneTombstones goneTombstones() {
    return chunk.goneTombstones();
  }

  /** Addresses of the blocks that left the client by it. */
  public IntArrayList left() {
    return chunk.left();
  }
}
