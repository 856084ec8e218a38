package io.github.roram.storage.device;

/**
 * Counts of requests to a store.
 *
 * @param requests vectored calls, read or write, of at least one extent
 * @param extents contiguous extents of address space in those requests
 * @param seeks extents that did not start where the previous one ended (rORAM §III-A), whether in
 *     the same request or in an earlier one
 * @param syncs calls to sync
 * @param bytesRead bytes of the extents read
 * @param bytesWritten bytes of the extents written
 */
public record IoCounts(
    long requests, long extents, long seeks, long syncs, long bytesRead, long bytesWritten) {

  /** Counts of zero. */
  public static final IoCounts ZERO = new IoCounts(0, 0, 0, 0, 0, 0);

  /** Returns the sum, count by count. */
  public IoCounts plus(IoCounts other) {
    return new IoCounts(
        requests + other.requests,
        extents + other.extents,
        seeks + other.seeks,
        syncs + other.syncs,
        bytesRead + other.bytesRead,
        bytesWritten + other.bytesWritten);
  }

  /** Returns the difference, count by count: what was added since {@code earlier}. */
  public IoCounts minus(IoCounts earlier) {
    return new IoCounts(
        requests - earlier.requests,
        extents - earlier.extents,
        seeks - earlier.seeks,
        syncs - earlier.syncs,
        bytesRead - earlier.bytesRead,
        bytesWritten - earlier.bytesWritten);
  }

  /** Returns the bytes read and written. */
  public long bytes() {
    return bytesRead + bytesWritten;
  }

  /** Returns the calls that wait for the medium once: requests and syncs. */
  public long roundTrips() {
    return requests + syncs;
  }
}
