package io.github.roram.state;

import io.github.roram.ConfigurationException;
import io.github.roram.Durability;
import io.github.roram.IntegrityException;
import io.github.roram.OpenOptions;
import io.github.roram.RecoveryReport;
import io.github.roram.StoreInfo;
import io.github.roram.UncleanShutdownException;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.EpochSalts;
import io.github.roram.cipher.EpochSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.journal.Journal;
import io.github.roram.journal.JournalChain;
import io.github.roram.journal.JournalFiles;
import io.github.roram.journal.JournalPosition;
import io.github.roram.journal.JournalReplay;
import io.github.roram.object.VaultTakenException;
import io.github.roram.store.BlockStore;
import io.github.roram.store.ClientVault;
import io.github.roram.store.RollbackGuard;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's records in its vault: two records, and the journal.
 *
 * <ul>
 *   <li>{@code epoch}: the key epoch in use, the salts of the keys of all epochs, and whether the
 *       epoch is journaled. Replaced when an epoch begins, before anything is sealed in it.
 *   <li>{@code state}: a checkpoint of the trees, the epoch that saved it, the generation of the
 *       journal that follows it, and whether it was saved by closing.
 *   <li>the journal's generations: see {@link Journal}.
 * </ul>
 *
 * <p>Every save of either record takes the next number of one sequence, which a {@link
 * RollbackGuard} follows; the epoch's record also contains the number of the newest state. So an
 * older vault, or an older version of either record, is detected. Each save also has a {@link
 * RecordId}: the journal that follows a state contains the id of the state, and a change of keys
 * contains the ids of both records.
 *
 * <p>Opening only reads. {@link #begin} makes the records that were found current: it starts a new
 * epoch and, after a recovery, a new generation with a checkpoint of its own. A crash in between
 * leaves the previous records, so that recovery can be repeated. If everything that was replayed is
 * durable, the new generation continues it, and the checkpoint is made later.
 */
public final class ClientRecords implements EpochSource, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClientRecords.class);
  private static final String EPOCH = "epoch";
  private static final String STATE = "state";

  private final ClientVault vault;
  private final MasterKey master;
  private final UUID storeId;
  private final Durability durability;
  private final RollbackGuard guard;
  private final EpochSalts salts;
  private final BucketKeys keys;

  /** Held while a record is saved: checkpoints are saved by a thread of their own. */
  private final Object saving = new Object();

  /** Number of the newest save. */
  private long saves;

  /** Number of the newest save of the state. */
  private long stateSave;

  /** Whether the epoch before this one kept a journal. */
  private boolean lastEpochJournaled;

  /** Number of the generation that the next journal begins with. */
  private long nextGeneration;

  /** Id of the saved state that the next journal follows and names. */
  private RecordId nextStateId = RecordId.random();

  /** The end of the journal that the next one continues; NONE if a state must be saved first. */
  private JournalChain.Link replayed = JournalChain.Link.NONE;

  /** Whether the saved state alone contains everything that the client must know. */
  private boolean stateIsCurrent;

  private @Nullable Journal journal;

  /** The size to which the store has grown, until its superblock contains it; null if it does. */
  private final AtomicReference<@Nullable Growth> owed = new AtomicReference<>();

  /** Number of the newest save that is durable. */
  private volatile long durableSaves;

  /** The store's witness of these records; null if the store keeps none. */
  private Watermark.@Nullable Witness witness;

  /** Id of the epoch's record from which this object was opened. */
  private @Nullable RecordId epochId;

  /** Id of the saved state that was restored. */
  private @Nullable RecordId restoredId;

  /** Id for the state that a change of keys saves; null if none is being made. */
  private @Nullable RecordId rekeyedStateId;

  private ClientRecords(
      ClientVault vault,
      MasterKey master,
      UUID storeId,
      OpenOptions options,
      int epoch,
      EpochSalts salts) {
    this.vault = vault;
    if (options.durability() == Durability.OS && !vault.keepsAppends()) {
      throw new ConfigurationException(
          "durability is OS, and "
              + vault
              + " are sent elsewhere: what was acknowledged would die with the process; open the"
              + " store with durability SYNC or FLUSH");
    }
    this.master = master.duplicate();
    this.storeId = storeId;
    this.durability = Objects.requireNonNull(options.durability(), "no durability was chosen");
    this.guard = options.rollbackGuard();
    this.salts = salts;
    this.keys = new BucketKeys(master.duplicate(), storeId, epoch, salts);
  }

  /** Returns the records of a store that is being created. */
  public static ClientRecords create(
      ClientVault vault, MasterKey master, UUID storeId, OpenOptions options) throws IOException {
    // A journal that a failed creation left behind must not be taken for this store's.
    JournalFiles.deleteBefore(vault, Long.MAX_VALUE);
    return new ClientRecords(vault, master, storeId, options, 1, EpochSalts.upTo(1));
  }

  /**
   * Returns the records of a store that was used before. Its next epoch begins with {@link #begin}:
   * as long as nothing is accessed, nothing changes.
   *
   * @throws UncleanShutdownException if the record of the epoch is missing
   */
  public static ClientRecords open(
      ClientVault vault, MasterKey master, UUID storeId, OpenOptions options) throws IOException {
    boolean[] journaled = new boolean[1];
    long[] newestState = new long[1];
    EpochSalts salts = new EpochSalts();
    ClientRecord.Header last =
        new ClientRecord(vault, master, storeId, EPOCH)
            .load(
                in -> {
                  journaled[0] = in.readBoolean();
                  newestState[0] = in.readLong();
                  salts.readFrom(in);
                });
    int epoch = Math.addExact(last.epoch(), 1);
    salts.draw(epoch);
    ClientRecords records = new ClientRecords(vault, master, storeId, options, epoch, salts);
    records.lastEpochJournaled = journaled[0];
    records.saves = last.number();
    records.stateSave = newestState[0];
    records.epochId = last.id();
    return records;
  }

  /**
   * Returns the records of a store under its new key, none of which is saved yet.
   *
   * @param stateId id for the saved state, by which the change of keys recognises it when it
   *     continues
   */
  public static ClientRecords rekeyed(
      ClientVault vault,
      MasterKey master,
      UUID storeId,
      RollbackGuard guard,
      int epoch,
      EpochSalts salts,
      RecordId stateId) {
    OpenOptions options =
        OpenOptions.defaults().withDurability(Durability.NONE).withRollbackGuard(guard);
    ClientRecords records = new ClientRecords(vault, master, storeId, options, epoch, salts);
    records.rekeyedStateId = stateId;
    return records;
  }

  /**
   * Makes the store witness these records from now on, beginning with those already saved.
   *
   * @return whether the store keeps a watermark
   * @throws IOException if the watermark could not be kept
   */
  public boolean witnessedBy(BlockStore store) throws IOException {
    Watermark.Witness witnessed = new Watermark.Witness(store, master, storeId);
    boolean keeps = witnessed.keeps(watermark());
    witness = keeps ? witnessed : null;
    return keeps;
  }

  /**
   * Makes the store witness these records from now on, and {@link #restore} check them against it.
   */
  public void checkedBy(BlockStore store) {
    witness = new Watermark.Witness(store, master, storeId);
  }

  private Watermark watermark() {
    Journal current = journal;
    return new Watermark(durableSaves, current == null ? JournalPosition.START : current.durable());
  }

  /**
   * Makes the store witness what is durable; called when something of an access is about to be
   * shown.
   */
  public void witnessed() {
    if (witness != null) {
      witness.advance(watermark(), false);
    }
  }

  /** Throws if another client has taken these records, which caused the failure. */
  public void checkNotTaken(Throwable failure) throws VaultTakenException {
    VaultTakenException.check(failure, vault);
  }

  /** Returns whether the saved state opens with this key. */
  public static boolean stateOpensWith(ClientVault vault, MasterKey key, UUID storeId)
      throws IOException {
    try {
      new ClientRecord(vault, key, storeId, STATE).load(in -> {});
      return true;
    } catch (IntegrityException e) {
      return false;
    }
  }

  /**
   * Returns the ids of the restored records if these alone tell what the store holds: it was
   * closed, and has not been used since.
   */
  public Optional<ClosedState> closedState() {
    return stateIsCurrent && restoredId != null && epochId != null
        ? Optional.of(new ClosedState(restoredId, epochId, keys.epoch() - 1))
        : Optional.empty();
  }

  /** Continues the numbers of saves of a store's records under the old key. */
  public void continueAfter(ClientRecords old) {
    saves = old.saves;
    stateSave = old.stateSave;
  }

  /**
   * Saves the epoch's record of a store whose state a change of keys has saved.
   *
   * @throws IntegrityException if the saved state is another one, or the store was used since
   */
  public void saveRekeyedEpoch() throws IOException {
    ClientRecord.Header state = new ClientRecord(vault, master, storeId, STATE).load(in -> {});
    Optional<ClientRecord.Header> epoch = savedEpoch();
    long newest = Math.max(state.number(), epoch.map(ClientRecord.Header::number).orElse(0L));
    if (!state.id().equals(rekeyedStateId)
        || epoch.filter(saved -> saved.epoch() > keys.epoch()).isPresent()
        || newest < guard.read()) {
      throw RecordErrors.otherChangeOfKeys(storeId);
    }
    saves = state.number();
    stateSave = saves;
    saveEpoch(keys.epoch());
  }

  /** Returns the header of the epoch's record, if it opens with this key. */
  private Optional<ClientRecord.Header> savedEpoch() throws IOException {
    try {
      return Optional.of(new ClientRecord(vault, master, storeId, EPOCH).load(in -> {}));
    } catch (IntegrityException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads the last checkpoint and what the journal recorded since, before {@link #begin}.
   *
   * @throws UncleanShutdownException if either is missing, or the store was used without a journal
   *     and not closed
   * @throws IntegrityException if either is corrupt
   */
  public RecoveryReport restore(ClientRecord.Reader reader, Supplier<JournalReplay> replay)
      throws IOException {
    int lastEpoch = keys.epoch() - 1;
    long epochSave = saves;
    boolean[] closed = new boolean[1];
    ClientRecord.Header saved =
        new ClientRecord(vault, master, storeId, STATE)
            .load(
                in -> {
                  nextGeneration = in.readLong();
                  closed[0] = in.readBoolean();
                  reader.readFrom(in);
                });
    checkNewest(saved);
    restoredId = saved.id();
    nextStateId = saved.id();
    int savedEpoch = saved.epoch();
    // If saving an epoch's record succeeded but was reported as failed, no bucket is of that epoch.
    boolean isLast = savedEpoch == lastEpoch || saved.number() > epochSave;
    if (closed[0] && isLast) {
      stateIsCurrent = true;
      checkWitnessed(new JournalPosition(nextGeneration, 0));
      return RecoveryReport.CLEAN;
    }
    if (!lastEpochJournaled && savedEpoch != lastEpoch) {
      throw RecordErrors.notClosed(savedEpoch, lastEpoch);
    }
    JournalChain chain = new JournalChain(storeId, nextGeneration, saved.id(), salts);
    RecoveryReport report = JournalFiles.replay(vault, master, chain, replay.get());
    checkWitnessed(chain.position());
    nextStateId = RecordId.random();
    nextGeneration += report.generations();
    if (report.tornBytes() == 0 && !vault.keepsAppends()) {
      // Everything in such a vault's log was synced, so nothing that was replayed can be lost.
      replayed = chain.recorded();
    }
    if (!replayed.equals(JournalChain.Link.NONE)) {
      nextGeneration = replayed.generation() + 1;
    }
    return report;
  }

  /** Makes the replayed records durable, a part of which the system may hold in memory only. */
  public void syncReplayed() throws IOException {
    JournalFiles.sync(vault);
  }

  private void checkWitnessed(JournalPosition end) throws IOException {
    if (witness != null) {
      witness.check(new Watermark(saves, end));
    }
  }

  /** Refuses the records if one of them, or both, were replaced by older ones. */
  private void checkNewest(ClientRecord.Header state) throws IOException {
    long newest = Math.max(saves, state.number());
    long guarded = guard.read();
    if (state.number() < stateSave || state.epoch() >= keys.epoch() || newest < guarded) {
      throw RecordErrors.rolledBack(storeId, state, Math.max(stateSave, guarded));
    }
    saves = newest;
    stateSave = state.number();
  }

  /**
   * Begins the epoch: from now on the saved state alone is out of date.
   *
   * @param state writes the present state
   * @return the journal, or null with durability NONE
   */
  public @Nullable Journal begin(int blockBytes, ClientRecord.Writer state) throws IOException {
    if (durability == Durability.NONE) {
      saveEpoch(keys.epoch());
      return null;
    }
    if (journal == null) {
      // No generation may remain that a later recovery would take for part of this journal.
      JournalFiles.deleteFrom(vault, nextGeneration);
      Journal.Origin origin =
          new Journal.Origin(
              nextGeneration, nextStateId, keys.epoch(), salts.id(keys.epoch()), replayed);
      journal = new Journal(vault, master, storeId, durability, blockBytes, origin);
      journal.onShown(this::witnessed);
    }
    saveEpoch(keys.epoch());
    if (!stateIsCurrent && !goesOn()) {
      saveCheckpoint(nextGeneration, state);
    }
    return journal;
  }

  /**
   * Notes that the replayed state has changed, so that {@link #begin} saves it before anything
   * else.
   */
  public void leaveJournal() {
    replayed = JournalChain.Link.NONE;
  }

  /** Returns whether the journal continues the one that was replayed; then a checkpoint is due. */
  public boolean goesOn() {
    return !replayed.equals(JournalChain.Link.NONE);
  }

  /** Replaces the saved state by a checkpoint that the journal's {@code generation} continues. */
  public void saveCheckpoint(long generation, ClientRecord.Writer state) throws IOException {
    Journal current = Objects.requireNonNull(journal);
    if (current.generation() != generation) {
      throw new IllegalStateException(
          "a checkpoint for journal " + generation + " while " + current.generation() + " is kept");
    }
    save(STATE, current.state(), keys.epoch(), checkpoint(generation, false, state));
    deleteBefore(generation);
  }

  /**
   * Notes that the store has grown. Its superblock is updated before the next state is saved; this
   * method does not wait for that.
   */
  public void oweSuperblock(Growth growth) {
    owed.set(growth);
  }

  /**
   * Writes the superblock that the store is owed; does nothing if none is owed. For any thread. If
   * this fails, the superblock is still owed.
   *
   * @throws IntegrityException if the superblock is not that of this store
   */
  public void writeSuperblock() throws IOException {
    synchronized (saving) {
      Growth growth = owed.get();
      if (growth != null) {
        write(growth);
        owed.compareAndSet(growth, null);
      }
    }
  }

  private void write(Growth growth) throws IOException {
    // If an earlier attempt failed, the superblock may be torn.
    GrowthRecord.finish(growth.store(), vault, master);
    byte[] old = Superblock.read(growth.store());
    SuperblockDescriptor.checkKey(old, master);
    StoreInfo info = SuperblockDescriptor.decode(old);
    StoreInfo grown =
        new StoreInfo(
            SuperblockDescriptor.FORMAT,
            storeId,
            growth.storeBytes(),
            info.config().toBuilder().blocks(growth.blocks()).build(),
            info.witnessed(),
            info.guarded());
    byte[] superblock = SuperblockDescriptor.encode(grown, growth.layout(), master);
    GrowthRecord.replace(growth.store(), vault, superblock);
  }

  /**
   * The size to which a store has grown.
   *
   * @param layout the layout in its superblock
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Growth(BlockStore store, long blocks, byte[] layout, long storeBytes) {}

  /** Saves the state on closing; no journal is needed from then on. */
  public void saveClosed(ClientRecord.Writer state) throws IOException {
    // The generation after the journal's may have been begun in vain.
    long generation = Math.max(nextGeneration, journal == null ? 0 : journal.generation()) + 2;
    RecordId id = rekeyedStateId != null ? rekeyedStateId : RecordId.random();
    save(STATE, id, keys.epoch(), checkpoint(generation, true, state));
    deleteBefore(generation);
  }

  /**
   * Saves the state and the epoch's record to a copy of the vault, as closing would; these records
   * do not change.
   *
   * @param asTheyAre names of further records to copy, if they exist
   */
  public void saveCopy(ClientVault copy, ClientRecord.Writer state, String... asTheyAre)
      throws IOException {
    writeSuperblock();
    long generation = Math.max(nextGeneration, journal == null ? 0 : journal.generation()) + 2;
    long number;
    synchronized (saving) {
      number = saves + 1;
    }
    new ClientRecord(copy, master, storeId, STATE)
        .replace(
            new ClientRecord.Header(keys.epoch(), number, RecordId.random()),
            checkpoint(generation, true, state));
    new ClientRecord(copy, master, storeId, EPOCH)
        .replace(
            new ClientRecord.Header(keys.epoch(), number + 1, RecordId.random()),
            epochRecord(number));
    for (String name : asTheyAre) {
      vault.copyRecord(name, copy);
    }
  }

  /**
   * Replaces the records of a store by those of a copy, deliberately: raises their numbers beyond
   * those of guard and watermark, so that both accept them.
   *
   * @param copy a vault that {@link #saveCopy} wrote
   * @param vault the store's vault, whose journals are deleted
   * @throws IntegrityException if the copy is damaged
   * @throws UncleanShutdownException if it lacks a record
   */
  public static void restoreCopy(
      ClientVault copy,
      ClientVault vault,
      BlockStore store,
      MasterKey master,
      UUID storeId,
      RollbackGuard guard)
      throws IOException {
    boolean[] journaled = new boolean[1];
    EpochSalts salts = new EpochSalts();
    ClientRecord.Header epoch =
        new ClientRecord(copy, master, storeId, EPOCH)
            .load(
                in -> {
                  journaled[0] = in.readBoolean();
                  in.readLong();
                  salts.readFrom(in);
                });
    try (Watermark.Witness witness = new Watermark.Witness(store, master, storeId)) {
      Watermark newest = witness.newest();
      long number = Math.max(Math.max(epoch.number(), guard.read()), newest.saves());
      JournalFiles.deleteBefore(vault, Long.MAX_VALUE);
      new ClientRecord(copy, master, storeId, STATE)
          .load(
              in -> {
                long generation = Math.max(in.readLong(), newest.journal().generation() + 2);
                boolean closed = in.readBoolean();
                new ClientRecord(vault, master, storeId, STATE)
                    .replace(
                        new ClientRecord.Header(epoch.epoch(), number + 1, RecordId.random()),
                        checkpoint(generation, closed, out -> copyAll(in, out)));
              });
      new ClientRecord(vault, master, storeId, EPOCH)
          .replace(
              new ClientRecord.Header(epoch.epoch(), number + 2, RecordId.random()),
              out -> {
                out.writeBoolean(journaled[0]);
                out.writeLong(number + 1);
                salts.writeTo(out);
              });
      GrowthRecord.clear(vault);
      guard.advanceTo(number + 2);
      witness.advance(new Watermark(number + 2, JournalPosition.START), true);
      Completeness.COMPLETE.saveTo(vault);
    }
  }

  /** Copies all records and journals of a copy into a vault that has none of its own. */
  public static void restoreVault(ClientVault copy, ClientVault vault) throws IOException {
    Completeness.RESTORED_IN_PART.saveTo(vault);
    JournalFiles.deleteBefore(vault, Long.MAX_VALUE);
    for (String name : copy.names()) {
      if (!name.equals(Completeness.RECORD)) {
        copy.copyRecord(name, vault);
      }
    }
    for (String name : copy.logs()) {
      copy.copyLog(name, vault);
    }
    Completeness.COMPLETE.saveTo(vault);
  }

  private static void copyAll(DataInput in, DataOutput out) throws IOException {
    byte[] one = new byte[ClientVault.PIECE_BYTES];
    InputStream from = (InputStream) in;
    for (int count = from.read(one); count >= 0; count = from.read(one)) {
      out.write(one, 0, count);
    }
  }

  /** Returns the name of a key epoch of this client. */
  public UUID epochName(int epoch) {
    return salts.id(epoch);
  }

  /** Returns a key of this store for a purpose. */
  public byte[] derive(String purpose) {
    return derive(master, storeId, purpose);
  }

  /** Returns a key for a purpose of a store that is not open. */
  public static byte[] derive(MasterKey master, UUID storeId, String purpose) {
    return master.derive(purpose, salt(storeId), MasterKey.BYTES);
  }

  /** Returns the salt that separates the keys of stores under one master key. */
  static byte[] salt(UUID storeId) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(storeId.getMostSignificantBits())
        .putLong(storeId.getLeastSignificantBits())
        .array();
  }

  /**
   * Deletes older generations. One that cannot be deleted does no harm, and the next checkpoint
   * tries again.
   */
  private void deleteBefore(long generation) {
    try {
      JournalFiles.deleteBefore(vault, generation);
    } catch (IOException e) {
      LOG.warn("old journals of store {} could not be deleted: {}", storeId, e.toString());
    }
  }

  private static ClientRecord.Writer checkpoint(
      long generation, boolean closed, ClientRecord.Writer state) {
    return out -> {
      out.writeLong(generation);
      out.writeBoolean(closed);
      state.writeTo(out);
    };
  }

  /** Returns the keys of the epoch. */
  public BucketKeys keys() {
    return keys;
  }

  @Override
  public int epoch() {
    return keys.epoch();
  }

  @Override
  public void advance() throws IOException {
    int next = Math.addExact(keys.epoch(), 1);
    salts.draw(next);
    saveEpoch(next);
    keys.advanceTo(next);
  }

  private void saveEpoch(int epoch) throws IOException {
    save(EPOCH, RecordId.random(), epoch, epochRecord(stateSave));
  }

  private ClientRecord.Writer epochRecord(long newestState) {
    return out -> {
      out.writeBoolean(durability != Durability.NONE);
      out.writeLong(newestState);
      salts.writeTo(out);
    };
  }

  private ClientRecord record(String name) {
    return new ClientRecord(vault, master, storeId, name);
  }

  private void save(String record, RecordId id, int epoch, ClientRecord.Writer writer)
      throws IOException {
    synchronized (saving) {
      if (record.equals(STATE)) {
        writeSuperblock();
      }
      saves++;
      record(record).replace(new ClientRecord.Header(epoch, saves, id), writer);
      if (record.equals(STATE)) {
        stateSave = saves;
      }
      durableSaves = saves;
      guard.advanceTo(saves);
      if (witness != null) {
        // Only the save's number: the save may run concurrently with accesses, and what these show
        // must not depend on it.
        witness.advance(new Watermark(durableSaves, JournalPosition.START), true);
      }
    }
  }

  @Override
  public void close() {
    try {
      if (journal != null) {
        journal.close();
      }
    } finally {
      if (witness != null) {
        witness.close();
      }
      keys.close();
      master.close();
    }
  }
}
