package io.github.roram.journal;

import com.carrotsearch.hppc.IntArrayList;
import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.OramConfig;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.crypto.MasterKey;
import io.github.roram.stash.Stash;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The client's journal: what must survive a crash between two checkpoints (construction, section
 * 6).
 *
 * <ul>
 *   <li>Before paths are read, their intent: so that recovery reads the very same paths again, and
 *       no range is ever read twice under one label for any other reason.
 *   <li>Before an access is acknowledged, the blocks that the access brought to the client.
 *   <li>After a chunk of evictions is durable on the store, this fact, and which blocks left.
 * </ul>
 *
 * <p>Only the thread that holds the ORAM's lock appends; any may call {@link Mark#awaitDurable}.
 */
public final class Journal implements AutoCloseable {

  /**
   * The beginning of a client's journal: after a state that the client saves first, or at the end
   * of the journal that it replayed.
   *
   * @param generation the first generation
   * @param state id of the saved state that this generation follows
   * @param epoch the key epoch that begins with this generation
   * @param epochSalt the salt of that epoch
   * @param before the end of the journal to continue, or {@link JournalChain.Link#NONE}
   */
  public record Origin(
      long generation, RecordId state, int epoch, UUID epochSalt, JournalChain.Link before) {}

  private final boolean syncs;
  private final boolean syncsAccesses;
  private final int blockBytes;
  private final RecordBuffer buffer = new RecordBuffer();
  private final JournalGenerations generations;

  /** Trims that no record contains yet: at most {@link JournalRecord#MOST_TRIMS}. */
  private final List<JournalRecord.Trim> trims = new ArrayList<>();

  private boolean recordsTrims;
  private long records;
  private Runnable onShown = () -> {};

  /**
   * Creates a journal with an empty generation, which is durable on return. The state that it
   * follows must be saved before anything is recorded, unless the journal continues one that was
   * replayed.
   */
  public Journal(
      ClientVault vault,
      MasterKey master,
      UUID storeId,
      Durability durability,
      int blockBytes,
      Origin origin)
      throws IOException {
    this.syncs = durability == Durability.SYNC || durability == Durability.FLUSH;
    this.syncsAccesses = durability == Durability.SYNC;
    this.blockBytes = blockBytes;
    this.generations = new JournalGenerations(vault, master, storeId, syncs, origin);
  }

  /**
   * Checks that the longest record of an access fits: recovery holds one at a time in memory.
   *
   * @param mostBlocks the most blocks that one access brings to the client
   * @throws ConfigurationException if the record is too long
   */
  public static void checkRecordsFit(OramConfig config, long mostBlocks) {
    long bytes = JournalRecord.accessBytes(mostBlocks, config.blockBytes());
    if (bytes > JournalDescriptor.MAX_PLAIN_BYTES) {
      throw new ConfigurationException(
          "an access of "
              + config.maxRangeBlocks()
              + " blocks of "
              + config.blockBytes()
              + " bytes takes "
              + bytes
              + " bytes of the journal, a record has at most "
              + JournalDescriptor.MAX_PLAIN_BYTES
              + "; lower maxRangeBlocks or blockBytes, or use durability NONE");
    }
  }

  /** Bound on the bytes that sealing adds to a record: its header and its tag. */
  private static final int SEALING_BYTES = 64;

  /**
   * Returns the most bytes of memory that a journal takes: the longest record in the clear, and
   * sealed.
   *
   * @param mostBlocks most blocks of one record of an access
   * @param lookUpBytes other bytes of such a record
   * @param mostLeft most blocks that leave with a chunk
   * @param tombstoneBytes bytes that say which tombstones leave with a chunk
   */
  public static long mostHeldBytes(
      long mostBlocks, int blockBytes, long lookUpBytes, long mostLeft, long tombstoneBytes) {
    long access = JournalRecord.accessBytes(mostBlocks, blockBytes) + lookUpBytes;
    long commit = JournalRecord.commitBytes(mostLeft) + tombstoneBytes;
    long record = RecordBuffer.capacity(Math.max(access, commit) + SEALING_BYTES);
    return Math.max(RecordBuffer.FIRST_BYTES, record) + Math.max(JournalWriter.FIRST_BYTES, record);
  }

