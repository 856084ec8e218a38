package io.github.roram.rekey;

import io.github.roram.IntegrityException;
import io.github.roram.UncleanShutdownException;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.cipher.BucketKeys;
import io.github.roram.cipher.EpochSalts;
import io.github.roram.crypto.MasterKey;
import io.github.roram.engine.Rekeyable;
import io.github.roram.engine.Resealing;
import io.github.roram.state.ClientRecord;
import io.github.roram.state.ClientRecords;
import io.github.roram.state.ClosedState;
import io.github.roram.store.ClientVault;
import io.github.roram.store.RollbackGuard;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives a closed store a new master key: opens every current bucket with the old key and seals it
 * with the new one, in place and for the same eviction.
 *
 * <p>Restartable: a batch is saved in the client's vault before it overwrites its buckets. The same
 * call, with the same keys, continues where a crash interrupted it.
 *
 * <h2>Security</h2>
 *
 * The store sees all of its current buckets rewritten in order. Their nonces are drawn anew, and
 * their keys never sealed anything: each start draws salts of its own.
 *
 * <p>Continuing seals under keys that may have sealed before. It seals the same contents, because
 * it must find the very {@link ClosedState} from which the change began, and a bucket of that state
 * has only one content. So a {@code rekey} record that was put back, at whatever stage, next to
 * other records or another store, seals nothing else: the change continues as before, or is
 * refused.
 */
public final class Rekey {

  private static final String PROGRESS = "rekey";

  private final ClientVault vault;
  private final MasterKey newKey;
  private final UUID storeId;
  private final RollbackGuard guard;
  private final LongConsumer progressBytes;

  /** The change in progress. Loaded once, so that the record that was checked is the one used. */
  private @Nullable Progress underWay;

  /** Creates a change of keys. */
  public Rekey(
      ClientVault vault,
      MasterKey newKey,
      UUID storeId,
      RollbackGuard guard,
      LongConsumer progressBytes) {
    this.guard = guard;
    this.vault = vault;
    this.newKey = newKey;
    this.storeId = storeId;
    this.progressBytes = progressBytes;
  }

  /**
   * Checks that no change of keys was interrupted.
   *
   * @throws UncleanShutdownException if one was
   */
  public static void checkNoneUnderWay(ClientVault vault, MasterKey key, UUID storeId)
      throws IOException {
    Optional<InputStream> found = vault.load(PROGRESS);
    if (found.isEmpty()) {
      return;
    }
    try (InputStream in = found.get()) {
      if (in.read() < 0) {
        return; // a restore has put the store back to another moment
      }
    }
    Optional<Progress> record = Progress.load(vault, key, storeId);
    if (record.isEmpty() || record.get().stage() != Progress.Stage.DONE) {
      throw new UncleanShutdownException(
          "a change of the key of store "
              + storeId
              + " was interrupted: its buckets are under two"
              + " keys; finish it with rekey and both keys. If store and records are copies from"
              + " before that change, the record 'rekey' is left over: move it away");
    }
  }

  /** Forgets a change of keys, because the whole store is put back to another moment. */
  public static void retire(ClientVault vault) throws IOException {
    Optional<InputStream> found = vault.load(PROGRESS);
    if (found.isPresent()) {
      found.get().close();
      vault.save(PROGRESS, out -> {});
    }
  }

  /** Returns whether this change of keys was begun and not finished. */
  public boolean isUnderWay() throws IOException {
    if (underWay == null) {
      underWay =
          Progress.load(vault, newKey, storeId)
              .filter(record -> record.stage() != Progress.Stage.DONE)
              .orElse(null);
    }
    return underWay != null;
  }

  /**
   * Saves the record of a finished change to the new key under the old key, too. Such a record is
   * left over if the store was restored from a copy.
   */
  public void retireFinished(MasterKey oldKey) throws IOException {
    Optional<Progress> finished = Progress.load(vault, newKey, storeId);
    if (finished.isPresent() && finished.get().stage() == Progress.Stage.DONE) {
      finished.get().save(vault, oldKey, storeId);
    }
  }

