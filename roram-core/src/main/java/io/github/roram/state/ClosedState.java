package io.github.roram.state;

import io.github.roram.checkpoint.RecordId;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The two saved records that alone tell what a closed store holds: the state says which evictions
 * are current, the epoch's record has the salts of the keys that sealed them. Two stores that are
 * opened from the same pair have the same contents in every bucket.
 *
 * @param stateId id of the saved state
 * @param epochId id of the epoch's saved record
 * @param epoch the key epoch in which the store was closed
 */
public record ClosedState(RecordId stateId, RecordId epochId, int epoch) {

  /** Reads what {@link #writeTo} wrote. */
  public static ClosedState readFrom(DataInput in) throws IOException {
    return new ClosedState(RecordId.readFrom(in), RecordId.readFrom(in), in.readInt());
  }

  /** Writes the ids and the epoch. */
  public void writeTo(DataOutput out) throws IOException {
    stateId.writeTo(out);
    epochId.writeTo(out);
    out.writeInt(epoch);
  }
}
