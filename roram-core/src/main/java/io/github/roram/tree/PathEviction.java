package io.github.roram.tree;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A chunk of evictions: BatchEvict of a sub-ORAM (rORAM, §V, Algorithm 2). It reads the paths,
 * drops stale copies, places their blocks and those of the stash, and writes the paths. The tree
 * changes only when the chunk is {@linkplain #applied applied}; a chunk that failed is {@linkplain
 * #close closed}, and another one does the same evictions.
 *
 * <p>What it reads is fixed when it is planned. What it writes is sealed in one key epoch, which it
 * holds before it writes anything.
 *
 * <p>It either {@linkplain #run runs} while the caller waits, with one request to read and one to
 * write, or runs in slices, concurrently with reads and other chunks. In the second case it may be
 * read while the previous chunk is being written, if the two are {@linkplain TreeGeometry#areApart
 * apart}: no copy is judged before blocks are placed, so which copies are current follows from the
 * state at that moment. From then on the stash may change, because the placed blocks were copied.
 * Steps, and all calls, come one after another; buckets are opened and sealed on the store's
 * threads.
 */
public final class PathEviction implements AutoCloseable {

  private final RangeTree tree;
  private final TreeGeometry geometry;
  private final long first;
  private final int paths;

  /** The paths to read, and later the paths to write. */
  private final BucketRuns runs;

  private final List<ArrivedBlocks> arrived = new ArrayList<>();
  private boolean hasArrived;
  private @Nullable Blocks blocks;
  private final IntArrayList left = new IntArrayList();
  private TombstoneLiveness.Gone goneTombstones = TombstoneLiveness.Gone.NONE;
  private int epoch;

  /**
   * Creates a chunk of a tree.
   *
   * @param first number of its first eviction
   */
  public PathEviction(RangeTree tree, long first, int paths) {
    this.tree = tree;
    this.paths = paths;
    geometry = tree.geometry();
    this.first = first;
    runs = tree.memory().requests().lend();
    planRead();
  }

  /**
   * Names the buckets to read, beginning with the levels nearest the root: at each level, those
   * whose places the chunk's own buckets will take.
   */
  private void planRead() {
    runs.reset(IoPhase.EVICT_READ, geometry.tree(), tree.descriptor().sealedBytes());
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      int width = (int) Math.min(paths, 1L << level);
      tree.versions().addRun(runs, level, first - (1L << level), width);
    }
  }

  /** Returns the tree. */
  public RangeTree tree() {
    return tree;
  }

  /** Returns the number of its first eviction. */
  public long first() {
    return first;
  }

  /** Returns the number of evictions. */
  public int paths() {
    return paths;
  }

  /** Returns the number of the eviction after its last. */
  public long end() {
    return first + paths;
  }

  /** Reads the paths, places and writes, in one request each. */
  void run() throws IOException {
    Blocks met = new Blocks();
    blocks = met;
    tree.memory().flow().read(tree.buckets(), runs, met::offerCurrent);
    met.place();
    planWrite(met.buffer);
    tree.memory()
        .epochs()
        .write(epoch, held -> tree.memory().flow().write(tree.buckets(), runs, met::assemble));
  }

  /** Reads the paths. Changes only this object. */
  public CompletableFuture<Void> read(SlicedStore store) {
    return store.request(
        runs,
        (part, unit) -> {
          ArrivedBlocks slice =
              new ArrivedBlocks(
                  tree.memory().lanes(),
                  part,
                  tree.liveness().tombstones() != null,
                  (inPart, address, label) -> true);
          arrived.add(slice);
          return store.whole().read(part, slice.sink());
        });
  }

  /** Notes that everything it reads has arrived. */
  public void arrived() {
    hasArrived = true;
  }

  /** Returns whether all buckets that this chunk reads have arrived. */
  public boolean hasArrived() {
    return hasArrived;
  }

  /**
   * Places the blocks that were read and those that the client holds, and writes.
   *
   * @param syncs whether the data must be durable when the future completes
   */
  public CompletableFuture<Void> write(SlicedStore store, boolean syncs) {
    return CompletableFuture.completedFuture(null)
        .thenCompose(nothing -> placeAndWrite(store))
        .thenCompose(
            nothing -> syncs ? store.whole().sync() : CompletableFuture.completedFuture(null));
  }

  private CompletableFuture<Void> placeAndWrite(SlicedStore store) {
    Blocks met = new Blocks();
    blocks = met;
    int units = 0;
    for (ArrivedBlocks slice : arrived) {
      int base = units;
      slice.takeAll(
          (unit, address, label, array, offset) ->
              met.offerIfCurrent(base + unit, address, label, array, offset),
          (unit, address, label) -> met.meetTombstone(base + unit, address, label));
      units += slice.units();
    }
    met.place();
    met.buffer.holdPlaced(geometry);
    try {
      planWrite(met.buffer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return store.request(
        runs,
        (part, unit) -> {
          BucketMemory.Source source = (ofPart, plain) -> met.assemble(unit + ofPart, plain);
          return store.whole().write(part, tree.memory().lanes().sealing(part, source));
        });
  }

  /** Names the buckets to write, the deepest level first, and the epoch that seals them. */
  private void planWrite(EvictionBuffer buffer) throws IOException {
    epoch = tree.memory().epochs().hold();
    runs.reset(IoPhase.EVICT_WRITE, geometry.tree(), tree.descriptor().sealedBytes());
    for (int level = geometry.height(); level >= geometry.treetopLevels(); level--) {
      int width = buffer.width(level);
      tree.versions().addStored(runs, level, first + paths - width, width, epoch);
    }
  }

  /**
   * Applies the chunk after its buckets were written: the stash drops the blocks in them, and the
   * evictions are counted. Afterwards the client has the state after the chunk.
   */
  public void applied() {
    Blocks met = Objects.requireNonNull(blocks, "a chunk that is not placed");
    met.buffer.removePlaced(geometry, tree.stash(), left);
    TombstoneLiveness held = tree.liveness().tombstones();
    if (met.tombstones != null && held != null) {
      goneTombstones = met.tombstones.removeGone(held);
    }
    tree.evicted(paths, epoch);
    tree.measureStash();
  }

  /** Returns the key epoch that sealed the chunk. */
  public int epoch() {
    return epoch;
  }

  /** Returns the addresses of the blocks that left the client with this chunk. */
  public IntArrayList left() {
    return left;
  }

  /** Returns the tombstones that left the client with this chunk. */
  public TombstoneLiveness.Gone goneTombstones() {
    return goneTombstones;
  }

  /**
   * Abandons the chunk, whose requests the store has ended. Another chunk does the same evictions;
   * if this one may have sealed some, the other seals them in another epoch.
   */
  public void giveUp() {
    if (blocks != null) {
      tree.memory().epochs().requireNew();
    }
    close();
  }

  /** Gives borrowed memory back. */
  @Override
  public void close() {
    arrived.forEach(ArrivedBlocks::clear);
    arrived.clear();
    if (blocks != null) {
      blocks.giveBack();
    }
    tree.memory().requests().giveBack(runs);
  }

  /** The blocks to place. Which copies are current follows from the present state of the tree. */
  private final class Blocks {
    private final EvictionBuffer buffer = tree.memory().evictions().lend();

    /** Tells by tombstones which copies are stale, if the tree has them. */
    private final @Nullable TombstoneEviction tombstones;

    private final Liveness.RootFirst copies;

    Blocks() {
      buffer.begin(geometry, first, paths);
      TombstoneLiveness held = tree.liveness().tombstones();
      tombstones = held == null ? null : tree.memory().tombstones().lend();
      if (tombstones == null || held == null) {
        copies = tree.liveness().rootFirst();
      } else {
        tombstones.begin(tree, held, first, paths);
        copies = tombstones;
      }
    }

    /** Offers copies of the current blocks of a bucket that was read. */
    void offerCurrent(int unit, byte[] plain) {
      int level = runs.level(unit);
      if (tombstones != null) {
        tombstones.enter(level, plain, runs.eviction(unit));
      }
      for (int slot = 0; slot < geometry.slots(); slot++) {
        int address = PlainBucket.address(plain, slot);
        if (address < 0) {
          continue;
        }
        int label = tree.labelNow(address, PlainBucket.label(plain, slot), runs.eviction(unit));
        if (isNewest(address, label)) {
          buffer.offerCopy(plain, slot, label, level);
        }
      }
    }

    /** Processes a tombstone of a bucket, before the bucket's blocks. */
    void meetTombstone(int unit, int address, int written) {
      if (tombstones != null) {
        tombstones.meet(runs.level(unit), address, written, runs.eviction(unit));
      }
    }

    /**
     * Offers a block that was read, if it is current. Its data must last until the chunk is closed.
     */
    void offerIfCurrent(int unit, int address, int written, byte[] array, int offset) {
      int label = tree.labelNow(address, written, runs.eviction(unit));
      if (isNewest(address, label)) {
        buffer.offer(address, label, runs.level(unit), array, offset);
      }
    }

    private boolean isNewest(int address, int label) {
      return copies.isCurrent(address, label)
          && tree.stash().find(address) < 0
          && buffer.firstSeen(address);
    }

    /** Places the blocks that were read and those of the stash. */
    void place() {
      buffer.offer(tree.stash());
      buffer.place();
      if (tombstones != null) {
        tombstones.place(geometry);
      }
    }

    /** Assembles a bucket to write. May be called by several threads at once. */
    byte[] assemble(int unit, byte[] plain) {
      buffer.assemble(runs.level(unit), runs.eviction(unit), plain);
      if (tombstones != null) {
        tombstones.assemble(runs.level(unit), runs.eviction(unit), plain);
      }
      return plain;
    }

    void giveBack() {
      if (tombstones != null) {
        tree.memory().tombstones().giveBack(tombstones);
      }
      tree.memory().evictions().giveBack(buffer);
    }
  }
}
