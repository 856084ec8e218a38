package io.github.roram.state;

import io.github.roram.IntegrityException;
import io.github.roram.UncleanShutdownException;
import io.github.roram.crypto.BucketKeys;
import io.github.roram.crypto.EpochSalts;
import io.github.roram.crypto.EpochSource;
import io.github.roram.crypto.MasterKey;
import io.github.roram.crypto.SealedStream;
import io.github.roram.store.ClientVault;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.UUID;

/**
 * The client's two records in its vault.
 *
 * <ul>
 *   <li>{@code epoch}: the store id, the key epoch in use, and the salts of the keys of all epochs.
 *       Replaced when an epoch begins, before anything is sealed in it.
 *   <li>{@code state}: the store id, the epoch that saved it, and the state of the trees. Replaced
 *       when the ORAM is closed.
 * </ul>
 *
 * The two epochs are equal iff the last user closed the ORAM: otherwise the state is older than the
 * store, and using it would take fresh buckets for forged ones.
 */
public final class ClientRecords implements EpochSource, AutoCloseable {

  private static final String EPOCH = "epoch";
  private static final String STATE = "state";
  private static final int FORMAT = 1;

  /** Writes the state of the trees. */
  @FunctionalInterface
  public interface StateWriter {
    /** Writes everything. */
    void writeTo(DataOutput out) throws IOException;
  }

  /** Reads the state of the trees. */
  @FunctionalInterface
  public interface StateReader {
    /** Reads what the writer wrote. */
    void readFrom(DataInput in) throws IOException;
  }

  private final ClientVault vault;
  private final MasterKey master;
  private final UUID storeId;
  private final EpochSalts salts;
  private final BucketKeys keys;

  private ClientRecords(
      ClientVault vault, MasterKey master, UUID storeId, int epoch, EpochSalts salts) {
    this.vault = vault;
    this.master = master.duplicate();
    this.storeId = storeId;
    this.salts = salts;
    salts.draw(epoch);
    this.keys = new BucketKeys(master.duplicate(), storeId, epoch, salts);
  }

  /** Records of a store that is being created. */
  public static ClientRecords create(ClientVault vault, MasterKey master, UUID storeId) {
    return new ClientRecords(vault, master, storeId, 1, new EpochSalts());
  }

  /**
   * Records of a store that was used before. Its next epoch begins with {@link #begin}: as long as
   * nothing is accessed, nothing is changed.
   *
   * @throws UncleanShutdownException if the record of the epoch is missing
   */
  public static ClientRecords open(ClientVault vault, MasterKey master, UUID storeId)
      throws IOException {
    EpochSalts salts = new EpochSalts();
    int lastEpoch = load(vault, master, storeId, EPOCH, salts::readFrom);
    return new ClientRecords(vault, master, storeId, Math.addExact(lastEpoch, 1), salts);
  }

  /**
   * Reads the saved state, before {@link #begin}.
   *
   * @throws UncleanShutdownException if it is missing, or the store was used after it was saved
   */
  public void restore(StateReader reader) throws IOException {
    int lastEpoch = keys.epoch() - 1;
    int savedEpoch = load(vault, master, storeId, STATE, reader);
    if (savedEpoch != lastEpoch) {
      throw new UncleanShutdownException(
          "the client's state was saved in epoch "
              + savedEpoch
              + " but the store was used in epoch "
              + lastEpoch
              + " and not closed; what was written since is lost in this version: restore"
              + " store and client state from copies made together, or create the store anew");
    }
  }

  /** Records that the epoch begins: from now on the saved state is out of date. */
  public void begin() throws IOException {
    saveEpoch(keys.epoch());
  }

  private static int load(
      ClientVault vault, MasterKey master, UUID storeId, String record, StateReader reader)
      throws IOException {
    Optional<InputStream> found = vault.load(record);
    if (found.isEmpty()) {
      throw new UncleanShutdownException(
          "the client's record '"
              + record
              + "' of store "
              + storeId
              + " is missing: the store was"
              + " never closed, or the record was deleted; restore it from a copy");
    }
    try (InputStream raw = new BufferedInputStream(found.get());
        InputStream opened = SealedStream.opening(master, record, raw);
        DataInputStream in = new DataInputStream(new BufferedInputStream(opened))) {
      int format = in.readShort();
      UUID owner = new UUID(in.readLong(), in.readLong());
      if (format != FORMAT || !owner.equals(storeId)) {
        throw new IntegrityException(
            "the client's record '"
                + record
                + "' is of store "
                + owner
                + ", format "
                + format
                + "; expected store "
                + storeId
                + ", format "
                + FORMAT);
      }
      int epoch = in.readInt();
      reader.readFrom(in);
      return epoch;
    } catch (EOFException e) {
      throw new IntegrityException("the client's record '" + record + "' ends too early", e);
    }
  }

  /** The keys of the epoch. */
  public BucketKeys keys() {
    return keys;
  }

  @Override
  public void advance() throws IOException {
    int next = Math.addExact(keys.epoch(), 1);
    salts.draw(next);
    saveEpoch(next);
    keys.advanceTo(next);
  }

  /** Saves the state; the store counts as closed from then on. */
  public void saveState(StateWriter writer) throws IOException {
    save(STATE, keys.epoch(), writer);
  }

  private void saveEpoch(int epoch) throws IOException {
    save(EPOCH, epoch, salts::writeTo);
  }

  private void save(String record, int epoch, StateWriter writer) throws IOException {
    vault.save(
        record,
        raw -> {
          BufferedOutputStream buffered = new BufferedOutputStream(raw, 1 << 16);
          OutputStream sealed = SealedStream.sealing(master, record, buffered);
          try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(sealed))) {
            out.writeShort(FORMAT);
            out.writeLong(storeId.getMostSignificantBits());
            out.writeLong(storeId.getLeastSignificantBits());
            out.writeInt(epoch);
            writer.writeTo(out);
          }
          buffered.flush();
        });
  }

  @Override
  public void close() {
    keys.close();
    master.close();
  }
}
