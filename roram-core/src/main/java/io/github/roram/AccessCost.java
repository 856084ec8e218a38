package io.github.roram;

/**
 * The average cost of one access, including its share of the evictions. The averages hold for
 * random accesses to a store whose every block has been written. Syncs of the store are not
 * counted.
 *
 * @param requests vectored calls to the store
 * @param extents contiguous extents of address space in those calls; each costs a seek, unless it
 *     happens to start where the previous one ended
 * @param bytesRead bytes read from the store
 * @param bytesWritten bytes written to the store
 */
public record AccessCost(double requests, double extents, double bytesRead, double bytesWritten) {

  /** A cost of zero. */
  public static final AccessCost NONE = new AccessCost(0, 0, 0, 0);

  /** Returns the sum of this cost and another. */
  public AccessCost plus(AccessCost other) {
    return new AccessCost(
        requests + other.requests,
        extents + other.extents,
        bytesRead + other.bytesRead,
        bytesWritten + other.bytesWritten);
  }

  /** Returns this cost multiplied by a factor. */
  public AccessCost times(double factor) {
    return new AccessCost(
        factor * requests, factor * extents, factor * bytesRead, factor * bytesWritten);
  }

  /** Returns the bytes read and written. */
  public double bytes() {
    return bytesRead + bytesWritten;
  }
}
