package io.github.roram.journal;

import io.github.roram.checkpoint.RecordId;
import io.github.roram.crypto.MasterKey;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The logs of a {@link Journal}, which are written one after another: each checkpoint begins a
 * generation. The previous generation is kept until it is durable, and the next is prepared ahead.
 *
 * <p>For the thread that appends, except for {@link #prepareNext}, {@link #number}, {@link #state}
 * and {@link #durable}.
 */
final class JournalGenerations implements AutoCloseable {

  private final ClientVault vault;
  private final MasterKey master;
  private final UUID storeId;
  private final boolean syncs;
  private final Object preparing = new Object();
  private volatile JournalPosition durable = JournalPosition.START;
  private JournalWriter writer;

  /**
   * The previous generation as long as it may not be durable; the current one is empty until then.
   */
  private @Nullable JournalWriter last;

  private boolean leftUnsynced;

  private final int epoch;
  private final UUID epochSalt;
  private volatile long number;

  /** Id of the state that is saved with this generation. */
  private volatile RecordId state;

  /** The end of the generation that this one follows. */
  private JournalChain.Link before;

  /** The next generation, prepared and empty; null if it is not. */
  private @Nullable JournalWriter prepared;

  /** Creates an empty first generation, which is durable on return. */
  JournalGenerations(
      ClientVault vault, MasterKey master, UUID storeId, boolean syncs, Journal.Origin origin)
      throws IOException {
    this.vault = vault;
    this.master = master.duplicate();
    this.storeId = storeId;
    this.syncs = syncs;
    this.number = origin.generation();
    this.state = origin.state();
    this.epoch = origin.epoch();
    this.epochSalt = origin.epochSalt();
    this.before = origin.before();
    this.writer = newWriter(number);
  }

  private JournalWriter newWriter(long generation) throws IOException {
    return JournalWriter.create(vault, master, storeId, generation, syncs, this::reached);
  }

  private synchronized void reached(JournalPosition position) {
    durable = durable.orLater(position);
  }

  /** Returns how far records are durable. For any thread. */
  JournalPosition durable() {
    return durable;
  }

  /** Returns the number of the generation that is being written. */
  long number() {
    return number;
  }

  /** Returns the id of the state that is saved with the generation, drawn when it started. */
  RecordId state() {
    return state;
  }

  /** Returns whether an unsynced generation was left which no checkpoint has made superfluous. */
  boolean leftUnsynced() {
    return leftUnsynced;
  }

  /** Returns the size in bytes of the generation that is being written. */
  long bytes() {
    return writer.end();
  }

  /** Returns the bytes of memory for records that are queued. */
  long heldBytes() {
    return writer.heldBytes();
  }

  /** Returns whether a sync failed, so that nothing more may be recorded before a checkpoint. */
  boolean failed() {
    return failure() != null;
  }

  private @Nullable IOException failure() {
    IOException newest = writer.failure();
    return newest != null || last == null ? newest : last.failure();
  }

  /** Returns the generation that contains the newest record. */
  JournalWriter newestRecorded() {
    return last == null ? writer : last;
  }

  /** Begins the next generation, which follows the current one. */
  void next() throws IOException {
    IOException failure = failure();
    if (failure != null) {
      throw new IOException(
          "the journal failed before: " + failure.getMessage() + "; the next access begins it anew",
          failure);
    }
    ready();
    writer.flush();
    advance(writer.link(number));
  }

  /**
   * Begins the next generation, which follows nothing but the checkpoint that must be saved first.
   */
  void restart() throws IOException {
    if (failed()) {
      closeLast();
    } else {
      settleLast();
      writer.flush();
    }
    advance(JournalChain.Link.NONE);
    leftUnsynced = false;
    if (last != null && last.failure() != null) {
      closeLast();
    }
  }

  private void advance(JournalChain.Link link) throws IOException {
    synchronized (preparing) {
      prepareNext();
      last = writer;
      last.release();
      writer = Objects.requireNonNull(prepared);
      prepared = null;
      number = number + 1;
    }
    before = link;
    state = RecordId.random();
  }

  /** Prepares the log of the next generation, durably, unless it is ready. For any thread. */
  void prepareNext() throws IOException {
    synchronized (preparing) {
      if (prepared == null) {
        prepared = newWriter(number + 1);
      }
    }
  }

  /**
   * Prepares for a record: makes the previous generation durable, and begins this one with START.
   */
  void ready() throws IOException {
    settleLast();
    if (writer.isEmpty()) {
      RecordBuffer start = new RecordBuffer();
      JournalRecord.writeStart(
          new JournalChain.Start(epoch, epochSalt, state, before),
          start.begin(JournalRecord.START));
      writer.queue(start.array(), start.size());
    }
  }

  /** Queues a record, which is written with the next append. */
  void queue(RecordBuffer record) throws IOException {
    ready();
    writer.queue(record.array(), record.size());
  }

  /** Appends the queued records. */
  void flush() throws IOException {
    writer.flush();
  }

  /** Makes the previous generation durable in modes that sync, and closes it. */
  private void settleLast() throws IOException {
    if (last != null) {
      if (syncs) {
        last.awaitDurable(last.end(), false);
      } else {
        last.settleMarked();
        leftUnsynced |= !before.equals(JournalChain.Link.NONE);
      }
      closeLast();
    }
  }

  private void closeLast() {
    if (last != null) {
      last.close();
      last = null;
    }
  }

  /** Wipes the key and closes the logs; what was appended stays. */
  @Override
  public void close() {
    master.close();
    closeLast();
    writer.close();
    synchronized (preparing) {
      if (prepared != null) {
        prepared.close();
      }
    }
  }
}
