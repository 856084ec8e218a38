package io.github.roram.checkpoint;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.security.SecureRandom;

/**
 * Names one save of a client's record: 128 random bits, drawn anew each time. The number of a save
 * would not do: a client that was restored from a copy counts on from there, and saves other
 * contents under the same number.
 */
public record RecordId(long high, long low) {

  /** Size when written. */
  public static final int BYTES = 16;

  private static final SecureRandom RANDOM = new SecureRandom();

  /** A name that no save had before. */
  public static RecordId random() {
    return new RecordId(RANDOM.nextLong(), RANDOM.nextLong());
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
