package io.github.roram.range;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.BlockSink;
import io.github.roram.OramException;
import io.github.roram.OramStats;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.audit.RangeAudit;
import io.github.roram.bulk.BulkLoader;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.engine.BulkLoadable;
import io.github.roram.engine.Engine;
import io.github.roram.engine.Journalled;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Overlap;
import io.github.roram.engine.Overlapping;
import io.github.roram.engine.Rekeyable;
import io.github.roram.engine.Resealing;
import io.github.roram.engine.Scannable;
import io.github.roram.engine.StashLimit;
import io.github.roram.engine.Transfer;
import io.github.roram.engine.Verifiable;
import io.github.roram.eviction.EvictionSchedule;
import io.github.roram.eviction.WriteShare;
import io.github.roram.journal.Intent;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.rekey.TreeResealing;
import io.github.roram.scan.TreeScan;
import io.github.roram.stash.Stash;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.store.BucketStore;
import io.github.roram.tree.BucketMemory;
import io.github.roram.tree.PathRead;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.Rule;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.Workspace;
import java.io.DataInput;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An ORAM on the tree engine: reads ranges of one tree, then pays the evictions that its trees owe.
 *
 * <p>A read of paths that failed is done again, the same paths, before the next access begins, and
 * so are evictions: what the store sees is the sequence without failures, with repetitions. An
 * access whose own evictions fail has succeeded nevertheless, for its blocks are with the client;
 * it is the next one that fails if they fail again.
 */
