package io.github.roram;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The most memory that a client may take.
 *
 * @param bytes in all: 1 to 2^40
 * @param inFlight accesses that may be under way meanwhile, which take memory each: 1 to 256. With
 *     a scheme that makes one after another it changes nothing.
 * @param mapDirectory a directory of the client's own disk, which each opening is to have ({@link
 *     OpenOptions#withMapDirectory}), so that the copies of checkpoints take no memory; null if
 *     there is none
 */
public record ClientBudget(long bytes, int inFlight, @Nullable Path mapDirectory) {

  /** Checks the bounds. */
  public ClientBudget {
    SchemeSettings.check("clientMemory", bytes, 1, 1L << 40, "give bytes of client memory");
    SchemeSettings.check("inFlight", inFlight, 1, OpenOptions.MAX_IN_FLIGHT, "1 overlaps nothing");
  }

  /** Without a directory. */
  public ClientBudget(long bytes, int inFlight) {
    this(bytes, inFlight, null);
  }

  /** Of accesses that are made one after another. */
  public static ClientBudget of(long bytes) {
    return new ClientBudget(bytes, 1);
  }

  /** What of the opening of a store matters for it, on a machine with so many threads. */
  public OpenOptions options(int threads) {
    OpenOptions options = OpenOptions.defaults().withThreads(threads).withInFlight(inFlight);
    return mapDirectory == null ? options : options.withMapDirectory(mapDirectory);
  }
}