  /**
   * Begins a change, or continues the one in progress.
   *
   * @param found the state opened with the old key
   * @throws IntegrityException if the change in progress began from another state, or the store was
   *     not closed; nothing was changed
   */
  public void startFrom(Optional<ClosedState> found) throws IOException {
    if (underWay == null) {
      Progress begun =
          Progress.startingFrom(
              found.orElseThrow(
                  () -> new IntegrityException("store " + storeId + " is not closed; close it")));
      begun.save(vault, newKey, storeId);
      underWay = begun;
    } else if (!found.equals(Optional.of(underWay.from()))) {
      throw new IntegrityException(
          "the client's record 'rekey' is of a change of keys that began from another state of store "
              + storeId
              + " than the one that is there; nothing was changed. Restore the newest of the"
              + " client's records; or, if the store opens with the old key and verifies once"
              + " 'rekey' and 'rekey-batch' are moved away, they were left over: start again"
              + " without them");
    }
  }

  private Progress record() {
    if (underWay == null) {
      throw new IllegalStateException("no change of keys is under way");
    }
    return underWay;
  }

  private void enter(Progress.Stage stage) throws IOException {
    Progress next = record().at(stage);
    next.save(vault, newKey, storeId);
    underWay = next;
  }

  /** Returns whether only the client's records and the superblock remain to be replaced. */
  public boolean bucketsAreDone() {
    return record().stage() == Progress.Stage.RECORDS;
  }

  /** Returns the client's records under the new key, none of them saved yet. */
  public ClientRecords newRecords() {
    Progress record = record();
    return ClientRecords.rekeyed(
        vault, newKey, storeId, guard, record.epoch(), record.salts(), record.newStateId());
  }

  /** Rewrites everything on the store, which is under the old key. */
  public void rewrite(Rekeyable engine) throws IOException {
    Progress record = record();
    Optional<Batch> torn = Batch.load(vault, newKey, record.id());
    long alreadyDone = torn.map(Batch::number).orElse(-1L);
    try (BucketKeys keys =
        new BucketKeys(newKey.duplicate(), storeId, record.epoch(), record.salts())) {
      Resealing resealing = engine.resealing(keys);
      for (long number = 0; resealing.next(); number++) {
        if (number > alreadyDone) {
          resealing.translate();
          byte[] sealed = resealing.sealed();
          Batch.save(vault, newKey, record.id(), number, sealed, resealing.bytes());
          resealing.write();
        } else {
          if (number == alreadyDone) {
            torn.orElseThrow().copyTo(resealing.sealed());
            resealing.write();
          }
          resealing.skip();
        }
        progressBytes.accept(resealing.bytes());
      }
    }
    enter(Progress.Stage.RECORDS);
  }

  /** Ends the change, once the client's records and the superblock are under the new key. */
  public void finish() throws IOException {
    enter(Progress.Stage.DONE);
    Batch.save(vault, newKey, record().id(), -1, new byte[0], 0);
  }

