package io.github.roram.rekey;

import io.github.roram.IntegrityException;
import io.github.roram.UncleanShutdownException;
import io.github.roram.crypto.EpochSalts;
import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.SealedStream;
import io.github.roram.store.ClientVault;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.UUID;

/**
 * The client's record of how far a change of keys has come, sealed under the new key.
 *
 * @param stage what is being done
 * @param epoch the epoch that the new key starts with
 * @param salts those of the new key's epochs up to that one
 */
record RekeyRecord(Stage stage, int epoch, EpochSalts salts) {

  private static final String NAME = "rekey";

  /** In the order in which they are done; stored by name. */
  enum Stage {
    /** Buckets are rewritten, batch by batch. */
    BUCKETS,
    /** The client's records and the superblock are replaced. */
    RECORDS,
    /** Nothing is left to do. */
    DONE
  }

  /** The record, if there is one and it opens with this key. */
  static Optional<RekeyRecord> load(ClientVault vault, MasterKey newKey, UUID storeId)
      throws IOException {
    Optional<InputStream> found = vault.load(NAME);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream raw = found.get();
        DataInputStream in = new DataInputStream(SealedStream.opening(newKey, NAME, raw))) {
      Stage stage = Stage.valueOf(in.readUTF());
      UUID owner = new UUID(in.readLong(), in.readLong());
      int epoch = in.readInt();
      EpochSalts salts = new EpochSalts();
      salts.readFrom(in);
      return owner.equals(storeId)
          ? Optional.of(new RekeyRecord(stage, epoch, salts))
          : Optional.empty();
    } catch (IntegrityException e) {
      return Optional.empty();
    }
  }

  /** The same at another stage. */
  RekeyRecord at(Stage newStage) {
    return new RekeyRecord(newStage, epoch, salts);
  }

  /** Replaces the record. */
  void save(ClientVault vault, MasterKey newKey, UUID storeId) throws IOException {
    vault.save(
        NAME,
        raw -> {
          try (DataOutputStream out =
              new DataOutputStream(SealedStream.sealing(newKey, NAME, raw))) {
            out.writeUTF(stage.name());
            out.writeLong(storeId.getMostSignificantBits());
            out.writeLong(storeId.getLeastSignificantBits());
            out.writeInt(epoch);
            salts.writeTo(out);
          }
        });
  }

  /**
   * Checks that no change of keys was interrupted.
   *
   * @throws UncleanShutdownException if one was
   */
  static void checkNoneUnderWay(ClientVault vault, MasterKey key, UUID storeId) throws IOException {
    Optional<InputStream> found = vault.load(NAME);
    if (found.isEmpty()) {
      return;
    }
    found.get().close();
    Optional<RekeyRecord> record = load(vault, key, storeId);
    if (record.isEmpty() || record.get().stage() != Stage.DONE) {
      throw new UncleanShutdownException(
          "a change of the key of store "
              + storeId
              + " was interrupted: its buckets are under two"
              + " keys; finish it with rekey and both keys");
    }
  }
}
