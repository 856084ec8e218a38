package io.github.roram.session;

import io.github.roram.ClientMemory;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.OramException;
import io.github.roram.RecoveryReport;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.engine.Engine;
import io.github.roram.engine.Growable;
import io.github.roram.engine.Journalled;
import io.github.roram.engine.Noting;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.TrimmedBlocks;
import io.github.roram.engine.WholeState;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalReplay;
import io.github.roram.journal.ReplayCheck;
import io.github.roram.state.ClientRecords;
import io.github.roram.store.ClientVault;
import io.github.roram.threads.OwnedThreads;
import java.io.DataInput;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of an ORAM from opening to closing, and the part of it that the client's records hold:
 * opened, begun (something has changed, so a journal is kept), closed. A failed journal or
 * checkpoint is mended here, before the next access. Recovery also happens here, in this order: the
 * saved state, the journal's records ({@code JournalFiles} reads them, {@code TreeReplay} applies
 * them to trees), then the pending work, which the engine does.
 *
 * <p>Methods are called under the ORAM's lock, except while it is being opened, when no other
 * thread has it.
 */
public final class Lifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

  /** Flags at the beginning of the saved state. */
  private static final int FRESH = 1;

  private static final int SIZED = 2;
  private static final int LAID_OUT = 4;

  private volatile Engine engine;
  private @Nullable Journalled journalled;
  private volatile OramContext context;
  private final ClientRecords records;
  private final Checkpoints checkpoints;
  private final TrimmedBlocks trimmed;
  private @Nullable Journal journal;
  private RecoveryReport recovery = RecoveryReport.CLEAN;

  /** Whether no tree was ever accessed, so that a bulk load is possible. */
  private boolean fresh;

  /** Whether the saved state is out of date. */
  private boolean begun;

  /** Whether an epoch without a journal may have begun, which only a closed state ends. */
  private boolean begunInVain;

  /** Whether a checkpoint must be written before anything is recorded. */
  private boolean checkpointFirst;

  private boolean closed;

  /** Whether the state contains the number of blocks; older versions left it out at first. */
  private boolean sized;

  /**
   * Creates the life of an ORAM that is neither created nor opened yet.
   *
   * @param records keys and saved state; closed at the end
   * @param threads threads of the caller, which ends them after this lifecycle has ended
   */
  Lifecycle(Engine engine, OramContext context, ClientRecords records, OwnedThreads threads) {
    this.engine = engine;
    journalled = journalOf(engine);
    this.context = context;
    this.records = records;
    trimmed = new TrimmedBlocks(context.config().blocks());
    checkpoints = new Checkpoints(records, context.options(), this::copyAll, threads);
  }

  /** Returns the engine; another one once the store has grown. */
  Engine engine() {
    return engine;
  }

  /** Returns the parts from which the engine is built. */
  OramContext context() {
    return context;
  }

  private static @Nullable Journalled journalOf(Engine engine) {
    if (engine instanceof Noting noting) {
      return new NotesInJournal(noting);
    }
    return engine instanceof Journalled able ? able : null;
  }

  /** Starts with trees that were never accessed. */
  public void startEmpty() throws IOException {
    fresh = true;
    sized = true;
    begin();
  }

  /**
   * Continues where the last checkpoint and the journal end. Changes nothing, except that it
   * finishes a growth that the superblock does not show yet.
   */
  public void startFromRecords() throws IOException {
    OramConfig said = context.config();
    byte[] layout = layout();
    RecoveryReport replayed = records.restore(this::readAll, this::replay);
    if (context.config().blocks() < said.blocks()) {
      // The journal lost the record of the growth, so nothing after it was acknowledged.
      growTo(said);
      records.leaveJournal();
    }
    boolean grew = context.config().blocks() > said.blocks();
    if (engine instanceof Growable growable
        && (grew || !Arrays.equals(growable.layout(), layout))) {
      oweSuperblock(growable);
      records.writeSuperblock();
    }
    if (!replayed.clean()) {
      journalled().replayed();
      if (engine instanceof Noting) {
        // The engine's notes refer to a saved state, and no note says what became of the writes in
        // doubt.
        records.leaveJournal();
      }
    }
    fresh &= replayed.accesses() == 0 && !engine.isPending() && trimmed.isEmpty();
    recovery = replayed.withPendingRead(engine.isPending());
  }

  private TrimReplay replay() {
    return new TrimReplay(
        journalled().replay(), trimmed, context.config().blocks(), this::growAgain);
  }

  private JournalReplay growAgain(long blocks) throws IOException {
    if (blocks <= context.config().blocks() || engine.isPending()) {
      throw ReplayCheck.refused(
          "has a store of " + context.config().blocks() + " grow to " + blocks);
    }
    growTo(context.config().toBuilder().blocks(blocks).build());
    return journalled().replay();
  }

  /** Adds the memory that the journal and a checkpoint's copy take now. */
  ClientMemory addTo(ClientMemory engine) {
    if (engine.items().isEmpty()) {
      return engine;
    }
    List<ClientMemory.Item> items = new ArrayList<>(engine.items());
    items.add(new ClientMemory.Item(ClientMemory.JOURNAL, journalBytes()));
    items.add(new ClientMemory.Item(ClientMemory.COPY, checkpoints.heldBytes()));
    return new ClientMemory(items);
  }

  private long journalBytes() {
    return journal == null ? 0 : journal.heldBytes();
  }

  /** Returns what recovery found on opening. */
  RecoveryReport recovery() {
    return recovery;
  }

  /** Saves the present state, as closed, to the records of another key. */
  public void saveClosedTo(ClientRecords others) throws IOException {
    others.saveClosed(checkpoints::writeState);
  }

  /** Completes pending work, so that a copy can be made; does nothing if nothing has changed. */
  void settleForCopy() throws IOException {
    checkOpen();
    if (begun) {
      completeOrKeep();
    }
  }

  /** Saves the present state, as closed, to a copy of the vault. */
  void saveCopyTo(ClientVault copy, String... asTheyAre) throws IOException {
    checkpoints.finishCopy();
    records.saveCopy(copy, checkpoints::writeState, asTheyAre);
  }

  /** Returns the client's records, which have the key and the names of epochs. */
  ClientRecords records() {
    return records;
  }

  /**
   * Ends an ORAM that is closed or is not to be saved: waits for work in the background, and wipes
   * the keys.
   */
  public void abandon() {
    closed = true;
    try {
      checkpoints.settle();
      engine.wipe();
    } finally {
      context.firstLabels().wipe();
      records.close();
    }
  }

  boolean isOpen() {
    return !closed;
  }

  void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  /** Prepares for a change of the store: begins if that was not done, and mends the records. */
  void ready() throws IOException {
    checkOpen();
    begin();
    mend();
  }

  private void begin() throws IOException {
    if (!begun) {
      if (!recovery.clean()) {
        // The state saved now includes evictions whose buckets the system may still hold in memory.
        engine.syncBuckets();
      }
      begunInVain = context.options().durability() == Durability.NONE;
      journal = records.begin(context.config().blockBytes(), checkpoints::writeState);
      begunInVain = false;
      startJournal(journal);
      if (journal != null && context.options().trims()) {
        journal.recordTrims();
      }
      checkpoints.start(journal, records.goesOn());
      begun = true;
    }
  }

  private void startJournal(@Nullable Journal newJournal) {
    engine.whole().startRecords(newJournal == null ? null : newJournal::records);
    if (newJournal != null) {
      journalled().startJournal(newJournal);
    } else if (journalled != null) {
      journalled.startJournal(null);
    }
  }

  private Journalled journalled() {
    if (journalled == null) {
      throw new ConfigurationException(
          "scheme "
              + context.config().scheme()
              + " keeps no journal; open its stores with durability NONE");
    }
    return journalled;
  }

  /**
   * Makes the records current again after failures: by a checkpoint if the journal lost a record,
   * or if it is unknown which state the last attempt to save one left. Without a journal, that
   * state may say that the store was closed; then a new epoch begins, which is not that state's.
   */
  private void mend() throws IOException {
    if (journal == null) {
      if (checkpointFirst) {
        records.advance();
        checkpointFirst = false;
      }
      return;
    }
    checkpointFirst |= journal.failed();
    if (checkpointFirst) {
      // The state includes the evictions that were written, so their buckets must be durable.
      engine.syncBuckets();
      checkpoints.now();
      startJournal(journal);
      checkpointFirst = false;
    }
    journal.flush();
  }

  /** Returns whether the records are not current, until {@link #ready} mends them. */
  boolean mustMend() {
    return checkpointFirst || (journal != null && journal.failed());
  }

  /** Returns the blocks that read as zeros, whatever the engine holds for them. */
  TrimmedBlocks trimmed() {
    return trimmed;
  }

  /**
   * Checks that blocks can be trimmed.
   *
   * @throws ConfigurationException if trims are not supported or were not chosen
   */
  void checkTrims() {
    if (!context.options().trims()) {
      throw new ConfigurationException(
          "the store was opened without trims, or scheme "
              + context.config().scheme()
              + " has none; open it with OpenOptions.withTrims(true), of a scheme with Trait.TRIMS");
    }
  }

  /**
   * Makes blocks read as zeros, once the next access or flush has recorded it.
   *
   * @return false, having done nothing, if too many trims already wait to be recorded
   */
  boolean trim(long first, long count) throws IOException {
    ready();
    if (journal != null && !journal.trim((int) first, (int) count)) {
      return false;
    }
    fresh = false;
    trimmed.add(first, count);
    return true;
  }

  boolean isFresh() {
    return fresh;
  }

  /** Records that a tree was accessed, so that it can no longer be bulk loaded. */
  void accessed() {
    fresh = false;
  }

  /** Works on a checkpoint after an access, if one is due. */
  void afterAccess() {
    checkpoints.afterAccess(journalled == null || !journalled.owesCommits());
  }

  /**
   * Returns what must be durable before the last access is acknowledged; null without a journal.
   *
   * @param others whether other callers wait for the lock
   */
  Journal.@Nullable Mark mark(boolean others) {
    return journal == null ? null : journal.mark(others);
  }

  /**
   * Returns the end of the records; null without a journal. If a checkpoint comes first, the
   * journal lacks changes that only the checkpoint will contain, so its mark counts as lost.
   */
  Journal.@Nullable Mark recordedMark() {
    if (journal == null) {
      return null;
    }
    return checkpointFirst ? Journal.lostMark() : journal.markOfAll(false);
  }

  /**
   * Returns what must be durable before all acknowledged accesses are; null if they are durable
   * already, or without a journal.
   *
   * @param others whether other callers wait for the lock
   */
  Journal.@Nullable Mark flushMark(boolean others) throws IOException {
    checkOpen();
    Durability durability = context.options().durability();
    if (!begun && leftInMemory()) {
      begin();
    }
    boolean trims = context.options().trims();
    if (!begun || (durability == Durability.SYNC && !trims)) {
      return null;
    }
    boolean ahead = journalled != null && journalled.recordsAhead();
    if (durability == Durability.OS || durability == Durability.NONE || ahead) {
      // The written buckets were not synced before they were recorded.
      engine.syncBuckets();
    }
    if (journal == null) {
      return null;
    }
    checkpointFirst |= journal.leftUnsynced();
    mend();
    if (journalled != null) {
      journalled.stored();
    }
    journal.flushTrims();
    return journal.markOfAll(others);
  }

  /**
   * Returns whether the system may still hold in memory a part of what an earlier process wrote.
   */
  private boolean leftInMemory() {
    return !recovery.clean() && context.options().durability() != Durability.NONE;
  }

  /**
   * Makes the store witness the records: an access is about to be shown, and its intent is durable.
   */
  void showing() {
    records.witnessed();
  }

  /** Makes everything recorded so far durable. */
  void syncJournal() throws IOException {
    if (journal != null) {
      journal.sync();
    }
  }

  /** Completes a bulk load whose buckets were written. */
  void bulkLoaded() throws IOException {
    fresh = false;
    engine.syncBuckets();
    checkpoints.now();
  }

  /** Abandons a bulk load that failed; its trees are empty again. */
  void bulkLoadFailed() {
    fresh = true;
    checkpointFirst = true;
  }

  private void readAll(DataInput state) throws IOException {
    int flags = state.readByte();
    fresh = (flags & FRESH) != 0;
    sized = (flags & SIZED) != 0;
    long blocks = sized ? state.readLong() : context.config().blocks();
    if (blocks > context.config().blocks()) {
      throw new IntegrityException(
          "the client's state is of "
              + blocks
              + " blocks, the store's superblock of "
              + context.config().blocks()
              + ": it was replaced by an older one; restore it from a copy");
    }
    if (blocks < context.config().blocks()) {
      goBackTo(blocks);
    }
    if ((flags & LAID_OUT) != 0) {
      checkLayout(state);
    }
    context.firstLabels().readFrom(state);
    trimmed.readFrom(state, blocks);
    engine.readState(state);
  }

  /**
   * Checks the layout of the levels. If a crash undid one of two growths to the same number of
   * blocks, the layout tells which of them happened.
   */
  private void checkLayout(DataInput state) throws IOException {
    byte[] layout = new byte[state.readUnsignedShort()];
    state.readFully(layout);
    if (!Arrays.equals(layout, layout())) {
      throw new IntegrityException(
          "the client's state and the store's superblock say otherwise where levels lie, and since"
              + " when: one of them was replaced by an older one; restore it from a copy");
    }
  }

  private byte[] layout() {
    return engine instanceof Growable growable ? growable.layout() : new byte[0];
  }

  private void copyAll(StateCopy state) throws IOException {
    engine.whole().check();
    byte[] layout = layout();
    state.addNow(
        out -> {
          out.writeByte(
              (fresh ? FRESH : 0) | (sized ? SIZED : 0) | (layout.length > 0 ? LAID_OUT : 0));
          if (sized) {
            out.writeLong(context.config().blocks());
          }
          if (layout.length > 0) {
            out.writeShort(layout.length);
            out.write(layout);
          }
          context.firstLabels().writeTo(out);
        });
    state.add(trimmed.copy());
    engine.copyState(state);
  }

  /**
   * Grows the store, which has room for it, and records the growth. Nothing is in flight. If this
   * fails after the record was made, the store has grown all the same.
   *
   * @return what must be durable before the superblock is written
   */
  Journal.Mark grow(OramConfig larger) throws IOException {
    ready();
    if (journal == null) {
      throw new ConfigurationException(
          "durability is NONE, and a store grows by its journal; open it with another one");
    }
    engine.whole().check();
    if (engine.isPending() || journalled().owesCommits()) {
      engine.completePending();
    }
    if (!sized) {
      // A state without the number of blocks takes it from the superblock, which will change.
      sized = true;
      checkpointFirst = true;
      mend();
    }
    checkpoints.giveUpCopy();
    try {
      journal.grow(larger.blocks());
    } finally {
      oweSuperblock(growTo(larger));
    }
    return journal.markOfAll(false);
  }

  /** Grows the store in the client's memory. Nothing is pending or being copied. */
  private Growable growTo(OramConfig larger) {
    OramContext next = context.with(larger);
    engine = growable().grown(next);
    journalled = journalOf(engine);
    context = next;
    trimmed.grow(larger.blocks());
    return growable();
  }

  /** Returns to the smaller size that the store had when the state was saved. */
  private void goBackTo(long blocks) {
    Engine larger = engine;
    OramContext then = context.with(context.config().toBuilder().blocks(blocks).build());
    engine = growable().before(then);
    journalled = journalOf(engine);
    context = then;
    larger.wipe();
  }

  private Growable growable() {
    if (engine instanceof Growable growable) {
      return growable;
    }
    throw new IntegrityException(
        "the client's records are of another number of blocks than the store's superblock; restore"
            + " both from copies made together");
  }

  private void oweSuperblock(Growable grown) {
    OramConfig config = context.config();
    long bytes = grown.grownBytes(config);
    records.oweSuperblock(
        new ClientRecords.Growth(context.store(), config.blocks(), grown.layout(), bytes));
  }

  /**
   * Saves the state and wipes the keys; does nothing if that was done. If there was no access,
   * makes durable what an earlier process left in the system's memory. If this fails, the keys are
   * wiped all the same if a journal has what was acknowledged, or if the store was closed.
   */
  void close() throws IOException {
    if (closed) {
      return;
    }
    boolean ends = journal != null || !(begun || begunInVain);
    try {
      if (begunInVain) {
        begin();
      }
      if (begun) {
        save();
      } else if (leftInMemory()) {
        engine.syncBuckets();
        records.syncReplayed();
      }
      ends = true;
    } catch (ClosedChannelException e) {
      // Its subclasses say that a call was interrupted, which may be repeated.
      ends |= e.getClass() == ClosedChannelException.class;
      throw e;
    } catch (WholeState.TornException e) {
      // No later call could save a torn state.
      ends = true;
      throw e;
    } finally {
      if (ends) {
        abandon();
      }
    }
  }

  private void save() throws IOException {
    completeOrKeep();
    engine.syncBuckets();
    checkpoints.settle();
    checkpointFirst = true;
    records.saveClosed(checkpoints::writeState);
  }

  /**
   * Completes pending work. Work that cannot be completed is saved with the state, if the state can
   * hold it.
   */
  private void completeOrKeep() throws IOException {
    try {
      mend();
      engine.completePending();
    } catch (IOException | OramException e) {
      if (engine.whole().isTorn() || !engine.savesPending()) {
        throw e;
      }
      LOG.warn("closing with work left for the next opening: {}", e.toString());
    }
  }
}
