package io.github.roram.object;

import io.github.roram.AccessCost;
import io.github.roram.ObjectCost;
import java.util.stream.DoubleStream;

/**
 * What is good to know of an engine before it is used.
 *
 * @param readBytes bytes that a read costs at least, however few are asked for; 1 if there is no
 *     such bound
 * @param requests how many requests are worth having under way at the same time, at least 1
 * @param survivesPowerFailure whether what was put is there after all machines lost power
 * @param prices what its owner charges
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
   * Dollars, by the list of the engine's owner.
   *
   * @param millionReads for a million reads
   * @param millionPuts for a million puts, creates or lists
   * @param millionDeletes for a million names that are deleted
   * @param gigabyteRead for 10^9 bytes read
   * @param gigabyteWritten for 10^9 bytes written
   * @param gigabyteMonth for 10^9 bytes kept for a month
   */
  public record Prices(
      double millionReads,
      double millionPuts,
      double millionDeletes,
      double gigabyteRead,
      double gigabyteWritten,
      double gigabyteMonth) {

    /** A machine of one's own. */
    public static final Prices NONE = new Prices(0, 0, 0, 0, 0, 0);

    /** Checks that none is negative. */
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

    /** Dollars for accesses, in what they ask for: what they write is deleted one day. */
    public double dollars(ObjectCost requests, AccessCost bytes) {
      return millionReads * requests.gets() / 1e6
          + (millionPuts + millionDeletes) * requests.puts() / 1e6
          + gigabyteRead * bytes.bytesRead() / 1e9
          + gigabyteWritten * bytes.bytesWritten() / 1e9;
    }
  }
}
