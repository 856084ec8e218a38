package io.github.roram.paging;

import io.github.roram.ConfigurationException;

/**
 * Options of a paged memory.
 *
 * @param workingSetPages number of pages held in the clear, 1 … 2^20
 * @param replacement chooses which of them to replace
 * @param revealCleanPages whether to skip writing back a page that was only read. That saves the
 *     write, but shows for each fault whether the replaced page was changed, and so what a program
 *     reads and what it writes
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

  /** Returns the paper's options (table 1): 15 pages, first in, first out; all are written back. */
  public static PagingOptions defaults() {
    return new PagingOptions(USUAL_PAGES, Replacement.FIFO, false);
  }

  /** Returns these options with another working set. */
  public PagingOptions withWorkingSetPages(int value) {
    return new PagingOptions(value, replacement, revealCleanPages);
  }

  /** Returns these options with another replacement. */
  public PagingOptions withReplacement(Replacement value) {
    return new PagingOptions(workingSetPages, value, revealCleanPages);
  }

  /** Returns these options with clean pages revealed or written back. */
  public PagingOptions withRevealCleanPages(boolean value) {
    return new PagingOptions(workingSetPages, replacement, value);
  }
}
