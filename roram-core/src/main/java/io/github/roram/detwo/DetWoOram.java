package io.github.roram.detwo;

import io.github.roram.BlockSink;
import io.github.roram.ConfigurationException;
import io.github.roram.VerifyProgress;
import io.github.roram.VerifyReport;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.detwo.PageWalk.PageAudit;
import io.github.roram.detwo.PageWalk.PageResealing;
import io.github.roram.engine.BulkLoadable;
import io.github.roram.engine.Engine;
import io.github.roram.engine.EngineNotes;
import io.github.roram.engine.Noting;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Rekeyable;
import io.github.roram.engine.Resealing;
import io.github.roram.engine.Scannable;
import io.github.roram.engine.Transfer;
import io.github.roram.engine.Verifiable;
import io.github.roram.engine.WholeState;
import java.io.DataInput;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * DetWoORAM (Roche, Aviv, Choi and Mayberry: "Deterministic, Stash-Free Write-Only ORAM", CCS 2017)
 * in the forms of the paper on oblivious paging in Keystone (its Algorithm 1 and section 4).
 *
 * <p>Symbols: N blocks, M pages of the holding area, K = N/M, p the number of the next write. Write
 * p puts its page into the holding area and refreshes ⌊(p+1)K⌋ − ⌊pK⌋ blocks, so that every block
 * is back in the main area before its page in the holding area is overwritten.
 *
 * <p>Deviations from Algorithm 1: both areas are in one ring somewhat longer than N + M, so a write
 * is one extent, overwrites nothing that the state before it needs, and p names every page ({@link
 * Areas}). A block that is written and refreshed by the same write is refreshed with its old
 * content; its new content stays in the holding area and is refreshed M writes later. So refreshes
 * do not depend on what is written. A range of n blocks is n writes in one request for each
 * direction.
 *
 * <h2>Security</h2>
 *
 * An observer of the store's content, at any moments and however often, learns the number of writes
 * and nothing else: places and lengths follow from p, and all contents are sealed anew. Reads go
 * straight to the blocks and write nothing: an observer of reads learns which blocks are read and,
 * from what is read for refreshes, which were written. So stores that show reads are refused unless
 * the user declares an {@linkplain io.github.roram.Adversary#SNAPSHOTS adversary of snapshots}.
 * Replay, exchange and rollback of any page are detected, since p determines the version of each
 * page.
 */
final class DetWoOram implements Engine, Noting, Verifiable, Scannable, BulkLoadable, Rekeyable {

  private final OramContext context;
  private final Areas areas;
  private final PageTable table;
  private final Notes notes;
  private final PageWrites writes;
  private final PageReads reads;
  private final WholeState whole = new WholeState();

  DetWoOram(OramContext context, Areas areas) {
    if (context.heldBlockBytes() == 0) {
      throw new ConfigurationException(
          "scheme detwo has no form without payload; replay it with its data");
    }
    this.context = context;
    this.areas = areas;
    context.store().arrange(areas.parts());
    table = new PageTable(areas);
    notes = new Notes(context, areas, table);
    writes = new PageWrites(context, areas, table);
    reads = new PageReads(context, areas, table, codec(context));
  }

  /** Returns another codec, for another thread. */
  static PageCodec codec(OramContext context) {
    DetWoParameters parameters = (DetWoParameters) context.config().parameters();
    return new PageCodec(
        context.keys(), context.storeId(), parameters.cipher(), context.config().blockBytes());
  }

  /** Returns what this engine did, for tests and benchmarks. To be asked between accesses. */
  Counts counts() {
    return new Counts(writes.seals(), writes.opens(), reads.opens());
  }

  /**
   * Counts since the opening.
   *
   * @param seals pages sealed
   * @param opens pages opened to be refreshed or updated
   * @param readOpens pages opened for reads
   */
  record Counts(long seals, long opens, long readOpens) {}

  /** Returns the page with the newest content of a block, for tests. */
  Page locate(int block) {
    return table.locate(block, new Page());
  }

  /** Waits for the pages that the eager form is preparing; for tests and benchmarks. */
  void awaitAhead() {
    writes.awaitAhead();
  }

  @Override
  public int access(Transfer transfer) throws IOException {
    whole.check();
    if (!transfer.writes()) {
      reads.read(transfer);
      return 1;
    }
    notes.beforeWrites();
    int epoch = writes.write(transfer, notes::afterPages);
    whole.change(
        () -> {
          table.written(transfer.block(), transfer.blocks(), epoch);
          notes.noteWritten(transfer.block(), transfer.blocks(), epoch);
        });
    writes.prepareNext(epoch);
    return 1;
  }

  /** Repeats the refreshes that a crash may have lost. */
  @Override
  public void completePending() throws IOException {
    whole.check();
    if (table.settled() < table.writes()) {
      notes.rewriteDoubts();
      int epoch = writes.refreshLost();
      notes.sync();
      whole.change(
          () -> {
            table.settle(epoch);
            notes.noteSynced();
          });
    }
  }

  @Override
  public WholeState whole() {
    return whole;
  }

  @Override
  public void syncBuckets() throws IOException {
    notes.sync();
  }

  @Override
  public void startNotes(@Nullable EngineNotes journal) {
    notes.start(journal);
  }

  @Override
  public boolean replay(DataInput note) throws IOException {
    return notes.replay(note);
  }

  @Override
  public void replayed() throws IOException {
    notes.settleDoubts(writes.codec());
  }

  /** Repeats lost refreshes first, as the note that all is synced also says that none are lost. */
  @Override
  public void stored() throws IOException {
    if (table.settled() < table.writes()) {
      completePending();
    } else {
      notes.noteSynced();
    }
  }

  @Override
  public VerifyReport audit(VerifyProgress progress) throws IOException {
    return new PageAudit(context, areas, table, progress).run();
  }

  @Override
  public void scan(BlockSink sink) throws IOException {
    reads.scan(sink);
  }

  @Override
  public long scanBytes() {
    return Math.min(table.refreshes(), areas.blocks()) * areas.pageBytes();
  }

  /** A read reads its own blocks and nothing else. */
  @Override
  public long accessBytes(int blocks) {
    return (long) blocks * areas.pageBytes();
  }

  @Override
  public void load(SeekableByteChannel source, long memoryBytes, LongConsumer progressBytes)
      throws IOException {
    table.loaded(writes.load(source, progressBytes));
  }

  @Override
  public void undoLoad() {
    table.clear();
    writes.requireNewEpoch();
  }

  @Override
  public Resealing resealing(BucketKeys newKeys) {
    return new PageResealing(context, areas, table, newKeys);
  }

  @Override
  public void resealed(int epoch) {
    table.resealed(epoch);
  }

  @Override
  public void copyState(StateCopy state) throws IOException {
    notes.syncForCheckpoint();
    table.copyTo(state);
  }

  @Override
  public void readState(DataInput in) throws IOException {
    table.readFrom(in);
    notes.restored();
  }

  @Override
  public void wipe() {
    writes.close();
    reads.wipe();
  }
}
