package io.github.roram.storage.device;

/**
 * What a store was asked for.
 *
 * @param requests vectored calls, read or write, of at least one extent
 * @param extents contiguous pieces of address space in them
 * @param seeks extents that did not start where the one before ended (rORAM §III-A), be that in the
 *     same request or in an earlier one
 * @param syncs calls of sync
 * @param bytesRead bytes of the extents read
 * @param bytesWritten bytes of the extents written
 */
public record IoCounts(
    long requests, long extents, long seeks, long syncs, long bytesRead, long bytesWritten) {

  /** Nothing. */
  public static final IoCounts ZERO = new IoCounts(0, 0, 0, 0, 0, 0);

  /** The sum, count by count. */
  public IoCounts plus(IoCounts other) {
    return new IoCounts(
        requests + other.requests,
        extents + other.extents,
        seeks + other.seeks,
        syncs + other.syncs,
        bytesRead + other.bytesRead,
        bytesWritten + other.bytesWritten);
  }

  /** The difference, count by count: what was added since {@code earlier}. */
  public IoCounts minus(IoCounts earlier) {
    return new IoCounts(
        requests - earlier.requests,
        extents - earlier.extents,
        seeks - earlier.seeks,
        syncs - earlier.syncs,
        bytesRead - earlier.bytesRead,
        bytesWritten - earlier.bytesWritten);
  }

  /** Bytes read and written. */
  public long bytes() {
    return bytesRead + bytesWritten;
  }

  /** Calls that wait for the medium once: requests and syncs. */
  public long roundTrips() {
    return requests + syncs;
  }
}
