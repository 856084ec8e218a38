package io.github.roram.paging;

/**
 * What a memory did since it was made.
 *
 * @param faults accesses and pins that found their page missing, and got it
 * @param pageReads pages read from the store, also by faults that failed later
 * @param pageWrites pages written to the store, by faults and flushes
 * @param faultNanos nanoseconds that faults took, failed ones included
 */
public record PagingStats(long faults, long pageReads, long pageWrites, long faultNanos) {

  /** What was added since {@code earlier}. */
  public PagingStats minus(PagingStats earlier) {
    return new PagingStats(
        faults - earlier.faults,
        pageReads - earlier.pageReads,
        pageWrites - earlier.pageWrites,
        faultNanos - earlier.faultNanos);
  }
}
