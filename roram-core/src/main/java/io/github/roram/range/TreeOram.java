package io.github.roram.range;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.BlockSink;
import io.github.roram.ClientMemory;
import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.OramStats;
import io.github.roram.SalvageReport;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.audit.TreeAudit;
import io.github.roram.bulk.BulkLoader;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.cipher.LabelSource;
import io.github.roram.engine.BulkLoadable;
import io.github.roram.engine.Engine;
import io.github.roram.engine.Growable;
import io.github.roram.engine.Journalled;
import io.github.roram.engine.Logged;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Overlap;
import io.github.roram.engine.Overlapping;
import io.github.roram.engine.Rekeyable;
import io.github.roram.engine.Resealing;
import io.github.roram.engine.Salvageable;
import io.github.roram.engine.Scannable;
import io.github.roram.engine.Scattering;
import io.github.roram.engine.StashLimit;
import io.github.roram.engine.StoreLog;
import io.github.roram.engine.TakenAsWritten;
import io.github.roram.engine.Transfer;
import io.github.roram.engine.Verifiable;
import io.github.roram.engine.WholeState;
import io.github.roram.journal.Intent;
import io.github.roram.journal.IntentDescriptor;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import io.github.roram.maptree.MapChain;
import io.github.roram.maptree.MapShape;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.rekey.TreeResealing;
import io.github.roram.ring.LevelRun;
import io.github.roram.ring.LevelTable;
import io.github.roram.ring.LevelTableDescriptor;
import io.github.roram.scan.TreeSalvage;
import io.github.roram.scan.TreeScan;
import io.github.roram.stash.Stash;
import io.github.roram.store.AsyncBucketStore;
import io.github.roram.store.BucketStore;
import io.github.roram.tree.PendingReads;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.TreeReplay;
import io.github.roram.tree.Workspace;
import java.io.DataInput;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
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
    implements Engine,
        Overlapping,
        Journalled,
        Scattering,
        Verifiable,
        Scannable,
        BulkLoadable,
        TakenAsWritten,
        Rekeyable,
        Logged,
        Growable,
        Salvageable {

  private static final Logger LOG = LoggerFactory.getLogger(TreeOram.class);

  /** The parameters. */
  protected final TreeParameters parameters;

  /** The parts. */
  private final OramContext context;

  private final Workspace workspace;

  /** What accesses move. */
  final TreeCosts costs;

  /** The trees of data, by size class. */
  protected final RangeTree[] trees;

  /** The trees of data, followed by those of the position map. */
  private final RangeTree[] all;

  /** The position map, where it is on the store. */
  private final @Nullable MapChain maps;

  /** The map content that the last read looked up; empty if it looks nothing up. */
  private byte[] lookUp = {};

  /** The reads that are to be done, or done again; none between accesses. */
  final PendingReads pending;

  /** The read that was tried last. */
  private @Nullable ChainedRead tried;

  private final BucketStore buckets;

  /** Where they lie, unless the store keeps buckets by their names. */
  private final StoreLayout layout;

  private final int mostHeld;

  /** The commits of eviction chunks. */
  final EvictionCommits commits;

  private @Nullable Journal journal;

  /** For each tree of data, its labels after the growth that is being prepared. */
  private volatile List<LocalPositionMap> grownLabels = List.of();

  /**
   * Creates an ORAM from its parts.
   *
   * @param mostRuns most runs of paths that a read shows
   * @param smaller the same ORAM with fewer blocks, from which this one takes everything, including
   *     working memory and journal; null if there is none
   */
  TreeOram(OramContext context, StoreLayout layout, int mostRuns, @Nullable TreeOram smaller) {
    this.context = context;
    parameters = TreeParameters.of(context.config());
    costs = new TreeCosts(context.config());
    workspace = smaller == null ? workspace() : smaller.workspace;
    MapShape shape = layout.maps();
    maps = shape == null ? null : new MapChain(shape, context.firstLabels());
    buckets = layout.on(context.store(), parameters);
    layout.checkUnits(parameters, buckets);
    List<RangeTree> before = smaller == null ? List.of() : smaller.rangeTrees();
    List<LocalPositionMap> labels = smaller == null ? List.of() : smaller.grownLabels;
    TreeParts parts =
        new TreeParts(context, parameters, layout, workspace, buckets, before, labels);
    all = parts.trees(maps);
    trees = Arrays.copyOf(all, layout.dataTrees());
    this.layout = layout;
    mostHeld = parts.mostHeld();
    long mostMapBytes = new SizeClasses(parameters).mostMapBytes(shape);
    pending = new PendingReads(all, IntentDescriptor.bytes(mostRuns) + mostMapBytes);
    commits = new EvictionCommits(buckets, all, mostHeld);
    if (smaller != null) {
      goOnFrom(smaller);
    }
  }

  private Workspace workspace() {
    return new Workspace(
        context::codec, context.epochs(), context.options().threads(), parameters.ringBytes());
  }

  private void goOnFrom(TreeOram smaller) {
    for (int tree = 0; tree < all.length; tree++) {
      all[tree].growFrom(smaller.all[tree]);
    }
    pending.goOnFrom(smaller.pending);
    journal = smaller.journal;
    commits.goOnFrom(smaller.commits);
    if (journal != null) {
      // Tell the new bucket store about all existing buckets. None of them is an orphan: those that
      // the last commits replaced are needed until these commits are durable.
      buckets.discardOrphans(0, (tree, level, first, count, epoch) -> true);
    }
  }

  /** Creates an ORAM of the same scheme: see the constructor. */
  abstract TreeOram of(OramContext other, StoreLayout otherLayout, @Nullable TreeOram smaller);

  /** Returns where the buckets of all trees are. */
  final BucketStore buckets() {
    return buckets;
  }

  /** Owes the evictions for an access whose read is complete. */
  protected abstract void owe(Intent read);

  /** Returns how many reads an access takes. */
  abstract int reads(Transfer transfer);

  /** Begins a read of an access, by its number. */
  abstract Intent begin(Transfer transfer, int read) throws IOException;

  /**
   * Moves the bytes of the access while the client has the ranges of a read, and records it.
   *
   * @param arrivals addresses of the blocks that the read has brought
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
      int number = read;
      Intent intent = begin(transfer, number);
      ChainedRead here = fetch(intent);
      whole()
          .change(
              () -> {
                arrived(here);
                carryOut(transfer, number, intent, here.arrivals());
              });
      payEvictions();
    }
    return reads;
  }

  /**
   * Returns the ranges that contain the blocks of a program, each once, and random runs up to the
   * number that the access shows.
   */
  static int[] scattered(TreeGeometry geometry, Transfer transfer, int count) {
    int[] ranges = new int[count];
    int next = 0;
    for (int i = 0; i < transfer.blocks(); i++) {
      int range = transfer.address(i) >>> geometry.rangeExponent();
      boolean isNew = true;
      for (int before = 0; before < next; before++) {
        isNew &= ranges[before] != range;
      }
      if (isNew) {
        ranges[next++] = range;
      }
    }
    Arrays.fill(ranges, next, count, -1);
    return ranges;
  }

  /**
   * Returns the most scattered blocks of an access that looks like one of {@code shownBlocks}
   * blocks.
   */
  abstract int mostScattered(int shownBlocks);

  /** Returns the tree of data that an access of {@code shownBlocks} blocks reads. */
  abstract int treeOf(int shownBlocks);

  /** A map on the store is read for as many of its blocks as a range of the class can touch. */
  @Override
  public final void checkScattered(int blocks, int shownBlocks) {
    int most = mostScattered(shownBlocks);
    for (int level = 0; maps != null && level < maps.trees().size(); level++) {
      int tree = treeOf(shownBlocks);
      most = Math.min(most, maps.scattered(level, trees[tree], mostScattered(shownBlocks)));
    }
    if (blocks > most) {
      throw new ConfigurationException(
          "the access is to "
              + blocks
              + " scattered blocks, one that looks like a range of "
              + shownBlocks
              + " is of at most "
              + most
              + " here; make several, or create the store with trees(0, ...)"
              + (maps == null ? "" : " and the position map with the client"));
    }
  }

  /**
   * Chooses what a read of ranges shows, and records it. A range whose read is pending already is
   * not shown again: a random run is, and the range comes by the older read.
   *
   * @param writes whether the access is to be shown as one that writes
   * @param ranges range numbers; −1 reads a random run for nothing
   */
  final Intent begin(int tree, boolean writes, int... ranges) throws IOException {
    LabelSource labels = context.labels().drawn(mostLabels(tree, ranges.length));
    MapChain.Choice choice =
        (ofTree, shown) ->
            pending.choose(
                ofTree,
                shown,
                range -> knownLabel(ofTree, range),
                of -> labels.next(all[of].geometry().leaves()));
    Intent read = choice.of(tree, ranges);
    read = writes ? read.shownToWrite() : read;
    if (maps != null) {
      read = read.with(maps.plan(trees[tree].geometry(), ranges, choice));
    }
    Intent chosen = read;
    whole()
        .change(
            () -> {
              pending.add(chosen);
              if (journal != null) {
                journal.intent(chosen);
              }
            });
    return chosen;
  }

  @Override
  public final WholeState whole() {
    return workspace.whole();
  }

  /**
   * Returns the number of labels: for each run, one to show and one for its range, including the
   * trees of the map.
   */
  private int mostLabels(int tree, int ranges) {
    int runs = ranges;
    for (int level = 0; maps != null && level < maps.trees().size(); level++) {
      runs += maps.runs(level, trees[tree], ranges);
    }
    return 2 * runs;
  }

  private int knownLabel(int tree, int range) {
    return maps == null ? trees[tree].positions().label(range) : Intent.NOT_LOOKED_UP;
  }

  /** Makes the intent of the oldest pending read durable and shows it. */
  private ChainedRead fetch(Intent read) throws IOException {
    if (journal != null) {
      journal.sync();
      commits.journalSynced();
    }
    ChainedRead current = tried;
    if (current == null || current.intent().number() != read.number()) {
      current = chained(read);
      tried = current;
    }
    current.run();
    return current;
  }

  /** Returns the reads of paths for an intent. */
  final ChainedRead chained(Intent read) {
    return new ChainedRead(read, all, maps);
  }

  /** Takes in everything that the oldest read has brought. */
  final void arrived(ChainedRead read) throws IOException {
    if (journal != null) {
      lookUp = read.lookUp();
    }
    complete(read.intent());
  }

  /** Returns the most blocks that a tree may owe before overlapping accesses wait. */
  final int mostOwedBlocks(int tree) {
    return OverlappedEvictions.mostOwedBlocks(parameters, layout, tree);
  }

  /** Returns K of a tree: the most evictions of a chunk. */
  final int chunkPaths(int tree) {
    return layout.chunkPaths(parameters, tree);
  }

  /** Completes the oldest read, whose ranges the client has. */
  private void complete(Intent read) {
    pending.completeOldest();
    owe(read);
    for (Intent part : read.maps()) {
      all[part.tree()].schedule().owe(part.ranges().length);
    }
  }

  /**
   * Moves bytes of blocks out of the stash of the tree that they were read of, or into it. Blocks
   * that were never written are zeros.
   *
   * @param first number of the first block in the access
   */
  static void move(Transfer transfer, RangeTree tree, int first, int count) {
    Stash stash = tree.stash();
    if (transfer.hasProgram()) {
      runProgram(transfer, stash);
    }
    for (int i = first; i < first + count; i++) {
      int address = transfer.address(i);
      int slot =
          transfer.writes() ? stash.putKept(address, tree.label(address)) : stash.find(address);
      if (slot >= 0) {
        transfer.move(address, stash.array(slot), stash.offset(slot));
      } else {
        transfer.moveZeros(address);
      }
    }
  }

  private static void runProgram(Transfer transfer, Stash stash) {
    for (int i = 0; i < transfer.blocks(); i++) {
      int slot = stash.find(transfer.address(i));
      if (slot >= 0) {
        transfer.take(transfer.address(i), stash.array(slot), stash.offset(slot));
      }
    }
    transfer.run();
  }

  /**
   * Records the access of a read, by which blocks came, as complete.
   *
   * @param written the blocks that it wrote, ascending
   */
  protected final void recordAccess(Intent read, IntArrayList arrivals, int... written)
      throws IOException {
    if (journal != null) {
      RangeTree tree = trees[read.tree()];
      int rangeBlocks = read.ranges().length * tree.geometry().rangeBlocks();
      journal.access(read, lookUp, tree.stash(), arrivals, written, rangeBlocks);
    }
  }

  @Override
  public final void completePending() throws IOException {
    whole().check();
    for (Intent next = pending.oldest(); next != null; next = pending.oldest()) {
      Intent read = next;
      ChainedRead here = fetch(read);
      whole()
          .change(
              () -> {
                arrived(here);
                recordAccess(read, here.arrivals());
              });
    }
    for (RangeTree tree : all) {
      tree.evictDue(commits);
    }
    commits.commit();
  }

  /** Pays what is due now; a failure is left to the next access. */
  protected final void payEvictions() {
    try {
      completePending();
    } catch (IOException | OramException e) {
      LOG.warn("an eviction failed and is left to the next access: {}", e.toString());
    }
  }

  @Override
  public final Overlap overlap(Executor turns, Runnable changed) {
    int slices = all.length * OverlappedEvictions.SLICES;
    AsyncBucketStore store = buckets.async(context.options().inFlight() + slices);
    return new OverlappedTrees(this, store, turns, changed);
  }

  @Override
  public final VerifyReport audit(VerifyProgress progress) throws IOException {
    return maps == null
        ? new TreeAudit(List.of(trees), progress).run()
        : new TreeAudit(List.of(trees), maps.trees(), maps.reading(trees), progress).run();
  }

  @Override
  public final void scan(BlockSink sink) throws IOException {
    TreeScan.cheapest(trees).run(sink);
  }

  @Override
  public SalvageReport salvage(BlockSink sink) throws IOException {
    if (context.store().keepsObjects()) {
      throw new ConfigurationException(
          "a store on objects cannot be salvaged: restore its client's records, or a backup");
    }
    List<TreeSalvage.Tree> parts = new ArrayList<>();
    for (int tree = 0; tree < trees.length; tree++) {
      parts.add(
          new TreeSalvage.Tree(
              layout.geometry(tree),
              layout.descriptor(tree),
              context.codec(layout.descriptor(tree)),
              layout.chunkPaths(parameters, tree)));
    }
    long blocks = context.config().blocks();
    return new TreeSalvage(context.store(), layout.table(), blocks, parts).run(sink);
  }

  @Override
  public final long scanBytes() {
    return TreeScan.cheapest(trees).bytes();
  }

  @Override
  public final List<StoreLog> logs() {
    List<StoreLog> logs = new ArrayList<>();
    for (RangeTree tree : all) {
      TreeGeometry geometry = tree.geometry();
      for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
        LevelRun run = layout.table().run(geometry.tree(), level);
        logs.add(tree.log(level, run.offset(level), run.places(level)));
      }
    }
    return logs;
  }

  @Override
  public final long grownBytes(OramConfig config) {
    return grown(config).end();
  }

  @Override
  public final byte[] layout() {
    return LevelTableDescriptor.encode(layout.table());
  }

  /** With a map on the store, the client has few labels, and this takes no time. */
  @Override
  public final void prepareToGrow(OramConfig larger) {
    if (maps != null) {
      return;
    }
    OramContext next = context.with(larger);
    StoreLayout higher = new StoreLayout(larger, grown(larger));
    LabelPrf own = context.firstLabels().duplicate();
    try {
      List<LocalPositionMap> labels = new ArrayList<>();
      for (int tree = 0; tree < trees.length; tree++) {
        LocalPositionMap map = TreeParts.newMap(next, higher.geometry(tree));
        map.prepareToGrow(own, trees[tree].geometry().ranges());
        labels.add(map);
      }
      grownLabels = labels;
    } finally {
      own.wipe();
    }
  }

  @Override
  public final Engine grown(OramContext larger) {
    if (maps == null && grownLabels.isEmpty()) {
      prepareToGrow(larger.config());
    }
    // The journal has it already, and this one shares with it what it has taken.
    return whole()
        .changeNow(
            () -> of(larger, new StoreLayout(larger.config(), grown(larger.config())), this));
  }

  @Override
  public final Engine before(OramContext smaller) {
    OramConfig config = smaller.config();
    return of(smaller, new StoreLayout(config, layout.before(config)), null);
  }

  private LevelTable grown(OramConfig config) {
    return layout.grownTo(config, tree -> all[tree].schedule().evictions());
  }

  @Override
  public final void syncBuckets() throws IOException {
    buckets.sync();
  }

  @Override
  public final boolean isPending() {
    return pending.count() > 0;
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
    List<BucketStore.Current> current = Arrays.stream(all).map(RangeTree::current).toList();
    buckets.discardOrphans(
        workspace.newestEpoch(),
        (tree, level, first, count, epoch) ->
            current.get(tree).refersTo(tree, level, first, count, epoch));
  }

  @Override
  public final JournalReplay replay() {
    int lastEpoch = workspace.newestEpoch() - 1;
    return new TreeReplay(
        all,
        trees.length,
        maps == null ? null : replayed(maps),
        pending,
        context.config().blockBytes(),
        lastEpoch,
        parameters.revealsOperationType(),
        this::complete);
  }

  private TreeReplay.Maps replayed(MapChain chain) {
    return new TreeReplay.Maps() {
      @Override
      public boolean isPlanned(Intent read, TreeGeometry geometry) {
        return chain.isPlanned(read, geometry);
      }

      @Override
      public void replay(Intent read, DataInput in) throws IOException {
        chain.replay(read, trees[read.tree()], in);
      }
    };
  }

  /** Returns the trees whose current buckets are everything that the store holds. */
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

  /** Leaves the trees, including those of the position map, as a bulk load of no blocks does. */
  @Override
  public final void takeAsWritten() throws IOException {
    for (RangeTree tree : all) {
      tree.startFill().done();
    }
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
  public final ClientMemory heldMemory() {
    return TreeMemory.held(all, workspace);
  }

  @Override
  public final void copyState(StateCopy state) throws IOException {
    for (RangeTree tree : all) {
      long most = Math.min(tree.geometry().blocks(), mostHeld);
      tree.copyTo(state, most, pending.runs(tree.geometry().tree()));
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
