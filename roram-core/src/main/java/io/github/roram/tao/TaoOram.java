package io.github.roram.tao;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.BlockSink;
import io.github.roram.ClientMemory;
import io.github.roram.OramException;
import io.github.roram.OramStats;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
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
import io.github.roram.journal.Intent;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.path.PathScan;
import io.github.roram.path.PathWalk;
import io.github.roram.store.IoPhase;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.Workspace;
import java.io.DataInput;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TaORAM (Sahin, Zakhary, El Abbadi, Lin and Tessaro: "TaoStore: Overcoming Asynchronicity in
 * Oblivious Data Storage", IEEE S&amp;P 2016): Path ORAM whose accesses overlap. An access reads
 * the path of its block; what was fetched is kept in a subtree; once k paths were read they are
 * written back together, while others are being read.
 *
 * <p>Its parts: request map ({@link RequestMap}), subtree ({@link Subtree}), write-back ({@link
 * WriteBack}), processor ({@link OverlappedTao}); the sequencer is that of all asynchronous ORAMs
 * ({@code session.OverlappedCalls}). A range of r blocks is r accesses.
 *
 * <p>Deviations from the paper:
 *
 * <ul>
 *   <li>Blocks are moved once, when they are written back, in all k paths at once; the paper moves
 *       them in the subtree after each read. They come to stand as deep, or deeper.
 *   <li>An access is applied when all earlier reads have arrived, and answered in order; a request
 *       for a block that another one is bringing waits for its own, fake, read. The paper answers
 *       when the block is there and its own read has returned, in order as well.
 *   <li>Each bucket has two places on the store, and names the versions of its children: a crash
 *       loses nothing, and an old bucket is refused. The paper has neither.
 * </ul>
 *
 * <h2>Security</h2>
 *
 * The store sees a uniform label, never shown before, for each block that is accessed, be it the
 * block's own or that of a fake read; and after each k of them the same paths written, in their
 * order. When reads and write-backs begin follows from the number of accesses and from how fast the
 * store and the journal answer. Buckets are authenticated with their versions; the stash is bounded
 * as Path ORAM's is (TaoStore, section on the stash).
 */
final class TaoOram
    implements Engine, Overlapping, Journalled, Verifiable, Scannable, BulkLoadable, Rekeyable {

  private static final Logger LOG = LoggerFactory.getLogger(TaoOram.class);

  private final OramContext context;
  private final TreeParameters parameters;
  private final Workspace workspace;
  private final TaoTree tree;
  private final RequestMap requests;
  private final WriteBacks writeBacks;
  private @Nullable Journal journal;

  /** A TaORAM of these parts. */
  TaoOram(OramContext context, TaoLayout layout) {
    this.context = context;
    context.store().arrange(layout.parts());
    parameters = TreeParameters.of(context.config());
    workspace =
        new Workspace(
            context::codec, context.epochs(), context.options().threads(), parameters.ringBytes());
    tree =
        new TaoTree(
            layout, context.firstLabels(), workspace.buckets(layout.descriptor()), context.store());
    requests = new RequestMap(tree);
    writeBacks = new WriteBacks(context, tree);
  }

  TaoTree tree() {
    return tree;
  }

  RequestMap requests() {
    return requests;
  }

  WriteBacks writeBacks() {
    return writeBacks;
  }

  @Override
  public int access(Transfer transfer) throws IOException {
    for (int read = 0; read < transfer.blocks(); read++) {
      if (read > 0) {
        completePending();
      }
      Intent intent = begin(transfer, read);
      fetch(intent);
      carryOut(transfer, read, intent);
      payWriteBacks();
    }
    return transfer.blocks();
  }

  /** Begins the read of a block of an access: chooses what it shows, and records it. */
  Intent begin(Transfer transfer, int read) throws IOException {
    int leaves = tree.geometry().leaves();
    Intent intent = requests.choose(transfer.block() + read, () -> context.labels().next(leaves));
    requests.add(intent);
    if (journal != null) {
      journal.intent(intent);
    }
    return intent;
  }

  /** Makes the intent of the oldest request durable and shows it. */
  private void fetch(Intent intent) throws IOException {
    writeBacks.syncJournal();
    PathFetch fetch = new PathFetch(tree, IoPhase.READ, intent.labels());
    try {
      context.store().read(fetch.extents(), fetch);
      fetch.keepIn(tree.subtree());
    } finally {
      fetch.clear();
    }
  }

  /** With the path of the oldest request in the subtree: moves bytes of its block, and records. */
  void carryOut(Transfer transfer, int read, Intent intent) throws IOException {
    IntArrayList arrivals = complete(intent);
    int address = transfer.block() + read;
    boolean writes = transfer.writes();
    int slot =
        writes
            ? tree.stash().putKept(address, tree.positions().label(address))
            : tree.stash().find(address);
    if (slot >= 0) {
      transfer.move(address, tree.stash().array(slot), tree.stash().offset(slot));
    } else {
      transfer.moveZeros(address);
    }
    record(intent, arrivals, address, writes ? 1 : 0);
  }

  /** Brings the block of the oldest request to the stash; returns its address if it came. */
  private IntArrayList complete(Intent intent) {
    IntArrayList arrivals = new IntArrayList(1);
    int address = intent.ranges()[0];
    if (intent.relabels(0) && tree.bring(address)) {
      arrivals.add(address);
    }
    completeOldest();
    return arrivals;
  }

  private void completeOldest() {
    Intent oldest = requests.completeOldest();
    tree.owe(oldest.labels()[0]);
  }

  private void record(Intent intent, IntArrayList arrivals, int firstWritten, int written)
      throws IOException {
    if (journal != null) {
      journal.access(intent, new byte[0], tree.stash(), arrivals, firstWritten, written, 1);
    }
  }

  @Override
  public void completePending() throws IOException {
    if (tree.isIncomplete()) {
      tree.fetchUnwritten();
    }
    for (Intent read = requests.oldest(); read != null; read = requests.oldest()) {
      fetch(read);
      record(read, complete(read), 0, 0);
    }
    while (writeBacks.isDue()) {
      writeBacks.write();
    }
  }

  /** Writes back what is due now; a failure is left to the next access. */
  private void payWriteBacks() {
    try {
      completePending();
    } catch (IOException | OramException e) {
      LOG.warn("a write-back failed and is left to the next access: {}", e.toString());
    }
  }

  @Override
  public Overlap overlap(Executor turns, Runnable changed) {
    return new OverlappedTao(this, context, turns, changed);
  }

  @Override
  public boolean isPending() {
    return !requests.isEmpty();
  }

  @Override
  public boolean savesPending() {
    return true;
  }

  @Override
  public boolean owesCommits() {
    return false;
  }

  @Override
  public void startJournal(@Nullable Journal newJournal) {
    journal = newJournal;
    writeBacks.startJournal(newJournal);
  }

  @Override
  public JournalReplay replay() {
    return new TaoReplay(
        tree,
        requests,
        this::completeOldest,
        context.config().blockBytes(),
        workspace.newestEpoch() - 1);
  }

  @Override
  public void replayed() {
    tree.replayed();
  }

  @Override
  public void syncBuckets() throws IOException {
    context.store().sync();
  }

  @Override
  public VerifyReport audit(VerifyProgress progress) throws IOException {
    return new TaoAudit(tree, requests, progress).run();
  }

  @Override
  public void scan(BlockSink sink) throws IOException {
    new PathScan(
            tree, tree.stash(), (address, label) -> label == tree.positions().label(address), sink)
        .run();
  }

  @Override
  public long scanBytes() {
    return PathWalk.bytes(tree);
  }

  @Override
  public long accessBytes(int blocks) {
    return (long) TaoCosts.of(context.config(), blocks).bytes();
  }

  @Override
  public void load(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException {
    new BulkLoader(source, memoryBytes, tree.descriptor(), progressBytes).loadAll(List.of(tree));
  }

  @Override
  public void undoLoad() {
    tree.reset();
    workspace.requireNewEpoch();
  }

  @Override
  public Resealing resealing(BucketKeys newKeys) {
    return new TaoResealing(tree, newKeys, context.storeId());
  }

  /** Versions stay as they are. */
  @Override
  public void resealed(int epoch) {}

  @Override
  public void checkRoom() {
    StashLimit.check(context.config(), 0, tree.stashBlocks(), parameters.stashLimitBlocks());
  }

  @Override
  public List<OramStats.TreeStats> treeStats() {
    TreeGeometry geometry = tree.geometry();
    return List.of(
        new OramStats.TreeStats(
            1,
            geometry.height(),
            geometry.treetopLevels(),
            tree.numbers(),
            tree.stash().size(),
            tree.stashBlocks(),
            tree.stashMaxBlocks(),
            0,
            false,
            tree.mapBytes()));
  }

  @Override
  public ClientMemory heldMemory() {
    return TaoMemory.held(tree, workspace);
  }

  @Override
  public void copyState(StateCopy state) throws IOException {
    tree.copyTo(state, writeBacks.mostHeld());
    requests.copyTo(state);
  }

  @Override
  public void readState(DataInput in) throws IOException {
    tree.readFrom(in);
    requests.readFrom(in);
  }

  @Override
  public void wipe() {
    tree.wipe();
    workspace.wipe();
  }
}
