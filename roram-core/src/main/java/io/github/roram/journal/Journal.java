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
 *   <li>Before an access is acknowledged, the blocks that came to the client by it.
 *   <li>After a chunk of evictions is durable on the store, that it is, and which blocks left.
 * </ul>
 *
 * <p>Appending is for the thread that holds the ORAM's lock; {@link Mark#awaitDurable} is for any.
 */
public final class Journal implements AutoCloseable {

  /**
   * Where a client begins to keep a journal: with a state that it saves first, or where the journal
   * that it replayed ends.
   *
   * @param generation its first generation
   * @param state id of the saved state that this generation follows
   * @param epoch the key epoch that begins with it
   * @param epochSalt the salt of that epoch
   * @param before the end of the journal that it goes on with, or {@link JournalChain.Link#NONE}
   */
  public record Origin(
      long generation, RecordId state, int epoch, UUID epochSalt, JournalChain.Link before) {}

  private final boolean syncs;
  private final boolean syncsAccesses;
  private final int blockBytes;
  private final RecordBuffer buffer = new RecordBuffer();
  private final JournalGenerations generations;

  /** Trims that no record has yet: at most {@link JournalRecord#MOST_TRIMS}. */
  private final List<JournalRecord.Trim> trims = new ArrayList<>();

  private boolean recordsTrims;
  private long records;
  private Runnable onShown = () -> {};

  /**
   * A journal that starts with an empty generation, durable when this returns. The state that it
   * follows must be saved before anything is recorded, unless it goes on with one that was
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
   * @throws ConfigurationException if it does not
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

  /** Of a record that is sealed: its length and its tag. */
  private static final int SEALING_BYTES = 64;

  /**
   * The most bytes of memory that a journal takes: the longest record in the clear, and sealed.
   *
   * @param mostBlocks the most blocks of one record of an access
   * @param lookUpBytes what such a record has besides them
   * @param mostLeft the most blocks that leave by a chunk
   * @param tombstoneBytes what says which tombstones leave by it
   */
  public static long mostHeldBytes(
      long mostBlocks, int blockBytes, long lookUpBytes, long mostLeft, long tombstoneBytes) {
    long access = JournalRecord.accessBytes(mostBlocks, blockBytes) + lookUpBytes;
    long commit = JournalRecord.commitBytes(mostLeft) + tombstoneBytes;
    long record = RecordBuffer.capacity(Math.max(access, commit) + SEALING_BYTES);
    return Math.max(RecordBuffer.FIRST_BYTES, record) + Math.max(JournalWriter.FIRST_BYTES, record);
  }

  /** Bytes of memory that it takes now. */
  public long heldBytes() {
    return buffer.heldBytes() + generations.heldBytes();
  }

  /**
   * Has something done whenever what is durable is about to be followed by something that the store
   * sees of an access: with each access in modes that sync, and never because of what it is.
   */
  public void onShown(Runnable action) {
    onShown = action;
  }

  /** How far records are durable, as far as they were waited for. For any thread. */
  public JournalPosition durable() {
    return generations.durable();
  }

  /** The generation that is being written. */
  public long generation() {
    return generations.number();
  }

  /** Id for the state that is saved with this generation, drawn when it started. */
  public RecordId state() {
    return generations.state();
  }

  /** Whether intents are synced before they are shown, and the store before chunks are recorded. */
  public boolean syncs() {
    return syncs;
  }

  /** Whether a generation was left that was not synced and that no checkpoint made needless. */
  public boolean leftUnsynced() {
    return generations.leftUnsynced();
  }

  /**
   * Starts the next generation, for a checkpoint that holds all that came before. It follows the
   * one before: recovery may start from that as well until the checkpoint is there. Nothing is
   * recorded before that one is durable. Who waits for a {@link Mark} syncs it; this does not.
   *
   * @throws IOException if the journal {@link #failed}, too: then only {@link #restart} helps
   */
  public void nextGeneration() throws IOException {
    generations.next();
  }

  /**
   * Starts the next generation anew: it follows nothing but the checkpoint that must be saved
   * before anything is recorded. For when the journal {@link #failed}, and for changes that are not
   * in it.
   */
  public void restart() throws IOException {
    generations.restart();
  }

