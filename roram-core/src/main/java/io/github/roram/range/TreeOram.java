package io.github.roram.range;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.OramException;
import io.github.roram.OramStats;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.audit.RangeAudit;
import io.github.roram.bucket.BucketCodec;
import io.github.roram.bulk.BulkLoader;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.engine.BulkLoadable;
import io.github.roram.engine.Engine;
import io.github.roram.engine.Journalled;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.StashLimit;
import io.github.roram.engine.Transfer;
import io.github.roram.engine.Verifiable;
import io.github.roram.eviction.EvictionSchedule;
import io.github.roram.eviction.WriteShare;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.rekey.Rekeyable;
import io.github.roram.stash.Stash;
import io.github.roram.tree.LevelLog;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.Workspace;
import java.io.DataInput;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
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
abstract class TreeOram implements Engine, Journalled, Verifiable, BulkLoadable, Rekeyable {

  private static final Logger LOG = LoggerFactory.getLogger(TreeOram.class);

  /** The parameters. */
  protected final TreeParameters parameters;

  /** The parts. */
  private final OramContext context;

  private final Workspace workspace;

  /** The trees, by size class. */
  protected final RangeTree[] trees;

  /** The read that is to be done, or done again; null between accesses. */
  private @Nullable PendingRead pending;

  /** Ranges of the read that was completed last. */
  private int completed;

  /** Blocks that the pending read, or the last one, brought to the stash. */
  private final IntArrayList arrivals = new IntArrayList();

  private final int mostHeld;
  private final EvictionCommits commits;
  private @Nullable Journal journal;

  TreeOram(OramContext context, StoreLayout layout) {
    this.context = context;
    parameters = TreeParameters.of(context.config());
    workspace =
        context.workspace(StoreLayout.buckets(context.config()), context.options().threads());
    trees = new RangeTree[layout.trees()];
    for (int tree = 0; tree < trees.length; tree++) {
      trees[tree] =
          newTree(context, parameters, layout.geometry(tree), layout.log(tree), workspace);
    }
    mostHeld = mostHeld(parameters, trees[0].geometry());
    commits = new EvictionCommits(context.store(), trees, mostHeld);
  }

  /** The most blocks that a client holds of a tree: treetop, window, an access, and the stash. */
  private static int mostHeld(TreeParameters config, TreeGeometry geometry) {
    int treetop = geometry.slots() * ((1 << geometry.treetopLevels()) - 1);
    return treetop
        + config.windowBlocks()
        + config.backlogBlocks()
        + 4 * config.maxRangeBlocks()
        + config.stashLimitBlocks();
  }

  private static RangeTree newTree(
      OramContext context,
      TreeParameters config,
      TreeGeometry geometry,
      LevelLog log,
      Workspace workspace) {
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
    return new RangeTree(geometry, log, schedule, positions, stash, workspace, context.store());
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
    arrivals.clear();
    PendingRead read = new PendingRead(tree, ranges, labels, fresh);
    pending = read;
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
    trees[read.tree()].readPaths(read.ranges(), read.labels(), arrivals);
    complete(read);
  }

  /** The ranges of a read are with the client: relabels them and owes what that costs. */
  private void complete(PendingRead read) {
    for (int i = 0; i < read.ranges().length; i++) {
      if (read.ranges()[i] >= 0) {
        trees[read.tree()].relabel(read.ranges()[i], read.freshLabels()[i]);
      }
    }
    owe(read.tree(), read.ranges().length);
    completed = read.ranges().length;
    pending = null;
  }

  /** Records the access of the last read as complete, with the blocks that it wrote. */
  protected final void recordAccess(int tree, int firstWritten, int writtenBlocks)
      throws IOException {
    if (journal != null) {
      int rangeBlocks = completed * trees[tree].geometry().rangeBlocks();
      journal.access(tree, trees[tree].stash(), arrivals, firstWritten, writtenBlocks, rangeBlocks);
    }
  }

  private int freshLabel(int tree) {
    return context.labels().next(trees[tree].geometry().leaves());
  }

  @Override
  public final void completePending() throws IOException {
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
  public final VerifyReport audit(VerifyProgress progress) throws IOException {
    return new RangeAudit(trees, workspace.codec().descriptor(), progress).run();
  }

  @Override
  public final boolean isPending() {
    return pending != null;
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
    int lastEpoch = workspace.codec().epoch() - 1;
    return new TreeReplay(trees, context.config().blockBytes(), lastEpoch, new ReplayTarget());
  }

  private final class ReplayTarget implements TreeReplay.Target {
    @Override
    public boolean isPending() {
      return pending != null;
    }

    @Override
    public void begin(PendingRead read) {
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

  @Override
  public final List<RangeTree> rangeTrees() {
    return List.of(trees);
  }

  @Override
  public final BucketCodec codec() {
    return workspace.codec();
  }

  @Override
  public final void load(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException {
    new BulkLoader(source, memoryBytes, workspace, context.store(), progressBytes)
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
  public final void copyState(StateCopy state) throws IOException {
    for (RangeTree tree : trees) {
      tree.copyTo(state, Math.min(context.config().blocks(), mostHeld));
    }
    state.addNow(out -> PendingRead.write(pending, out));
  }

  @Override
  public final void readState(DataInput in) throws IOException {
    for (RangeTree tree : trees) {
      tree.readFrom(in);
    }
    pending = PendingRead.read(in);
  }

  @Override
  public final void wipe() {
    for (RangeTree tree : trees) {
      tree.stash().wipe();
    }
    workspace.wipe();
  }
}
