package io.github.roram.state;

import io.github.roram.IntegrityException;
import io.github.roram.UncleanShutdownException;
import io.github.roram.checkpoint.RecordId;
import io.github.roram.cipher.SealedStream;
import io.github.roram.crypto.MasterKey;
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
 * One sealed record of a client, which begins with a {@link Header}. Static methods read and write
 * records without header.
 */
public final class ClientRecord {

  private static final int BUFFER_BYTES = 1 << 16;

  /** Writes a record, or its content after the header. */
  @FunctionalInterface
  public interface Writer {
    /** Writes everything. */
    void writeTo(DataOutput out) throws IOException;
  }

  /** Reads the content after the header. */
  @FunctionalInterface
  public interface Reader {
    /** Reads what the writer wrote; the rest is padding. */
    void readFrom(DataInput in) throws IOException;
  }

  /**
   * The beginning of a client's record.
   *
   * <pre>
   *    0  format 3                    u16
   *    2  store id                    16
   *   18  epoch                       u32
   *   22  number of the save          u64
   *   30  id of the save              16
   * </pre>
   *
   * @param epoch key epoch in which the record was saved
   * @param number number of the save
   * @param id id of the save
   */
  record Header(int epoch, long number, RecordId id) {

    private static final int FORMAT = 3;

    void writeTo(DataOutput out, UUID storeId) throws IOException {
      out.writeShort(FORMAT);
      out.writeLong(storeId.getMostSignificantBits());
      out.writeLong(storeId.getLeastSignificantBits());
      out.writeInt(epoch);
      out.writeLong(number);
      id.writeTo(out);
    }

    /**
     * Reads the header of a store's record.
     *
     * @throws IntegrityException if the record is another store's, or of another version of roram
     */
    static Header readFrom(DataInput in, String record, UUID storeId) throws IOException {
      int format = in.readShort();
      UUID owner = new UUID(in.readLong(), in.readLong());
      if (format != FORMAT) {
        throw new IntegrityException(
            "the client's record '"
                + record
                + "' of store "
                + owner
                + " has format "
                + format
                + ", of "
                + (format < FORMAT ? "an older" : "a newer")
                + " version of roram; this one reads format "
                + FORMAT
                + ": use that version, or export the data with it and import it into a new store");
      }
      if (!owner.equals(storeId)) {
        throw new IntegrityException(
            "the client's record '"
                + record
                + "' is of store "
                + owner
                + ", expected one of store "
                + storeId
                + "; restore it from a copy made together with the store");
      }
      return new Header(in.readInt(), in.readLong(), RecordId.readFrom(in));
    }
  }

  private final ClientVault vault;
  private final MasterKey master;
  private final UUID storeId;
  private final String name;

  ClientRecord(ClientVault vault, MasterKey master, UUID storeId, String name) {
    this.vault = vault;
    this.master = master;
    this.storeId = storeId;
    this.name = name;
  }

  /**
   * Reads the record.
   *
   * @throws UncleanShutdownException if the record is missing
   * @throws IntegrityException if it is corrupt, another store's or another version's
   */
  Header load(Reader reader) throws IOException {
    Optional<InputStream> found = vault.load(name);
    if (found.isEmpty()) {
      throw new UncleanShutdownException(
          "the client's record '"
              + name
              + "' of store "
              + storeId
              + " is missing: the store was"
              + " never closed, or the record was deleted; restore it from a copy");
    }
    try (InputStream raw = new BufferedInputStream(found.get());
        InputStream opened = SealedStream.opening(master, name, raw);
        DataInputStream in = new DataInputStream(new BufferedInputStream(opened))) {
      Header header = Header.readFrom(in, name, storeId);
      reader.readFrom(in);
      // Reads the padding, too: a record that is not whole is refused.
      in.transferTo(OutputStream.nullOutputStream());
      return header;
    } catch (EOFException e) {
      throw new IntegrityException("the client's record '" + name + "' ends too early", e);
    }
  }

  /**
   * Returns the content of a record without header, if it exists and opens with this key. While
   * keys change it may well be under another key.
   */
  public static Optional<byte[]> load(ClientVault vault, String name, MasterKey key)
      throws IOException {
    Optional<InputStream> found = vault.load(name);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream raw = found.get();
        InputStream opened = SealedStream.opening(key, name, raw)) {
      return Optional.of(opened.readAllBytes());
    } catch (IntegrityException e) {
      return Optional.empty();
    }
  }

  /** Replaces the record. */
  void replace(Header header, Writer writer) throws IOException {
    replace(
        vault,
        name,
        master,
        out -> {
          header.writeTo(out, storeId);
          writer.writeTo(out);
        });
  }

  /** Replaces a record without header. */
  public static void replace(ClientVault vault, String name, MasterKey key, Writer writer)
      throws IOException {
    vault.save(
        name,
        raw -> {
          BufferedOutputStream buffered = new BufferedOutputStream(raw, BUFFER_BYTES);
          OutputStream sealed = SealedStream.sealing(key, name, buffered);
          try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(sealed))) {
            writer.writeTo(out);
          }
          buffered.flush();
        });
  }
}
