package io.github.roram.linked;

import io.github.roram.BlockSink;
import io.github.roram.ClientMemory;
import io.github.roram.ConfigurationException;
import io.github.roram.OramStats;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.audit.TreeAudit;
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
import io.github.roram.engine.Scattering;
import io.github.roram.engine.StashLimit;
import io.github.roram.engine.Transfer;
import io.github.roram.engine.Verifiable;
import io.github.roram.engine.WholeState;
import io.github.roram.journal.Intent;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import io.github.roram.journal.ReplayCheck;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.rekey.TreeResealing;
import io.github.roram.scan.TreeScan;
import io.github.roram.tree.PendingReads;
import io.github.roram.tree.ReadTree;
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

/**
 * TaORAM (Sahin, Zakhary, El Abbadi, Lin and Tessaro: "TaoStore: Overcoming Asynchronicity in
 * Oblivious Data Storage", IEEE S&amp;P 2016), and classic Path ORAM (Stefanov et al., CCS 2013,
 * section 3) as its special case k = 1. An access reads the path of its block, and the client keeps
 * the buckets in a subtree. Once k paths have been read they are written back together, while
 * others may be read.
 *
 * <p>Its parts are the request map ({@link PendingReads}), the subtree ({@link Subtree}), the
 * write-back ({@link WriteBack}) and the processor ({@link OverlappedPaths}); the sequencer is that
 * of all asynchronous ORAMs ({@code session.Sequencer}). A range of r blocks is r accesses; the
 * blocks of a program are one access of as many paths.
 *
 * <p>Deviations from TaoStore:
 *
 * <ul>
 *   <li>Blocks are moved once, when they are written back, in all k paths at once; the paper moves
 *       them in the subtree after each read. They end up as deep, or deeper.
 *   <li>An access is applied when all earlier reads have arrived, and answered in order; a request
 *       for a block that another request is bringing waits for its own fake read. The paper answers
 *       when the block is there and the request's own read has returned, also in order.
 *   <li>Each bucket has two places on the store, and names the versions of its children: a crash
 *       loses nothing, and an old bucket is refused. The paper has neither.
 * </ul>
 *
 * <p>Path ORAM has one place per bucket, and writes each path back before the access is done: one
 * vectored read and one vectored write. It is the baseline, as good as it can be: its position map
 * is local, or packed a thousand labels to a block in smaller trees; a treetop is available; and
 * trees are half full. It overwrites paths in place and keeps no journal; a path that was read is
 * in memory only until it is written. An access to several blocks that fails midway may have
 * written the first of them. With a recursive map accesses do not overlap.
 *
 * <h2>Security</h2>
 *
 * For each block that is accessed, and for each level of recursion, the store sees a uniform label
 * that was never shown before, be it the block's own or that of a fake read. After each k labels it
 * sees the same paths written, in the same order. When reads and write-backs begin follows from the
 * number of accesses and from how fast the store and the journal answer. Buckets are authenticated
 * with their versions; the stash is bounded as Path ORAM's is (TaoStore, section on the stash).
 */
