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
import io.github.roram.engine.Rekeyable;
import io.github.roram.engine.Resealing;
import io.github.roram.engine.Scannable;
import io.github.roram.engine.StashLimit;
import io.github.roram.engine.Transfer;
import io.github.roram.engine.Verifiable;
import io.github.roram.journal.Intent;
import io.github.roram.journal.IntentDescriptor;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import io.github.roram.maptree.MapChain;
import io.github.roram.maptree.MapShape;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.rekey.TreeResealing;
import io.github.roram.scan.TreeScan;
import io.github.roram.stash.Stash;
import io.github.roram.store.BucketStore;
import io.github.roram.tree.PathRead;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.Workspace;
import java.io.DataInput;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
    implements Engine, Journalled, Verifiable, Scannable, BulkLoadable, Rekeyable {

  private static final Logger LOG = LoggerFactory.getLogger(TreeOram.class);

  /** The parameters. */
  protected final TreeParameters parameters;

  /** The parts. */
  private final OramContext context;

  private final Workspace workspace;

  /** The trees of data, by size class. */
  protected final RangeTree[] trees;

  /** Those, and behind them the trees of the position map. */
  private final RangeTree[] all;

  /** The position map, where it is on the store. */
  private final @Nullable MapChain maps;

  /** What the read that was tried last looked up; empty where there is nothing to. */
  private byte[] lookUp = {};

  /** The reads that are to be done, or done again; none between accesses. */
  private final PendingReads pending;

  /** The read that was tried last. */
  private @Nullable Intent tried;

  /** Its paths. */
  private @Nullable PathRead paths;

  private final BucketStore buckets;
  private final int mostHeld;
  private final EvictionCommits commits;
  private @Nullable Journal journal;

  TreeOram(OramContext context, StoreLayout layout, int mostRuns) {
    this(context, layout, mostRuns, layout.on(context.store()));
  }

  TreeOram(OramContext context, StoreLayout layout, int mostRuns, BucketStore buckets) {
    this.context = context;
    parameters = TreeParameters.of(context.config());
    workspace = new Workspace(context::codec, context.epochs(), context.options().threads());
    MapShape shape = layout.maps();
    maps = shape == null ? null : new MapChain(shape, context.firstLabels());
    TreeParts parts = new TreeParts(context, parameters, layout, workspace, buckets);
    all = parts.trees(maps);
    trees = Arrays.copyOf(all, layout.dataTrees());
    this.buckets = buckets;
    mostHeld = parts.mostHeld();
    long mostMapBytes = new SizeClasses(parameters).mostMapBytes(shape);
    pending = new PendingReads(all, IntentDescriptor.bytes(mostRuns) + mostMapBytes);
    commits = new EvictionCommits(buckets, all, mostHeld);
  }

  /** Records blocks that an access of a tree wrote, and that came to the others as well. */
  protected final void noteWritten(int tree, int blocks) {
    for (int other = 0; other < trees.length; other++) {
      if (other != tree) {
        trees[other].schedule().writtenBeside(blocks);
      }
    }
  }

  /** Owes the evictions for an access that read so many ranges of a tree. */
  protected abstract void owe(int tree, int ranges);

  /**
   * Reads ranges of a tree into its stash, gives them fresh labels and owes the evictions.
   *
   * @param ranges range numbers; −1 reads a random run for nothing
   */
  protected final void readRanges(int tree, int... ranges) throws IOException {
    finish(begin(tree, ranges));
  }

  /**
   * Chooses what a read of ranges shows, and records it. A range whose read is pending already is
   * not shown again: a random run is, and the range comes by the older read.
   */
  final Intent begin(int tree, int... ranges) throws IOException {
    int[] labels = new int[ranges.length];
    int[] fresh = new int[ranges.length];
    for (int i = 0; i < ranges.length; i++) {
      boolean before = ranges[i] >= 0 && pending.show(tree, ranges[i]);
      boolean random = ranges[i] < 0 || before;
      labels[i] = random ? freshLabel(tree) : knownLabel(tree, ranges[i]);
      fresh[i] = before ? Intent.READ_BEFORE : freshLabel(tree);
    }
    List<Intent> chain = maps == null ? List.of() : planned(maps, tree, ranges);
    Intent read = new Intent(pending.nextNumber(), tree, ranges, labels, fresh, chain);
    pending.add(read);
    if (journal != null) {
      journal.intent(read);
    }
    return read;
  }

  private List<Intent> planned(MapChain chain, int tree, int[] ranges) {
    pending.requireNone();
    return chain.plan(pending.nextNumber(), trees[tree].geometry(), ranges, context.labels());
  }

  private int knownLabel(int tree, int range) {
    return maps == null ? trees[tree].positions().label(range) : Intent.NOT_LOOKED_UP;
  }

  /** Makes the intent of the oldest pending read durable and shows it to the store. */
  private void finish(Intent read) throws IOException {
    if (journal != null) {
      journal.sync();
      commits.journalSynced();
    }
    if (tried == null || tried.number() != read.number()) {
      if (maps != null) {
        maps.lookUp(read, trees[read.tree()]);
      }
      paths = trees[read.tree()].planRead(read.ranges(), read.labels());
      tried = read;
    }
    Objects.requireNonNull(paths).run();
    if (maps != null && journal != null) {
      lookUp = maps.record(read, trees[read.tree()]);
    }
    complete(read);
  }

  /** The ranges of the oldest read are with the client. */
  private void complete(Intent read) {
    pending.completeOldest();
    owe(read.tree(), read.ranges().length);
    for (Intent part : read.maps()) {
      all[part.tree()].schedule().owe(part.ranges().length);
    }
  }

  /** Bytes that the look-ups of an access move on average, which reads so many ranges of a tree. */
  protected final double mapBytes(int tree, int ranges) {
    return maps == null ? 0 : new AccessBytes(parameters).lookUps(maps, trees[tree], ranges);
  }

  /** Records the access of the last read as complete, with the blocks that it wrote. */
  protected final void recordAccess(int firstWritten, int writtenBlocks) throws IOException {
    if (journal != null) {
      Intent read = Objects.requireNonNull(tried);
      RangeTree tree = trees[read.tree()];
      int rangeBlocks = read.ranges().length * tree.geometry().rangeBlocks();
      IntArrayList arrivals = Objects.requireNonNull(paths).arrivals();
      journal.access(
          read, lookUp, tree.stash(), arrivals, firstWritten, writtenBlocks, rangeBlocks);
    }
  }

  private int freshLabel(int tree) {
    return context.labels().next(trees[tree].geometry().leaves());
  }

  @Override
  public final void completePending() throws IOException {
    for (Intent read = pending.oldest(); read != null; read = pending.oldest()) {
      finish(read);
      recordAccess(0, 0);
    }
    for (RangeTree tree : all) {
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
  public final VerifyReport audit(VerifyProgress progress) throws IOException {
    return new RangeAudit(trees, maps, progress).run();
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
        all, maps, pending, context.config().blockBytes(), lastEpoch, new ReplayTarget());
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
      noteWritten(tree, blocks);
    }
  }

  /**
   * Moves bytes of blocks whose ranges were read, out of the stash of their tree or into it. Blocks
   * that were never written are zeros.
   */
  protected final void move(Transfer transfer, int tree, int block, int count) {
    Stash stash = trees[tree].stash();
    for (int address = block; address < block + count; address++) {
      int slot =
          transfer.writes()
              ? stash.putKept(address, trees[tree].label(address))
              : stash.find(address);
      if (slot >= 0) {
        transfer.move(address, stash.array(slot), stash.offset(slot));
      } else {
        transfer.moveZeros(address);
      }
    }
  }

  /** The trees whose current buckets are all that the store holds. */
  final List<RangeTree> rangeTrees() {
    return List.of(all);
  }

  @Override
  public final Resealing resealing(BucketKeys newKeys) {
    return new TreeResealing(rangeTrees(), newKeys, context.storeId());
  }

  @Override
  public final void resealed(int epoch) {
    rangeTrees().forEach(tree -> tree.resealed(epoch));
  }

  @Override
  public final void load(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException {
    new BulkLoader(source, memoryBytes, trees[0].descriptor(), progressBytes)
        .loadAll(List.of(trees));
  }

  @Override
  public final void undoLoad() {
    rangeTrees().forEach(RangeTree::reset);
    workspace.requireNewEpoch();
  }

  @Override
  public final void checkRoom() {
    for (RangeTree tree : all) {
      StashLimit.check(
          context.config(),
          tree.geometry().tree(),
          tree.stashBlocks(),
          parameters.stashLimitBlocks());
    }
  }

  @Override
  public final List<OramStats.TreeStats> treeStats() {
    return Arrays.stream(all)
        .map(tree -> tree.stats(tree.geometry().tree() >= trees.length))
        .toList();
  }

  @Override
  public final void copyState(StateCopy state) throws IOException {
    for (RangeTree tree : all) {
      tree.copyTo(state, Math.min(tree.geometry().blocks(), mostHeld));
    }
    pending.copyTo(state);
  }

  @Override
  public final void readState(DataInput in) throws IOException {
    for (RangeTree tree : all) {
      tree.readFrom(in);
    }
    pending.readFrom(in);
  }

  @Override
  public final void wipe() {
    for (RangeTree tree : all) {
      tree.stash().wipe();
    }
    workspace.wipe();
  }
}