  /**
   * The client's record of the progress of a change of keys, sealed under the new key.
   *
   * @param stage the present stage
   * @param id identifies this change of keys
   * @param from the old key's records from which the change starts
   * @param newStateId id of the state that the change saves
   * @param epoch the epoch with which the new key starts
   * @param salts salts of the new key's epochs up to that one
   */
  private record Progress(
      Stage stage,
      RecordId id,
      ClosedState from,
      RecordId newStateId,
      int epoch,
      EpochSalts salts) {

    /**
     * The previous format, which counted shorter batches and is otherwise the same. The format
     * before that had no number.
     */
    private static final int SHORTER_BATCHES = 2;

    private static final int FORMAT = 3;

    /** The stages, in order; stored by name. */
    enum Stage {
      /** Buckets are rewritten, batch by batch. */
      BUCKETS,
      /** The client's records and the superblock are replaced. */
      RECORDS,
      /** Nothing is left to do. */
      DONE
    }

    /** Returns the beginning of a change, with ids and salts that nothing had before. */
    static Progress startingFrom(ClosedState from) {
      int epoch = Math.addExact(from.epoch(), 1);
      return new Progress(
          Stage.BUCKETS, RecordId.random(), from, RecordId.random(), epoch, EpochSalts.upTo(epoch));
    }

    /**
     * Loads the record, if it exists and opens with this key.
     *
     * @throws IntegrityException if the record is of another version of roram
     */
    static Optional<Progress> load(ClientVault vault, MasterKey newKey, UUID storeId)
        throws IOException {
      Optional<byte[]> plaintext = ClientRecord.load(vault, PROGRESS, newKey);
      return plaintext.isEmpty() ? Optional.empty() : decode(plaintext.get(), storeId);
    }

    private static Optional<Progress> decode(byte[] plaintext, UUID storeId) throws IOException {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(plaintext));
      int format = in.readShort();
      if (format < SHORTER_BATCHES || format > FORMAT) {
        throw new IntegrityException(
            "the client's record 'rekey' is of another version of roram: if a change of keys is under"
                + " way, finish it with that version; then export the data with it, and import it"
                + " into a new store");
      }
      Stage stage = Stage.valueOf(in.readUTF());
      if (format == SHORTER_BATCHES && stage == Stage.BUCKETS) {
        throw new IntegrityException(
            "the client's record 'rekey' is of a change of keys that an older version of roram began,"
                + " whose batches are others: finish it with that version, and go on with this one");
      }
      UUID owner = new UUID(in.readLong(), in.readLong());
      RecordId id = RecordId.readFrom(in);
      ClosedState from = ClosedState.readFrom(in);
      RecordId newStateId = RecordId.readFrom(in);
      int epoch = in.readInt();
      EpochSalts salts = new EpochSalts();
      salts.readFrom(in);
      return owner.equals(storeId)
          ? Optional.of(new Progress(stage, id, from, newStateId, epoch, salts))
          : Optional.empty();
    }

    /** Returns the same change at another stage. */
    Progress at(Stage newStage) {
      return new Progress(newStage, id, from, newStateId, epoch, salts);
    }

    /** Replaces the record. */
    void save(ClientVault vault, MasterKey key, UUID storeId) throws IOException {
      ClientRecord.replace(
          vault,
          PROGRESS,
          key,
          out -> {
            out.writeShort(FORMAT);
            out.writeUTF(stage.name());
            out.writeLong(storeId.getMostSignificantBits());
            out.writeLong(storeId.getLeastSignificantBits());
            id.writeTo(out);
            from.writeTo(out);
            newStateId.writeTo(out);
            out.writeInt(epoch);
            salts.writeTo(out);
          });
    }
  }

  /**
   * The batch of buckets that is being overwritten in place. It is saved before, so that a batch
   * torn by a crash is written again; its number tells how far the rewriting has come. It names its
   * change of keys: a batch of another change says nothing about this one.
   *
   * @param number counted over the whole store
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Batch(long number, byte[] buckets) {

    private static final String NAME = "rekey-batch";
    private static final int HEADER_BYTES = RecordId.BYTES + Long.BYTES;

    /** Copies the bytes of the buckets. */
    void copyTo(byte[] target) {
      System.arraycopy(buckets, 0, target, 0, buckets.length);
    }

    /** Loads the batch of a change of keys, if the existing batch belongs to that change. */
    static Optional<Batch> load(ClientVault vault, MasterKey newKey, RecordId change)
        throws IOException {
      byte[] plaintext = ClientRecord.load(vault, NAME, newKey).orElse(new byte[0]);
      if (plaintext.length < HEADER_BYTES) {
        return Optional.empty();
      }
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(plaintext));
      return RecordId.readFrom(in).equals(change)
          ? Optional.of(new Batch(in.readLong(), in.readAllBytes()))
          : Optional.empty();
    }

    static void save(
        ClientVault vault,
        MasterKey newKey,
        RecordId change,
        long number,
        byte[] buckets,
        int bytes)
        throws IOException {
      ClientRecord.replace(
          vault,
          NAME,
          newKey,
          out -> {
            change.writeTo(out);
            out.writeLong(number);
            out.write(buckets, 0, bytes);
          });
    }
  }
}
