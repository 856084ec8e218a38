package io.github.roram.paging;

/**
 * Counts of a paged memory since it was created.
 *
 * @param faults accesses and pins whose page was missing and was brought in
 * @param pageReads pages read from the store, including those of faults that failed later
 * @param pageWrites pages written to the store, by faults and flushes
 * @param faultNanos nanoseconds that faults took, including failed ones
 */
public record PagingStats(long faults, long pageReads, long pageWrites, long faultNanos) {

  /** Returns the counts added since {@code earlier}. */
  public PagingStats minus(PagingStats earlier) {
    return new PagingStats(
        faults - earlier.faults,
        pageReads - earlier.pageReads,
        pageWrites - earlier.pageWrites,
        faultNanos - earlier.faultNanos);
  }
}