  /**
   * Makes the log of the next generation ready, durably, so that {@link #nextGeneration} is quick.
   * For any thread: alongside accesses, too. Nothing if it is ready. A log without records that a
   * crash leaves is passed over by recovery.
   */
  public void prepareNext() throws IOException {
    generations.prepareNext();
  }

  /**
   * Whether a sync failed. What was recorded since the last one may be lost, so nothing more may be
   * recorded before a checkpoint holds it all.
   */
  public boolean failed() {
    return generations.failed();
  }

  /** From now on each access and each flush has a record of trims before it. */
  public void recordTrims() {
    recordsTrims = true;
  }

  /**
   * Notes blocks that read as zeros; they are recorded before the next access, or by {@link
   * #flushTrims}.
   *
   * @return false if so many wait that the next record has no room: nothing was done
   */
  public boolean trim(int first, int blocks) {
    return trims.size() < JournalRecord.MOST_TRIMS
        && trims.add(new JournalRecord.Trim(first, blocks));
  }

  /** Records the trims that wait, or that none do. */
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
    // Queued, it is recorded even if the append fails.
    trims.clear();
  }

  /** Records which runs of labels are about to be read. Others may be pending. */
  public void intent(Intent intent) throws IOException {
    IntentDescriptor.write(intent, buffer.begin(JournalRecord.INTENT));
    append();
  }

  /**
   * Records that the access of the oldest pending intent is complete. The record is as long as one
   * of {@code rangeBlocks} blocks.
   *
   * @param lookUp what was looked up of a map on the store; as long as the class says
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
    // Not appended by itself: were that to fail, the access would be missing from the journal.
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
   * Records that a chunk of evictions is on the store for good, and which blocks left by it: at
   * most {@code mostLeft}.
   *
   * @param tombstones which of them left, as the engine writes it and as long as everyone can tell;
   *     empty where there are none
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
   * Records what an engine did, in its own words.
   *
   * @param bytes how many of the array's first bytes; what they are must not show by their number
   */
  public void note(byte[] words, int bytes) throws IOException {
    onShown.run();
    buffer.begin(JournalRecord.NOTE).write(words, 0, bytes);
    append();
  }

  /**
   * Records that the store has so many blocks from here on. If it fails, the record is queued, or
   * the journal {@link #failed}: the store has grown either way.
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

  /** How many records were made of what the client knows, queued ones included; trims are none. */
  public long records() {
    return records;
  }

  /**
   * Position after everything recorded so far, to be waited for as far as the mode promises it when
   * an access is acknowledged.
   *
   * @param others whether another access is about to record its intent: its sync is then waited for
   */
  public Mark mark(boolean others) {
    return mark(syncsAccesses, others);
  }

  /** As {@link #mark}, to be waited for in every mode. */
  public Mark markOfAll(boolean others) {
    return mark(true, others);
  }

  private Mark mark(boolean waits, boolean others) {
    JournalWriter newest = generations.newestRecorded();
    return new Mark(newest, waits ? newest.mark() : newest.end(), waits, others);
  }

  /**
   * A position that is not durable: a sync failed, and no checkpoint holds what that was to cover.
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

    /** Returns once everything before is durable, where it is to be waited for. For any thread. */
    public void awaitDurable() throws IOException {
      if (writer == null) {
        throw new IOException("the journal failed, and no checkpoint could be made since");
      }
      if (waits) {
        writer.awaitDurable(end, others);
      }
    }
  }

  /** Appends what an earlier failure left queued. */
  public void flush() throws IOException {
    generations.flush();
  }

  /**
   * Appends what an earlier failure left queued and makes everything durable, in a mode that syncs
   * intents.
   */
  public void sync() throws IOException {
    flush();
    mark(syncs, false).awaitDurable();
    onShown.run();
  }

  /** Bytes of the generation that is being written. */
  public long bytes() {
    return generations.bytes();
  }

  /** Wipes the keys and lets go of the log; what was appended stays. */
  @Override
  public void close() {
    buffer.wipe();
    generations.close();
  }
}
