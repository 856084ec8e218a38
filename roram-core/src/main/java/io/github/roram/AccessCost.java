package io.github.roram;

/**
 * What one access costs on average, its share of the evictions included: of a store that was
 * written all over, under random accesses. Syncs of the store are not counted.
 *
 * @param requests vectored calls of the store
 * @param extents contiguous pieces of address space in them; each is a seek, but for some that
 *     happen to lie where the one before ended
 * @param bytesRead bytes read
 * @param bytesWritten bytes written
 */
public record AccessCost(double requests, double extents, double bytesRead, double bytesWritten) {

  /** Nothing. */
  public static final AccessCost NONE = new AccessCost(0, 0, 0, 0);

  /** The sum. */
  public AccessCost plus(AccessCost other) {
    return new AccessCost(
        requests + other.requests,
        extents + other.extents,
        bytesRead + other.bytesRead,
        bytesWritten + other.bytesWritten);
  }

  /** So many times this. */
  public AccessCost times(double factor) {
    return new AccessCost(
        factor * requests, factor * extents, factor * bytesRead, factor * bytesWritten);
  }

  /** Bytes read and written. */
  public double bytes() {
    return bytesRead + bytesWritten;
  }
}
