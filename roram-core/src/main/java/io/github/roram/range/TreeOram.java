package io.github.roram.range;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.OramStats;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.audit.RangeAudit;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.engine.AbstractOram;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Transfer;
import io.github.roram.eviction.EvictionSchedule;
import io.github.roram.eviction.WriteShare;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.stash.Stash;
import io.github.roram.store.BucketStore;
import io.github.roram.tree.BucketMemory;
import io.github.roram.tree.BulkTarget;
import io.github.roram.tree.PathRead;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.Workspace;
import java.io.DataInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
abstract class TreeOram extends AbstractOram {

  private static final Logger LOG = LoggerFactory.getLogger(TreeOram.class);

  /** The trees, by size class. */
  protected final RangeTree[] trees;

  /** The read that is to be done, or done again; null between accesses. */
  private @Nullable PendingRead pending;

  /** Ranges of the read that was completed last. */
  private int completed;

  /** The paths of the pending read, or of the last one; null until one is planned. */
  private @Nullable PathRead paths;

  private final BucketStore buckets;
  private final int mostHeld;
  private final EvictionCommits commits;
  private @Nullable Journal journal;

  TreeOram(OramContext context, StoreLayout layout) {
    this(context, layout, layout.on(context.store()), context.workspace());
  }

  TreeOram(OramContext context, StoreLayout layout, BucketStore buckets) {
    this(context, layout, buckets, context.workspace());
  }

  private TreeOram(
      OramContext context, StoreLayout layout, BucketStore buckets, Workspace workspace) {
    super(context, workspace);
    trees = new RangeTree[layout.trees()];
    for (int tree = 0; tree < trees.length; tree++) {
      BucketMemory memory = workspace.buckets(layout.descriptor(tree));
      trees[tree] = newTree(context, layout.geometry(tree), memory, buckets);
    }
    this.buckets = buckets;
    mostHeld = mostHeld(context.config(), trees[0].geometry());
    commits = new EvictionCommits(buckets, trees, mostHeld);
  }

  /** The most blocks that a client holds of a tree: treetop, window, an access, and the stash. */
  private static int mostHeld(OramConfig config, TreeGeometry geometry) {
    int treetop = geometry.slots() * ((1 << geometry.treetopLevels()) - 1);
    return treetop
        + config.windowBlocks()
        + config.backlogBlocks()
        + 4 * config.maxRangeBlocks()
        + config.stashLimitBlocks();
  }

  private static RangeTree newTree(
      OramContext context, TreeGeometry geometry, BucketMemory memory, BucketStore buckets) {
    OramConfig config = context.config();
    EvictionSchedule schedule =
        new EvictionSchedule(
            config.evictionRate(),
            config.windowBlocks(),
            config.chunkPaths(),
            geometry.leaves(),
            new WriteShare(config.writeShareParts(), config.backlogBlocks()));
    LocalPositionMap positions =
        new LocalPositionMap(
            context.firstLabels(), geometry.tree(), geometry.ranges(), geometry.leaves());
    Stash stash = new Stash(context.heldBlockBytes());
    return new RangeTree(geometry, schedule, positions, stash, memory, buckets);
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
    int[] labels = new int[ranges.length];
    int[] fresh = new int[ranges.length];
    for (int i = 0; i < ranges.length; i++) {
      labels[i] = ranges[i] < 0 ? freshLabel(tree) : trees[tree].positions().label(ranges[i]);
      fresh[i] = freshLabel(tree);
    }
    PendingRead read = new PendingRead(tree, ranges, labels, fresh);
    pending = read;
    paths = trees[tree].planRead(ranges, labels);
    if (journal != null) {
      journal.intent(tree, ranges, labels, fresh);
    }
    finish(read);
  }

  private void finish(PendingRead read) throws IOException {
    if (journal != null) {
      journal.sync();
      commits.journalSynced();
    }
    if (paths == null) {
      // It was begun before the ORAM was opened.
      paths = trees[read.tree()].planRead(read.ranges(), read.labels());
    }
    paths.run();
    complete(read);
  }

  /** The ranges of a read are with the client: relabels them and owes what that costs. */
  private void complete(PendingRead read) {
    int[] ranges = read.ranges();
    for (int from = 0; from < ranges.length; ) {
      int to = from + 1;
      while (to < ranges.length && ranges[from] >= 0 && ranges[to] == ranges[from] + to - from) {
        to++;
      }
      if (ranges[from] >= 0) {
        relabel(read, from, to);
      }
      from = to;
    }
    owe(read.tree(), read.ranges().length);
    completed = read.ranges().length;
    pending = null;
  }

