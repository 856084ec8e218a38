package io.github.roram.checkpoint;

import io.github.roram.crypto.SystemRandom;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Identifies one save of a client's record: 128 random bits, drawn anew each time. The number of a
 * save does not suffice: a client that was restored from a copy continues from the copy's number,
 * and saves other contents under the same numbers.
 */
public record RecordId(long high, long low) {

  /** Size in bytes when written. */
  public static final int BYTES = 16;

  /** Returns an id that no save had before. */
  public static RecordId random() {
    ByteBuffer random = ByteBuffer.allocate(BYTES);
    SystemRandom.fill(random.array());
    return new RecordId(random.getLong(), random.getLong());
  }

  /** Reads what {@link #writeTo} wrote. */
  public static RecordId readFrom(DataInput in) throws IOException {
    return new RecordId(in.readLong(), in.readLong());
  }

  /** Writes {@link #BYTES} bytes. */
  public void writeTo(DataOutput out) throws IOException {
    out.writeLong(high);
    out.writeLong(low);
  }
}