  /** Returns the bytes of memory that the journal takes now. */
  public long heldBytes() {
    return buffer.heldBytes() + generations.heldBytes();
  }

  /**
   * Sets an action that runs whenever records are durable and the store is about to see something
   * of an access: with each access in modes that sync, whatever the access is.
   */
  public void onShown(Runnable action) {
    onShown = action;
  }

  /**
   * Returns how far records are durable, as far as threads have waited for them. For any thread.
   */
  public JournalPosition durable() {
    return generations.durable();
  }

  /** Returns the generation that is being written. */
  public long generation() {
    return generations.number();
  }

  /**
   * Returns the id for the state that is saved with this generation, drawn when the generation
   * started.
   */
  public RecordId state() {
    return generations.state();
  }

  /**
   * Returns whether intents are synced before they are shown, and the store before chunks are
   * recorded.
   */
  public boolean syncs() {
    return syncs;
  }

  /** Returns whether an unsynced generation was left which no checkpoint has made superfluous. */
  public boolean leftUnsynced() {
    return generations.leftUnsynced();
  }

  /**
   * Starts the next generation, for a checkpoint that contains everything before it. It is chained
   * to the previous one, from which recovery may also start until the checkpoint exists. Nothing is
   * recorded in it before the previous one is durable. This method does not sync the previous one;
   * a thread that waits for a {@link Mark} does.
   *
   * @throws IOException also if the journal has {@link #failed}: then only {@link #restart} helps
   */
  public void nextGeneration() throws IOException {
    generations.next();
  }

  /**
   * Starts the next generation anew: it follows nothing but the checkpoint that must be saved
   * before anything is recorded. For a journal that has {@link #failed}, and after changes that are
   * not in the journal.
   */
  public void restart() throws IOException {
    generations.restart();
  }

  /**
   * Prepares the log of the next generation, durably, so that {@link #nextGeneration} is quick.
   * Does nothing if it is ready. For any thread, alongside accesses, too. Recovery passes over a
   * log without records that a crash leaves.
   */
  public void prepareNext() throws IOException {
    generations.prepareNext();
  }

  /**
   * Returns whether a sync failed. Records since the last sync may be lost then, so nothing more
   * may be recorded before a checkpoint contains it all.
   */
  public boolean failed() {
    return generations.failed();
  }

  /** Records trims with each access, before it, and with each flush from now on. */
  public void recordTrims() {
    recordsTrims = true;
  }

  /**
   * Notes blocks that read as zeros; they are recorded before the next access, or by {@link
   * #flushTrims}.
   *
   * @return false, having done nothing, if the next record has no room for another trim
   */
  public boolean trim(int first, int blocks) {
    return trims.size() < JournalRecord.MOST_TRIMS
        && trims.add(new JournalRecord.Trim(first, blocks));
  }

  /** Records the trims that wait, or that none does. */
  public void flushTrims() throws IOException {
    if (recordsTrims) {
      queueTrims();
      generations.flush();
    }
  }

  private void queueTrims() throws IOException {
    generations.ready();
    JournalRecord.writeTrims(buffer.begin(JournalRecord.TRIMS), trims);
    buffer.pad(JournalRecord.TRIMS_BYTES);
    generations.queue(buffer);
    // A queued record counts as made, even if the append fails.
    trims.clear();
  }

  /** Records which runs of labels are about to be read. Other intents may be pending. */
  public void intent(Intent intent) throws IOException {
    IntentDescriptor.write(intent, buffer.begin(JournalRecord.INTENT));
    append();
  }

  /**
   * Records that the access of the oldest pending intent is complete. The record is as long as one
   * of {@code rangeBlocks} blocks.
   *
   * @param lookUp the labels looked up in a map on the store; its length follows from the size
   *     class
   * @param arrivals addresses of blocks that came from the tree
   * @param written the written blocks, ascending
   * @param rangeBlocks the most blocks that an access of this size class can bring and write
   */
  public void access(
      Intent intent,
      byte[] lookUp,
      Stash stash,
      IntArrayList arrivals,
      int[] written,
      int rangeBlocks)
      throws IOException {
    // Not appended by itself: if that failed, the access would be missing from the journal.
    if (recordsTrims) {
      queueTrims();
    }
    JournalRecord.writeAccess(
        buffer.begin(JournalRecord.ACCESS),
        intent.number(),
        intent.tree(),
        lookUp,
        new JournalRecord.Blocks(stash, blockBytes),
        arrivals,
        written);
    buffer.pad(lookUp.length + JournalRecord.accessBytes(rangeBlocks, blockBytes));
    append();
  }

