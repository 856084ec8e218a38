package io.github.roram.paging;

import io.github.roram.ConfigurationException;

/**
 * How a memory pages.
 *
 * @param workingSetPages pages held in the clear, 1 … 2^20
 * @param replacement which of them goes
 * @param revealCleanPages whether a page that was only read leaves without being written. That
 *     saves the write, and shows for each fault whether the page that it drove out was changed:
 *     what a program reads and what it writes becomes visible
 */
public record PagingOptions(
    int workingSetPages, Replacement replacement, boolean revealCleanPages) {

  private static final int USUAL_PAGES = 15;
  private static final int MOST_PAGES = 1 << 20;

  /** Checks the bounds. */
  public PagingOptions {
    if (workingSetPages < 1 || workingSetPages > MOST_PAGES) {
      throw new ConfigurationException(
          "workingSetPages is " + workingSetPages + ", must be 1 to " + MOST_PAGES);
    }
  }

  /** The paper's (table 1): 15 pages, first in, first out; every page is written back. */
  public static PagingOptions defaults() {
    return new PagingOptions(USUAL_PAGES, Replacement.FIFO, false);
  }

  /** These options with another working set. */
  public PagingOptions withWorkingSetPages(int value) {
    return new PagingOptions(value, replacement, revealCleanPages);
  }

  /** These options with another replacement. */
  public PagingOptions withReplacement(Replacement value) {
    return new PagingOptions(workingSetPages, value, revealCleanPages);
  }

  /** These options with clean pages written back or revealed. */
  public PagingOptions withRevealCleanPages(boolean value) {
    return new PagingOptions(workingSetPages, replacement, value);
  }
}