public final class LinkedOram
    implements Engine,
        Overlapping,
        Journalled,
        Scattering,
        Verifiable,
        Scannable,
        BulkLoadable,
        Rekeyable {

  private final OramContext context;
  private final LinkedStoreLayout layout;
  private final TreeParameters parameters;
  private final Workspace workspace;

  /** The tree of the data, then those of the position map. */
  private final List<LinkedTree> trees;

  /** The accesses to each tree, by number of the tree. */
  private final TreeAccesses[] accesses;

  /** Creates an ORAM that was never written; {@link #readState} loads a saved one. */
  public LinkedOram(OramContext context, LinkedStoreLayout layout) {
    this.context = context;
    this.layout = layout;
    context.store().arrange(layout.parts());
    parameters = TreeParameters.of(context.config());
    workspace =
        new Workspace(
            context::codec, context.epochs(), context.options().threads(), parameters.ringBytes());
    accesses = new TreeAccesses[layout.trees()];
    RecursivePositionMap map = null;
    for (int tree = accesses.length - 1; tree >= 0; tree--) {
      accesses[tree] = accesses(tree, map);
      map = tree == 0 ? null : mapIn(accesses[tree]);
    }
    trees = Arrays.stream(accesses).map(TreeAccesses::tree).toList();
  }

  private TreeAccesses accesses(int number, @Nullable RecursivePositionMap map) {
    LinkedStoreLayout.Tree place = layout.layout(number);
    LinkedTree tree =
        new LinkedTree(
            place,
            context.firstLabels(),
            map == null ? labels(place.geometry()) : null,
            workspace.buckets(layout.descriptor()),
            context.store());
    return new TreeAccesses(
        context, tree, map, new WriteBacks(context, tree, layout.writeBackPaths()));
  }

  private LocalPositionMap labels(TreeGeometry geometry) {
    return new LocalPositionMap(
        context.firstLabels(), geometry.tree(), geometry.ranges(), geometry.leaves());
  }

  /** Returns the map that a tree holds for the tree before it. */
  private RecursivePositionMap mapIn(TreeAccesses tree) {
    TreeGeometry mapped = layout.geometry(tree.tree().geometry().tree() - 1);
    return new RecursivePositionMap(
        tree,
        context.firstLabels(),
        mapped,
        layout.labelsPerBlock(),
        context.heldBlockBytes() == 0 ? labels(mapped) : null);
  }

  /** Returns a tree: that of the data, then those of the position map. */
  LinkedTree tree(int number) {
    return trees.get(number);
  }

  /** Returns the tree of the data. */
  private LinkedTree data() {
    return trees.get(0);
  }

  @Override
  public int access(Transfer transfer) throws IOException {
    if (transfer.hasProgram()) {
      accesses[0].access(transfer);
      return 1;
    }
    for (int i = 0; i < transfer.blocks(); i++) {
      int address = transfer.block() + i;
      accesses[0].access(
          address, transfer.writes(), (array, offset) -> transfer.move(address, array, offset));
    }
    return transfer.blocks();
  }

  @Override
  public void checkScattered(int blocks, int shownBlocks) {
    if (accesses.length > 1) {
      throw new ConfigurationException(
          "with a recursive position map scheme "
              + context.config().scheme()
              + " looks one block up after another, so it makes no accesses to scattered blocks;"
              + " create the store with the map with the client, or with scheme roram");
    }
  }

  @Override
  public void completePending() throws IOException {
    for (int tree = accesses.length - 1; tree >= 0; tree--) {
      accesses[tree].completePending();
    }
  }

  /** False for a recursive map: labels in a smaller tree are looked up one after another. */
  @Override
  public boolean canOverlap() {
    return accesses.length == 1;
  }

  @Override
  public Overlap overlap(Executor turns, Runnable changed) {
    return new OverlappedPaths(accesses[0], context, turns, changed);
  }

  @Override
  public boolean isPending() {
    return Arrays.stream(accesses).anyMatch(TreeAccesses::isPending);
  }

  /** False with one place per bucket: what is to be written may be in memory alone. */
  @Override
  public boolean savesPending() {
    return layout.hasTwoPlaces();
  }

  @Override
  public boolean owesCommits() {
    return false;
  }

  @Override
  public void startJournal(@Nullable Journal newJournal) {
    accesses[0].startJournal(newJournal);
  }

  @Override
  public JournalReplay replay() {
    int lastEpoch = workspace.newestEpoch() - 1;
    int blockBytes = context.config().blockBytes();
    return new TreeReplay(
        new ReadTree[] {data()},
        1,
        null,
        accesses[0].requests(),
        blockBytes,
        lastEpoch,
        false,
        oldest -> accesses[0].completeOldest()) {
      @Override
      public void intent(Intent intent) {
        if (intent.ranges()[0] < 0) {
          throw ReplayCheck.refused("reads paths for no block");
        }
        super.intent(intent);
      }
    };
  }

  @Override
  public void replayed() {
    data().replayed();
  }

  @Override
  public void syncBuckets() throws IOException {
    context.store().sync();
  }

  @Override
  public VerifyReport audit(VerifyProgress progress) throws IOException {
    requireWhole("verify");
    TreeAudit.LabelReading labels =
        trees.size() == 1 ? null : new RecursivePositionMap.AllLabels(trees, context.firstLabels());
    return new TreeAudit(trees.subList(0, 1), trees.subList(1, trees.size()), labels, progress)
        .run();
  }

  private void requireWhole(String what) {
    if (!layout.hasTwoPlaces() && isPending()) {
      throw new IllegalStateException(
          "the last access failed and may have torn a path; make one that succeeds, then " + what);
    }
  }

  @Override
  public void scan(BlockSink sink) throws IOException {
    requireWhole("scan");
    TreeScan.cheapest(data()).run(sink);
  }

  @Override
  public long scanBytes() {
    return data().walk().bytes();
  }

  @Override
  public long accessBytes(int blocks) {
    return (long) layout.cost(blocks).bytes();
  }

  /** Loads the data tree alone: labels that were never given are pseudorandom. */
  @Override
  public void load(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException {
    new BulkLoader(source, memoryBytes, data().descriptor(), progressBytes)
        .loadAll(List.of(data()));
  }

  @Override
  public void undoLoad() {
    data().reset();
    workspace.requireNewEpoch();
  }

  @Override
  public Resealing resealing(BucketKeys newKeys) {
    return new TreeResealing(trees, newKeys, context.storeId());
  }

  /** Does nothing: versions stay as they are. */
  @Override
  public void resealed(int epoch) {}

  @Override
  public void checkRoom() {
    for (LinkedTree tree : trees) {
      StashLimit.check(
          context.config(),
          tree.geometry().tree(),
          tree.stashBlocks(),
          parameters.stashLimitBlocks());
    }
  }

  @Override
  public List<OramStats.TreeStats> treeStats() {
    List<OramStats.TreeStats> stats = new ArrayList<>();
    for (LinkedTree tree : trees) {
      TreeGeometry geometry = tree.geometry();
      stats.add(
          new OramStats.TreeStats(
              1,
              geometry.height(),
              geometry.treetopLevels(),
              tree.numbers(),
              tree.stash().size(),
              tree.stashBlocks(),
              tree.stashMaxBlocks(),
              0,
              geometry.tree() > 0,
              tree.mapBytes()));
    }
    return stats;
  }

  @Override
  public ClientMemory heldMemory() {
    return LinkedMemory.held(trees, workspace);
  }

  @Override
  public WholeState whole() {
    return workspace.whole();
  }

  @Override
  public void copyState(StateCopy state) throws IOException {
    trees.get(trees.size() - 1).copyLabelsTo(state);
    for (TreeAccesses one : accesses) {
      one.tree().copyTo(state, one.writeBacks().mostHeld());
    }
    if (layout.hasTwoPlaces()) {
      accesses[0].requests().copyTo(state);
    }
  }

  @Override
  public void readState(DataInput in) throws IOException {
    trees.get(trees.size() - 1).readLabelsFrom(in);
    for (LinkedTree tree : trees) {
      tree.readFrom(in);
    }
    if (layout.hasTwoPlaces()) {
      accesses[0].requests().readFrom(in);
    }
  }

  @Override
  public void wipe() {
    trees.forEach(LinkedTree::wipe);
    workspace.wipe();
  }
}
