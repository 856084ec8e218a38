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
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.Workspace;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
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

  private final @Nullable MapShape mapShape;

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
    mapShape = layout.maps();
    maps = mapShape == null ? null : new MapChain(mapShape, context.firstLabels());
    TreeParts parts = new TreeParts(context, parameters, layout, workspace, buckets);
    all = parts.trees(maps);
    trees = Arrays.copyOf(all, layout.dataTrees());
    this.buckets = buckets;
    mostHeld = mostHeld(parameters, trees[0].geometry());
    long mostMapBytes = new SizeClasses(parameters).mostMapBytes(mapShape);
    pending = new PendingReads(all, IntentDescriptor.bytes(mostRuns) + mostMapBytes);
    commits = new EvictionCommits(buckets, all, mostHeld);
  }

  /** The most blocks that a client holds of a tree: treetop, window, an access, and the stash. */
  private static int mostHeld(TreeParameters config, TreeGeometry geometry) {
    return geometry.treetopBlocks()
        + config.windowBlocks()
        + config.backlogBlocks()
        + 4 * config.maxRangeBlocks()
        + config.stashLimitBlocks();
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
    List<Intent> chain = List.of();
    if (maps != null) {
      // A map block is shown once: reads of which several are pending would have to share it.
      if (!pending.isEmpty()) {
        throw new IllegalStateException("with a position map on the store one read is pending");
      }
      TreeGeometry geometry = trees[tree].geometry();
      chain = maps.plan(pending.nextNumber(), geometry, ranges, context.labels()::next);
    }
    Intent read = new Intent(pending.nextNumber(), tree, ranges, labels, fresh, chain);
    pending.add(read);
    if (journal != null) {
      journal.intent(read);
    }
    return read;
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
      lookUp = recordOf(read, maps);
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

  /** What a read looked up, before it changes: for its record in the journal. */
  private byte[] recordOf(Intent read, MapChain looked) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    looked.write(read, trees[read.tree()], new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  /** Bytes that the look-ups of an access move on average, which reads so many ranges of a tree. */
  protected final double mapBytes(int tree, int ranges) {
    double bytes = 0;
    AccessBytes costs = new AccessBytes(parameters);
    for (int level = 0; mapShape != null && level < mapShape.levels(); level++) {
      RangeTree map = all[trees.length + level];
      int runs = mapShape.runs(level, trees[tree].geometry().rangeExponent(), ranges);
      bytes += costs.read(map, runs) + costs.evictions(map, runs, mapShape.chunkPaths(level));
    }
    return bytes;
  }

  /** Records the access of the last read as complete, with the blocks that it wrote. */
  protected final void recordAccess(int firstWritten, int writtenBlocks) throws IOException {
    if (journal != null) {
      Intent read = Objects.requireNonNull(tried);
      RangeTree tree = trees[read.tree()];
      int rangeBlocks = read.ranges().length * tree.geometry().rangeBlocks();
      IntArrayList arrivals = Objects.requireNonNull(paths).arrivals();
      journal.access(read, lookUp, tree.stash(), arrivals, firstWritten, writtenBlocks, rangeBlocks);
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
    for (RangeTree tree : all) {
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
    for (RangeTree tree : all) {
      tree.reset();
    }
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
    List<OramStats.TreeStats> stats = new ArrayList<>();
    for (RangeTree tree : all) {
      stats.add(tree.stats(tree.geometry().tree() >= trees.length));
    }
    return stats;
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
