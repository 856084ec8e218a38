package io.github.roram.state;

import io.github.roram.IntegrityException;
import io.github.roram.checkpoint.RecordId;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.UUID;

/**
 * What a client's record begins with.
 *
 * <pre>
 *    0  format 3                    u16
 *    2  store id                    16
 *   18  epoch                       u32
 *   22  number of the save          u64
 *   30  id of the save              16
 * </pre>
 *
 * @param epoch the epoch that saved it
 * @param number number of the save
 * @param id name of the save
 */
record RecordHeader(int epoch, long number, RecordId id) {

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
   * @throws IntegrityException if it is another store's, or of another version of roram
   */
  static RecordHeader readFrom(DataInput in, String record, UUID storeId) throws IOException {
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
    return new RecordHeader(in.readInt(), in.readLong(), RecordId.readFrom(in));
  }
}
