package io.github.roram.rekey;

import io.github.roram.IntegrityException;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.cipher.EpochSalts;
import io.github.roram.crypto.MasterKey;
import io.github.roram.state.ClientRecord;
import io.github.roram.state.ClosedState;
import io.github.roram.store.ClientVault;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;

/**
 * The client's record of how far a change of keys has come, sealed under the new key.
 *
 * @param stage what is being done
 * @param id names this change of keys
 * @param from the records of the old key that it starts from
 * @param newStateId what the state is named that it saves
 * @param epoch the epoch that the new key starts with
 * @param salts those of the new key's epochs up to that one
 */
record RekeyRecord(
    Stage stage, RecordId id, ClosedState from, RecordId newStateId, int epoch, EpochSalts salts) {

  /** Its name in the vault. */
  static final String NAME = "rekey";

  /** What counted shorter batches, and else says the same. The one before had no number. */
  private static final int SHORTER_BATCHES = 2;

  private static final int FORMAT = 3;

  /** In the order in which they are done; stored by name. */
  enum Stage {
    /** Buckets are rewritten, batch by batch. */
    BUCKETS,
    /** The client's records and the superblock are replaced. */
    RECORDS,
    /** Nothing is left to do. */
    DONE
  }

  /** Begins a change: with names and salts that nothing had before. */
  static RekeyRecord startingFrom(ClosedState from) {
    int epoch = Math.addExact(from.epoch(), 1);
    return new RekeyRecord(
        Stage.BUCKETS, RecordId.random(), from, RecordId.random(), epoch, EpochSalts.upTo(epoch));
  }

  /**
   * The record, if there is one and it opens with this key.
   *
   * @throws IntegrityException if it is of another version of roram
   */
  static Optional<RekeyRecord> load(ClientVault vault, MasterKey newKey, UUID storeId)
      throws IOException {
    Optional<byte[]> plaintext = ClientRecord.load(vault, NAME, newKey);
    return plaintext.isEmpty() ? Optional.empty() : decode(plaintext.get(), storeId);
  }

  private static Optional<RekeyRecord> decode(byte[] plaintext, UUID storeId) throws IOException {
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
        ? Optional.of(new RekeyRecord(stage, id, from, newStateId, epoch, salts))
        : Optional.empty();
  }

  /** The same at another stage. */
  RekeyRecord at(Stage newStage) {
    return new RekeyRecord(newStage, id, from, newStateId, epoch, salts);
  }

  /** Replaces the record. */
  void save(ClientVault vault, MasterKey key, UUID storeId) throws IOException {
    ClientRecord.replace(
        vault,
        NAME,
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