abstract class TreeOram
    implements Engine, Overlapping, Journalled, Verifiable, Scannable, BulkLoadable, Rekeyable {

  private static final Logger LOG = LoggerFactory.getLogger(TreeOram.class);

  /** The parameters. */
  protected final TreeParameters parameters;

  /** The parts. */
  private final OramContext context;

  private final Workspace workspace;

  /** The trees, by size class. */
  protected final RangeTree[] trees;

  /** The reads that are to be done, or done again; none between accesses. */
  private final PendingReads pending;

  /** Draws a fresh label of a tree. */
  private final IntUnaryOperator freshLabels;

  /** The read that was tried last. */
  private @Nullable Intent tried;

  /** Its paths. */
  private @Nullable PathRead paths;

  private final BucketStore buckets;

  /** What accesses that overlap keep to; all but in tests. */
  Set<Rule> rules = EnumSet.allOf(Rule.class);

  private final int mostHeld;

  /** The commits of eviction chunks. */
  final EvictionCommits commits;

  private @Nullable Journal journal;

  TreeOram(OramContext context, StoreLayout layout, int mostRuns) {
    this(context, layout, mostRuns, layout.on(context.store()));
  }

  TreeOram(OramContext context, StoreLayout layout, int mostRuns, BucketStore buckets) {
    this.context = context;
    parameters = TreeParameters.of(context.config());
    workspace = new Workspace(context::codec, context.epochs(), context.options().threads());
    trees = new RangeTree[layout.trees()];
    for (int tree = 0; tree < trees.length; tree++) {
      BucketMemory memory = workspace.buckets(layout.descriptor(tree));
      trees[tree] = newTree(context, parameters, layout.geometry(tree), memory, buckets);
    }
    this.buckets = buckets;
    mostHeld =
        EvictionCommits.mostHeld(parameters, trees[0].geometry(), context.options().inFlight());
    pending = new PendingReads(trees, mostRuns);
    freshLabels = tree -> context.labels().next(trees[tree].geometry().leaves());
    commits = new EvictionCommits(buckets, trees, mostHeld);
  }

  private static RangeTree newTree(
      OramContext context,
      TreeParameters config,
      TreeGeometry geometry,
      BucketMemory memory,
      BucketStore buckets) {
    EvictionSchedule schedule =
        new EvictionSchedule(
            config.evictionHalfBlocks(),
            config.windowBlocks(),
            config.chunkPaths(),
            geometry.leaves(),
            new WriteShare(config.writeShareParts(), config.backlogBlocks()));
    LocalPositionMap positions =
        new LocalPositionMap(
            context.firstLabels(), geometry.tree(), geometry.ranges(), geometry.leaves());
    Stash stash = new Stash(context.heldBlockBytes(), geometry.rangeExponent());
    return new RangeTree(geometry, schedule, positions, stash, memory, buckets);
  }

  /** Owes the evictions for an access that read so many ranges of a tree. */
  protected abstract void owe(int tree, int ranges);

  /** How many reads an access takes. */
  abstract int reads(Transfer transfer);

  /** Begins a read of an access, by its number. */
  abstract Intent begin(Transfer transfer, int read) throws IOException;

  /**
   * With the ranges of a read at the client: moves bytes of the access, and records it.
   *
   * @param arrivals addresses of the blocks that came by it
   */
  abstract void carryOut(Transfer transfer, int read, Intent intent, IntArrayList arrivals)
      throws IOException;

  @Override
  public final int access(Transfer transfer) throws IOException {
    int reads = reads(transfer);
    for (int read = 0; read < reads; read++) {
      if (read > 0) {
        completePending();
      }
      Intent intent = begin(transfer, read);
      carryOut(transfer, read, intent, finish(intent));
      payEvictions();
    }
    return reads;
  }

  /**
   * Chooses what a read of ranges shows, and records it. A range whose read is pending already is
   * not shown again: a random run is, and the range comes by the older read.
   *
   * @param ranges range numbers; −1 reads a random run for nothing
   */
  final Intent begin(int tree, int... ranges) throws IOException {
    Intent read = pending.choose(tree, ranges, freshLabels, rules.contains(Rule.ONCE));
    pending.add(read);
    if (journal != null) {
      journal.intent(read);
    }
    return read;
  }

  /** Makes the intent of the oldest pending read durable and shows it; returns what came. */
  private IntArrayList finish(Intent read) throws IOException {
    if (journal != null) {
      journal.sync();
      commits.journalSynced();
    }
    if (tried == null || tried.number() != read.number()) {
      paths = trees[read.tree()].planRead(read.ranges(), read.labels());
      tried = read;
    }
    PathRead current = Objects.requireNonNull(paths);
    current.run();
    complete(read);
    return current.arrivals();
  }

  /** The ranges of the oldest read are with the client. */
  final void complete(Intent read) {
    pending.completeOldest();
    owe(read.tree(), read.ranges().length);
  }

  /** Records the access of a read, by which blocks came, as complete. */
  protected final void recordAccess(
      Intent read, IntArrayList arrivals, int firstWritten, int writtenBlocks) throws IOException {
    if (journal != null) {
      RangeTree tree = trees[read.tree()];
      int rangeBlocks = read.ranges().length * tree.geometry().rangeBlocks();
      journal.access(read, tree.stash(), arrivals, firstWritten, writtenBlocks, rangeBlocks);
    }
  }

  @Override
  public final void completePending() throws IOException {
    for (Intent read = pending.oldest(); read != null; read = pending.oldest()) {
      recordAccess(read, finish(read), 0, 0);
    }
    for (RangeTree tree : trees) {
      tree.evictDue(commits);
    }
    commits.commit();
  }

  /**
   * Pays what is due now, or leaves it for after the answer; a failure is left to the next access.
   */
  protected final void payEvictions() {
    if (context.options().backgroundEvictions()) {
      return;
    }
    try {
      completePending();
    } catch (IOException | OramException e) {
      LOG.warn("an eviction failed and is left to the next access: {}", e.toString());
    }
  }

  @Override
  public final Overlap overlap(Executor turns, Runnable changed) {
    int slices = trees.length * OverlappedEvictions.SLICES;
    AsyncBucketStore store = buckets.async(context.options().inFlight() + slices);
    return new OverlappedTrees(this, store, turns, rules, changed);
  }

  @Override
  public final VerifyReport audit(VerifyProgress progress) throws IOException {
    return new RangeAudit(trees, progress).run();
  }

  @Override
  public final void scan(BlockSink sink) throws IOException {
    TreeScan.cheapest(trees).run(sink);
  }

  @Override
  public final long scanBytes() {
    return TreeScan.cheapest(trees).bytes();
  }

  @Override
  public final void syncBuckets() throws IOException {
    buckets.sync();
  }

  @Override
  public final boolean isPending() {
    return !pending.isEmpty();
  }

  @Override
  public final boolean savesPending() {
    return true;
  }

  @Override
  public final boolean owesCommits() {
    return commits.areOwed();
  }

  @Override
  public final void startJournal(@Nullable Journal newJournal) {
    journal = newJournal;
    commits.start(newJournal);
  }

  @Override
  public final JournalReplay replay() {
    int lastEpoch = workspace.newestEpoch() - 1;
    return new TreeReplay(
        trees, pending, context.config().blockBytes(), lastEpoch, new ReplayTarget());
  }

  private final class ReplayTarget implements TreeReplay.Target {
    @Override
    public void begin(Intent read) {
      pending.add(read);
    }

    @Override
    public void complete(Intent read) {
      TreeOram.this.complete(read);
    }

    @Override
    public void written(int tree, int blocks) {
      BlockMoves.written(trees, tree, blocks);
    }
  }

  /** The trees whose current buckets are all that the store holds. */
  final List<RangeTree> rangeTrees() {
    return List.of(trees);
  }

  @Override
  public final Resealing resealing(BucketKeys newKeys) {
    return new TreeResealing(rangeTrees(), newKeys, context.storeId());
  }

  @Override
  public final void resealed(int epoch) {
    for (RangeTree tree : trees) {
      tree.resealed(epoch);
    }
  }

  @Override
  public final void load(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException {
    new BulkLoader(source, memoryBytes, trees[0].descriptor(), progressBytes)
        .loadAll(List.of(trees));
  }

  @Override
  public final void undoLoad() {
    for (RangeTree tree : trees) {
      tree.reset();
    }
    workspace.requireNewEpoch();
  }

  @Override
  public final void checkRoom() {
    for (RangeTree tree : trees) {
      StashLimit.check(
          context.config(),
          tree.geometry().tree(),
          tree.stashBlocks(),
          parameters.stashLimitBlocks());
    }
  }

  @Override
  public final List<OramStats.TreeStats> treeStats() {
    List<OramStats.TreeStats> stats = new ArrayList<>();
    for (RangeTree tree : trees) {
      stats.add(tree.stats());
    }
    return stats;
  }

  @Override
  public final void copyState(StateCopy state) throws IOException {
    for (RangeTree tree : trees) {
      tree.copyTo(state, Math.min(context.config().blocks(), mostHeld));
    }
    pending.copyTo(state);
  }

  @Override
  public final void readState(DataInput in) throws IOException {
    for (RangeTree tree : trees) {
      tree.readFrom(in);
    }
    pending.readFrom(in);
  }

  @Override
  public final void wipe() {
    for (RangeTree tree : trees) {
      tree.stash().wipe();
    }
    workspace.wipe();
  }
}