  /**
   * Records that a chunk of evictions is durable on the store, and which blocks left with it: at
   * most {@code mostLeft}.
   *
   * @param tombstones says which tombstones left, in the engine's form and of public length; empty
   *     if the tree has none
   */
  public void commit(
      int tree, int paths, int epoch, IntArrayList left, byte[] tombstones, int mostLeft)
      throws IOException {
    JournalRecord.writeCommit(
        buffer.begin(JournalRecord.COMMIT), tree, paths, epoch, left, tombstones);
    buffer.pad(tombstones.length + JournalRecord.commitBytes(mostLeft));
    append();
  }

  /**
   * Records an engine's note.
   *
   * @param bytes number of the array's first bytes to record, which must not depend on their
   *     content
   */
  public void note(byte[] words, int bytes) throws IOException {
    onShown.run();
    buffer.begin(JournalRecord.NOTE).write(words, 0, bytes);
    append();
  }

  /**
   * Records that the store has {@code blocks} blocks from here on. If this fails, the record is
   * queued, or the journal has {@link #failed}: the store has grown either way.
   */
  public void grow(long blocks) throws IOException {
    JournalRecord.writeGrow(buffer.begin(JournalRecord.GROW), blocks);
    append();
  }

  private void append() throws IOException {
    generations.queue(buffer);
    records++;
    generations.flush();
  }

  /**
   * Returns the number of records of changes of the client's state, queued ones included; trims do
   * not count.
   */
  public long records() {
    return records;
  }

  /**
   * Returns the position after all records so far, for waiting as far as the mode requires before
   * an access is acknowledged.
   *
   * @param others whether another access is about to record its intent: waiting then includes its
   *     sync
   */
  public Mark mark(boolean others) {
    return mark(syncsAccesses, others);
  }

  /** Returns a {@link #mark} for which to wait in every mode. */
  public Mark markOfAll(boolean others) {
    return mark(true, others);
  }

  private Mark mark(boolean waits, boolean others) {
    JournalWriter newest = generations.newestRecorded();
    return new Mark(newest, waits ? newest.mark() : newest.end(), waits, others);
  }

  /**
   * Returns a position that is not durable: a sync has failed, and no checkpoint contains the
   * records that it should have covered.
   */
  public static Mark lostMark() {
    return new Mark(null, 0, true, false);
  }

  /** A position in the journal. */
  public static final class Mark {
    private final @Nullable JournalWriter writer;
    private final long end;
    private final boolean waits;
    private final boolean others;

    private Mark(@Nullable JournalWriter writer, long end, boolean waits, boolean others) {
      this.writer = writer;
      this.end = end;
      this.waits = waits;
      this.others = others;
    }

    /**
     * Returns once everything before this position is durable, if that must be waited for. For any
     * thread.
     */
    public void awaitDurable() throws IOException {
      if (writer == null) {
        throw new IOException("the journal failed, and no checkpoint could be made since");
      }
      if (waits) {
        writer.awaitDurable(end, others);
      }
    }
  }

  /** Appends the records that an earlier failure left queued. */
  public void flush() throws IOException {
    generations.flush();
  }

  /**
   * Appends the records that an earlier failure left queued, and makes everything durable in a mode
   * that syncs intents.
   */
  public void sync() throws IOException {
    flush();
    mark(syncs, false).awaitDurable();
    onShown.run();
  }

  /** Returns the size in bytes of the generation that is being written. */
  public long bytes() {
    return generations.bytes();
  }

  /** Wipes the keys and closes the log; what was appended stays. */
  @Override
  public void close() {
    buffer.wipe();
    generations.close();
  }
}
