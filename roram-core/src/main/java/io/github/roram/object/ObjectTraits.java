package io.github.roram.object;

import io.github.roram.AccessCost;
import io.github.roram.ObjectCost;
import java.util.stream.DoubleStream;

/**
 * Properties of an engine.
 *
 * @param readBytes the least number of bytes that a read costs, however few it asks for; 1 if there
 *     is no such bound
 * @param requests how many concurrent requests are worthwhile, at least 1
 * @param survivesPowerFailure whether objects survive a loss of power of all machines
 * @param prices what the engine's owner charges
 */
public record ObjectTraits(
    int readBytes, int requests, boolean survivesPowerFailure, Prices prices) {

  /** Checks the numbers. */
  public ObjectTraits {
    if (readBytes < 1 || requests < 1) {
      throw new IllegalArgumentException(
          "readBytes is " + readBytes + ", requests is " + requests + ", must be at least 1");
    }
  }

  /**
   * List prices of the engine's owner, in US dollars.
   *
   * @param millionReads price of a million reads
   * @param millionPuts price of a million puts, creates or lists
   * @param millionDeletes price of deleting a million objects
   * @param gigabyteRead price of reading 10^9 bytes
   * @param gigabyteWritten price of writing 10^9 bytes
   * @param gigabyteMonth price of keeping 10^9 bytes for a month
   */
  public record Prices(
      double millionReads,
      double millionPuts,
      double millionDeletes,
      double gigabyteRead,
      double gigabyteWritten,
      double gigabyteMonth) {

    /** No charges, as on the user's own machines. */
    public static final Prices NONE = new Prices(0, 0, 0, 0, 0, 0);

    /** Checks that no price is negative. */
    public Prices {
      if (!(millionReads >= 0 && millionPuts >= 0 && millionDeletes >= 0)
          || !(gigabyteRead >= 0 && gigabyteWritten >= 0 && gigabyteMonth >= 0)) {
        throw new IllegalArgumentException(
            "prices are "
                + DoubleStream.of(
                        millionReads,
                        millionPuts,
                        millionDeletes,
                        gigabyteRead,
                        gigabyteWritten,
                        gigabyteMonth)
                    .boxed()
                    .toList()
                + ", none may be negative");
      }
    }

    /** Returns the dollars for accesses with these costs; each object written is later deleted. */
    public double dollars(ObjectCost requests, AccessCost bytes) {
      return millionReads * requests.gets() / 1e6
          + (millionPuts + millionDeletes) * requests.puts() / 1e6
          + gigabyteRead * bytes.bytesRead() / 1e9
          + gigabyteWritten * bytes.bytesWritten() / 1e9;
    }
  }
}
