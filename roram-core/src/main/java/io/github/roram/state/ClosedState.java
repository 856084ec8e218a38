package io.github.roram.state;

import io.github.roram.checkpoint.RecordId;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The two saved records that alone say what a closed store holds: the state says which evictions
 * are current, the epoch's record has the salts of the keys that sealed them. Two stores that are
 * opened from the same pair have the same contents in every bucket.
 *
 * @param stateId which save of the state
 * @param epochId which save of the epoch's record
 * @param epoch the key epoch that the store was closed in
 */
public record ClosedState(RecordId stateId, RecordId epochId, int epoch) {

  /** Reads what {@link #writeTo} wrote. */
  public static ClosedState readFrom(DataInput in) throws IOException {
    return new ClosedState(RecordId.readFrom(in), RecordId.readFrom(in), in.readInt());
  }

  /** Writes all three. */
  public void writeTo(DataOutput out) throws IOException {
    stateId.writeTo(out);
    epochId.writeTo(out);
    out.writeInt(epoch);
  }
}
