package io.github.roram.engine;

import io.github.roram.OramException;
import io.github.roram.RecoveryReport;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.journal.Journal;
import io.github.roram.state.ClientRecords;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of an ORAM from opening to closing, and what of it the client's records hold: opened,
 * begun (something was changed, so a journal is kept), closed. A failed journal or checkpoint is
 * mended here, before the next access.
 *
 * <p>Calls are under the ORAM's lock, but for those of opening, when nobody else has it yet.
 */
public final class Lifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

  private final AbstractOram oram;
  private final OramContext context;
  private final Checkpoints checkpoints;
  private @Nullable Journal journal;
  private RecoveryReport recovery = RecoveryReport.CLEAN;

  /** Whether no tree was ever accessed, so that a bulk load is possible. */
  private boolean fresh;

  /** Whether the saved state is out of date. */
  private boolean begun;

  /** Whether nothing may be recorded before a checkpoint is there. */
  private boolean checkpointFirst;

  private boolean closed;

  Lifecycle(AbstractOram oram, OramContext context) {
    this.oram = oram;
    this.context = context;
    checkpoints = new Checkpoints(context.records(), context.options(), this::copyAll);
  }

  /** Starts with trees that were never accessed. */
  public void startEmpty() throws IOException {
    fresh = true;
    begin();
  }

  /** Continues where the last checkpoint and the journal end; changes nothing. */
  public void startFromRecords() throws IOException {
    RecoveryReport replayed =
        context
            .records()
            .restore(
                state -> {
                  fresh = state.readBoolean();
                  context.firstLabels().readFrom(state);
                  oram.readState(state);
                },
                oram::replay);
    recovery = replayed.withPendingRead(oram.isPending());
  }

  /** What opening found. */
  RecoveryReport recovery() {
    return recovery;
  }

  /** Saves the state as it is, closed, to the records of another key. */
  public void saveClosedTo(ClientRecords records) throws IOException {
    records.saveClosed(this::writeAll);
  }

  /** Forgets the keys of an ORAM that could not be opened, or that is closed. */
  public void abandon() {
    closed = true;
    oram.end();
    context.firstLabels().wipe();
    context.records().close();
  }

  boolean isOpen() {
    return !closed;
  }

  void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  /** Makes ready for a change of the store: it has begun, and its journal is sound. */
  void ready() throws IOException {
    checkOpen();
    begin();
    mend();
  }

  private void begin() throws IOException {
    if (!begun) {
      journal = context.records().begin(context.config().blockBytes(), this::writeAll);
      oram.startJournal(journal);
      checkpoints.start(journal);
      begun = true;
    }
  }

  /**
   * Makes what is recorded current again after failures: by a checkpoint if the journal lost a
   * record, or if it is unknown which state the last attempt to save one left.
   */
  private void mend() throws IOException {
    if (journal == null) {
      return;
    }
    checkpointFirst |= journal.failed();
    if (checkpointFirst) {
      // The state holds the evictions that were written, so they must be on the store for good.
      oram.syncBuckets();
      checkpoints.now();
      oram.startJournal(journal);
      checkpointFirst = false;
    }
    journal.flush();
  }

  boolean isFresh() {
    return fresh;
  }

  /** Records that a tree was accessed, so that it can no longer be bulk loaded. */
  void accessed() {
    fresh = false;
  }

  /** After an access: works on a checkpoint, if one is due. */
  void afterAccess() {
    checkpoints.afterAccess(!oram.owesCommits());
  }

  /**
   * What must be durable before the last access is acknowledged; nothing without a journal.
   *
   * @param others whether other callers wait for the lock
   */
  Journal.@Nullable Mark mark(boolean others) {
    return journal == null ? null : journal.mark(others);
  }

  /** Makes everything recorded so far durable. */
  void syncJournal() throws IOException {
    if (journal != null) {
      journal.sync();
    }
  }

  /** After a bulk load whose buckets are written: it is complete once this returns. */
  void bulkLoaded() throws IOException {
    fresh = false;
    oram.syncBuckets();
    checkpoints.now();
  }

  /** After a bulk load that failed; its trees are empty again. */
  void bulkLoadFailed() {
    fresh = true;
    checkpointFirst = true;
  }

  private void copyAll(StateCopy state) throws IOException {
    state.addNow(
        out -> {
          out.writeBoolean(fresh);
          context.firstLabels().writeTo(out);
        });
    oram.copyState(state);
  }

  private void writeAll(DataOutput out) throws IOException {
    try (StateCopy state = new StateCopy()) {
      copyAll(state);
      state.writePadded(out);
    }
  }

  /** Saves the state and forgets the keys; nothing if that was done. */
  void close() throws IOException {
    if (closed) {
      return;
    }
    if (begun) {
      completeOrKeep();
      oram.syncBuckets();
      checkpoints.stop();
      checkpointFirst = true;
      context.records().saveClosed(this::writeAll);
    }
    abandon();
  }

  /**
   * Completes what is pending; what cannot be is saved with the state, where the state holds it.
   */
  private void completeOrKeep() throws IOException {
    try {
      mend();
      oram.completePending();
    } catch (IOException | OramException e) {
      if (!oram.stateHoldsPending()) {
        throw e;
      }
      LOG.warn("closing with work left for the next opening: {}", e.toString());
    }
  }
}