  /** Relabels consecutive ranges of a read: those from one to another. */
  private void relabel(PendingRead read, int from, int to) {
    trees[read.tree()].relabel(
        read.ranges()[from],
        Arrays.copyOfRange(read.labels(), from, to),
        Arrays.copyOfRange(read.freshLabels(), from, to));
  }

  /** Records the access of the last read as complete, with the blocks that it wrote. */
  protected final void recordAccess(int tree, int firstWritten, int writtenBlocks)
      throws IOException {
    if (journal != null) {
      int rangeBlocks = completed * trees[tree].geometry().rangeBlocks();
      IntArrayList arrivals = Objects.requireNonNull(paths).arrivals();
      journal.access(tree, trees[tree].stash(), arrivals, firstWritten, writtenBlocks, rangeBlocks);
    }
  }

  private int freshLabel(int tree) {
    return context.labels().next(trees[tree].geometry().leaves());
  }

  @Override
  protected final void completePending() throws IOException {
    PendingRead read = pending;
    if (read != null) {
      finish(read);
      recordAccess(read.tree(), 0, 0);
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
  protected final VerifyReport audit(VerifyProgress progress) throws IOException {
    return new RangeAudit(trees, progress).run();
  }

  @Override
  protected final void syncBuckets() throws IOException {
    buckets.sync();
  }

  @Override
  protected final boolean isPending() {
    return pending != null;
  }

  @Override
  protected final boolean stateHoldsPending() {
    return true;
  }

  @Override
  protected final boolean owesCommits() {
    return commits.areOwed();
  }

  @Override
  protected final void startJournal(@Nullable Journal newJournal) {
    journal = newJournal;
    commits.start(newJournal);
  }

  @Override
  protected final JournalReplay replay() {
    int lastEpoch = workspace.newestEpoch() - 1;
    return new TreeReplay(trees, config().blockBytes(), lastEpoch, new ReplayTarget());
  }

  private final class ReplayTarget implements TreeReplay.Target {
    @Override
    public boolean isPending() {
      return pending != null;
    }

    @Override
    public void begin(PendingRead read) {
      accessed();
      pending = read;
    }

    @Override
    public PendingRead complete() {
      PendingRead read = Objects.requireNonNull(pending);
      TreeOram.this.complete(read);
      return read;
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

  /** One access, within bounds. */
  @Override
  protected abstract int access(Transfer transfer) throws IOException;

  @Override
  public final List<RangeTree> rangeTrees() {
    return List.of(trees);
  }

  @Override
  protected final List<? extends BulkTarget> bulkTargets() {
    return List.of(trees);
  }

  @Override
  protected final void resetTrees() {
    for (RangeTree tree : trees) {
      tree.reset();
    }
  }

  @Override
  protected final int trees() {
    return trees.length;
  }

  @Override
  protected final int stashBlocks(int tree) {
    return trees[tree].stashBlocks();
  }

  @Override
  protected final List<OramStats.TreeStats> treeStats() {
    List<OramStats.TreeStats> stats = new ArrayList<>();
    for (RangeTree tree : trees) {
      TreeGeometry geometry = tree.geometry();
      stats.add(
          new OramStats.TreeStats(
              geometry.rangeBlocks(),
              geometry.height(),
              geometry.treetopLevels(),
              tree.schedule().evictions() - geometry.leaves(),
              tree.stash().size(),
              tree.stashBlocks(),
              tree.stashMaxBlocks(),
              tree.schedule().paddingBlocks()));
    }
    return stats;
  }

  @Override
  protected final void copyState(StateCopy state) throws IOException {
    for (RangeTree tree : trees) {
      tree.copyTo(state, Math.min(config().blocks(), mostHeld));
    }
    state.addNow(out -> PendingRead.write(pending, out));
  }

  @Override
  protected final void readState(DataInput in) throws IOException {
    for (RangeTree tree : trees) {
      tree.readFrom(in);
    }
    pending = PendingRead.read(in);
  }

  @Override
  protected final void wipe() {
    for (RangeTree tree : trees) {
      tree.stash().wipe();
    }
  }
}
