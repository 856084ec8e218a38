package io.github.roram.storage.device;

import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketRuns;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.FilterBlockStore;
import io.github.roram.store.FilterBucketStore;
import io.github.roram.store.IoPhase;
import io.github.roram.store.UnitSink;
import io.github.roram.store.UnitSource;
import io.github.roram.store.XorGroups;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Counts the requests to a store, by tree and by phase. Nothing is allocated per call.
 *
 * <p>For a store that keeps objects, requests of buckets count as batches: each object that a
 * request touches is an extent, and a seek.
 *
 * <p>Only successful calls count, and a batch without extents does not. The first extent is a seek,
 * since the device's position is unknown. A sync belongs to no batch: it counts under {@link
 * IoPhase#META} of {@link ExtentBatch#NO_TREE}, so that parts always add up to the total.
 *
 * <p>Thread safety: safe; seeks of concurrent calls are counted in the order in which they end.
 */
public final class CountingStore extends FilterBlockStore {

  private static final long UNKNOWN_POSITION = -1;

  private final Object lock = new Object();
  private final TreeMap<Integer, EnumMap<IoPhase, Tally>> tallies = new TreeMap<>();
  private final Tally syncs;
  private EnumMap<IoPhase, Tally> latestTree;
  private int latestTreeNumber = ExtentBatch.NO_TREE;
  private long position = UNKNOWN_POSITION;

  /** Counts the calls of {@code delegate} from now on. */
  public CountingStore(BlockStore delegate) {
    super(delegate);
    latestTree = newTallies();
    tallies.put(ExtentBatch.NO_TREE, latestTree);
    syncs = tally(latestTree, IoPhase.META);
  }

  @Override
  public void read(ExtentBatch batch, UnitSink sink) throws IOException {
    delegate.read(batch, sink);
    synchronized (lock) {
      Tally tally = count(batch);
      tally.bytesRead += batch.bytes();
    }
  }

  @Override
  protected boolean letsReadsThrough() {
    return true;
  }

  /** Counts the bytes that move, which are those of the results. */
  @Override
  public void readXor(ExtentBatch batch, XorGroups groups, UnitSink results) throws IOException {
    delegate.readXor(batch, groups, results);
    synchronized (lock) {
      count(batch).bytesRead += groups.bytes();
    }
  }

  @Override
  public void write(ExtentBatch batch, UnitSource source) throws IOException {
    delegate.write(batch, source);
    synchronized (lock) {
      Tally tally = count(batch);
      tally.bytesWritten += batch.bytes();
    }
  }

  @Override
  public Optional<BucketStore> buckets(BucketTrees trees) {
    return delegate.buckets(trees).map(CountedBuckets::new);
  }

  /** Counts requests of buckets by name. */
  private final class CountedBuckets extends FilterBucketStore {
    CountedBuckets(BucketStore buckets) {
      super(buckets);
    }

    @Override
    public void read(BucketRuns runs, UnitSink sink) throws IOException {
      super.read(runs, sink);
      synchronized (lock) {
        count(runs).bytesRead += runs.bytes();
      }
    }

    @Override
    public void write(BucketRuns runs, UnitSource source) throws IOException {
      super.write(runs, source);
      synchronized (lock) {
        count(runs).bytesWritten += runs.bytes();
      }
    }

    private Tally count(BucketRuns runs) {
      Tally tally = tally(talliesOf(runs.tree()), runs.phase());
      long objects = runs.pieces(unit(runs.tree()));
      tally.requests += objects > 0 ? 1 : 0;
      tally.extents += objects;
      tally.seeks += objects;
      return tally;
    }
  }

  @Override
  public void sync() throws IOException {
    delegate.sync();
    synchronized (lock) {
      syncs.syncs++;
    }
  }

  /** Returns everything counted since the start or the last {@link #reset}. */
  public IoCounts total() {
    synchronized (lock) {
      IoCounts sum = IoCounts.ZERO;
      for (IoPhase phase : IoPhase.values()) {
        sum = sum.plus(of(phase));
      }
      return sum;
    }
  }

  /** Returns the counts of one phase, over all trees. */
  public IoCounts of(IoPhase phase) {
    synchronized (lock) {
      IoCounts sum = IoCounts.ZERO;
      for (EnumMap<IoPhase, Tally> ofTree : tallies.values()) {
        sum = sum.plus(tally(ofTree, phase).toCounts());
      }
      return sum;
    }
  }

  /** Returns the counts by tree number and phase; parts that counted nothing are left out. */
  public Map<Integer, Map<IoPhase, IoCounts>> byTree() {
    synchronized (lock) {
      Map<Integer, Map<IoPhase, IoCounts>> trees = new TreeMap<>();
      tallies.forEach(
          (tree, ofTree) -> {
            Map<IoPhase, IoCounts> phases = new EnumMap<>(IoPhase.class);
            for (IoPhase phase : IoPhase.values()) {
              IoCounts counts = tally(ofTree, phase).toCounts();
              if (!counts.equals(IoCounts.ZERO)) {
                phases.put(phase, counts);
              }
            }
            if (!phases.isEmpty()) {
              trees.put(tree, phases);
            }
          });
      return trees;
    }
  }

  /** Sets all counts to zero. Keeps the device's position. */
  public void reset() {
    synchronized (lock) {
      for (EnumMap<IoPhase, Tally> ofTree : tallies.values()) {
        ofTree.values().forEach(Tally::clear);
      }
    }
  }

  private Tally count(ExtentBatch batch) {
    Tally tally = tally(talliesOf(batch.tree()), batch.phase());
    int extents = batch.extents();
    if (extents == 0) {
      return tally;
    }
    long end = position;
    for (int i = 0; i < extents; i++) {
      long start = batch.offset(i);
      if (start != end) {
        tally.seeks++;
      }
      end = start + batch.bytes(i);
    }
    position = end;
    tally.requests++;
    tally.extents += extents;
    return tally;
  }

  /** Returns the tallies of a tree; caches the last tree, so that a run of calls boxes nothing. */
  private EnumMap<IoPhase, Tally> talliesOf(int tree) {
    if (tree != latestTreeNumber) {
      latestTree = tallies.computeIfAbsent(tree, unused -> newTallies());
      latestTreeNumber = tree;
    }
    return latestTree;
  }

  private static EnumMap<IoPhase, Tally> newTallies() {
    EnumMap<IoPhase, Tally> phases = new EnumMap<>(IoPhase.class);
    for (IoPhase phase : IoPhase.values()) {
      phases.put(phase, new Tally());
    }
    return phases;
  }

  private static Tally tally(EnumMap<IoPhase, Tally> ofTree, IoPhase phase) {
    return Objects.requireNonNull(ofTree.get(phase));
  }

  /** Counts of one tree and phase. */
  private static final class Tally {
    private long requests;
    private long extents;
    private long seeks;
    private long syncs;
    private long bytesRead;
    private long bytesWritten;

    IoCounts toCounts() {
      return new IoCounts(requests, extents, seeks, syncs, bytesRead, bytesWritten);
    }

    void clear() {
      requests = 0;
      extents = 0;
      seeks = 0;
      syncs = 0;
      bytesRead = 0;
      bytesWritten = 0;
    }
  }
}
