package io.github.roram.ring;

import io.github.roram.store.AsyncBlockStore;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.StoreParts;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.store.XorGroups;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;

/**
 * A store of buckets over an address space of bytes. Each level is in bit-reversed order (rORAM,
 * §IV-B) and, unlike in the paper, a log (construction, section 2.3).
 *
 * <p>Level j is a ring of {@code 2^j + S} places; eviction t writes its bucket of level j at place
 * {@code t mod (2^j + S)}. Bucket b is therefore where the last t ≡ b (mod 2^j) put it, a batch of
 * evictions writes one forward run for each level, and the version that an eviction replaces stays
 * intact for S evictions. The rORAM paper (§IV-B) has S = 0 in effect: buckets at fixed places.
 *
 * <p>A request becomes one batch of extents, in its order. The place does not depend on the key
 * epoch: an eviction that is repeated overwrites what the first attempt left. Nothing needs to be
 * discarded, since the ring overwrites itself.
 */
public final class RingBucketStore implements BucketStore {

  /** Tells where the rings of levels lie in a store's address space. */
  public interface Places {
    /** Adds the extents of a request's buckets, in the order of the request. */
    void addExtents(BucketRuns runs, ExtentBatch batch);

    /** Returns S: the buckets of a tree's ring beyond those of its level. */
    int slack(int tree);

    /** Returns where each level begins. */
    StoreParts parts();
  }

  private final BlockStore store;
  private final Places places;

  /** Batches that can be used again. */
  private final ArrayDeque<ExtentBatch> idle = new ArrayDeque<>();

  /** Creates a store of buckets for the levels of a table. */
  public RingBucketStore(BlockStore store, LevelTable table) {
    this(store, new TablePlaces(table));
  }

  /** Creates a store of buckets at given places. */
  public RingBucketStore(BlockStore store, Places places) {
    this.store = store;
    this.places = places;
    store.arrange(places.parts());
  }

  @Override
  public void read(BucketRuns runs, UnitSink sink) throws IOException {
    ask(runs, batch -> store.read(batch, sink));
  }

  @Override
  public boolean computesXor() {
    return store.computesXor();
  }

  @Override
  public void readXor(BucketRuns runs, XorGroups groups, UnitSink results) throws IOException {
    ask(runs, batch -> store.readXor(batch, groups, results));
  }

  @Override
  public void write(BucketRuns runs, UnitSource source) throws IOException {
    ask(runs, batch -> store.write(batch, source));
  }

  /** Makes a request to the store. */
  @FunctionalInterface
  private interface Request {
    void of(ExtentBatch batch) throws IOException;
  }

  private void ask(BucketRuns runs, Request request) throws IOException {
    ExtentBatch batch = lend();
    try {
      addExtents(runs, batch);
      request.of(batch);
    } finally {
      giveBack(batch);
    }
  }

  private ExtentBatch lend() {
    synchronized (idle) {
      ExtentBatch batch = idle.poll();
      return batch == null ? new ExtentBatch() : batch;
    }
  }

  private void giveBack(ExtentBatch batch) {
    synchronized (idle) {
      idle.push(batch);
    }
  }

  /** Sets a batch to the extents of a request's buckets. */
  void addExtents(BucketRuns runs, ExtentBatch batch) {
    batch.reset(runs.phase(), runs.tree(), runs.bucketBytes());
    places.addExtents(runs, batch);
  }

  @Override
  public void discardOlder(int tree, long eviction) {}

  @Override
  public int mostAhead(int tree) {
    return places.slack(tree);
  }

  @Override
  public void sync() throws IOException {
    store.sync();
  }

  @Override
  public AsyncBucketStore async(int requests) {
    return new AsyncRings(this, store.async(requests));
  }

  @Override
  public String toString() {
    return "rings on " + store;
  }

  /** Places according to a table of levels. */
  private static final class TablePlaces implements Places {

    private final LevelTable table;

    /** The run of each level of each tree, or null. */
    private final LevelRun[][] levels;

    TablePlaces(LevelTable table) {
      this.table = table;
      levels = new LevelRun[table.trees()][LevelRun.LAST_LEVEL + 1];
      for (LevelRun run : table.runs()) {
        for (int i = 0; i < run.levels(); i++) {
          levels[run.tree()][run.firstLevel() + i] = run;
        }
      }
    }

    @Override
    public int slack(int tree) {
      return table.slack(tree);
    }

    @Override
    public StoreParts parts() {
      return table.parts();
    }

    @Override
    public void addExtents(BucketRuns runs, ExtentBatch batch) {
      for (int run = 0; run < runs.runs(); run++) {
        int unit = runs.firstUnit(run);
        LevelRun place = place(runs.tree(), runs.level(unit), runs.bucketBytes());
        addRun(batch, place, runs.level(unit), runs.eviction(unit), runs.units(run));
      }
    }

    private LevelRun place(int tree, int level, int bucketBytes) {
      LevelRun run =
          tree < levels.length && level < levels[tree].length ? levels[tree][level] : null;
      if (run == null) {
        run = table.run(tree, level);
      }
      if (run.bucketBytes() != bucketBytes) {
        throw new IllegalArgumentException(
            "buckets of tree "
                + tree
                + " have "
                + run.bucketBytes()
                + " bytes on this store, not "
                + bucketBytes);
      }
      return run;
    }

    private static void addRun(
        ExtentBatch batch, LevelRun level, int number, long eviction, int count) {
      long ring = level.places(number);
      long start = level.offset(number);
      long first = eviction;
      int remaining = count;
      while (remaining > 0) {
        long position = first % ring;
        int run = (int) Math.min(remaining, ring - position);
        batch.add(start + position * level.bucketBytes(), run);
        first += run;
        remaining -= run;
      }
    }
  }

  /** The asynchronous form of a {@link RingBucketStore}, with several requests in flight. */
  private static final class AsyncRings implements AsyncBucketStore {

    private final RingBucketStore rings;
    private final AsyncBlockStore store;

    /** Creates the asynchronous form of {@code rings}, which closes the store. */
    AsyncRings(RingBucketStore rings, AsyncBlockStore store) {
      this.rings = rings;
      this.store = store;
    }

    @Override
    public CompletableFuture<Void> read(BucketRuns runs, UnitSink sink) {
      return store.read(batch(runs), sink);
    }

    @Override
    public CompletableFuture<Void> readXor(BucketRuns runs, XorGroups groups, UnitSink results) {
      return store.readXor(batch(runs), groups, results);
    }

    @Override
    public CompletableFuture<Void> write(BucketRuns runs, UnitSource source) {
      return store.write(batch(runs), source);
    }

    private ExtentBatch batch(BucketRuns runs) {
      ExtentBatch batch = new ExtentBatch();
      rings.addExtents(runs, batch);
      return batch;
    }

    @Override
    public CompletableFuture<Void> sync() {
      return store.sync();
    }

    @Override
    public void close() {
      store.close();
    }

    @Override
    public String toString() {
      return rings + ", asynchronous";
    }
  }
}
