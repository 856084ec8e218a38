package io.github.roram.bench.paging;

import io.github.roram.paging.PageStore;
import java.io.IOException;

/**
 * Pages whose faults are each followed by computing, so that a program spends a smaller share of
 * its time in paging than its own. Not thread safe.
 */
final class MixedPages implements PageStore {

  private final PageStore pages;
  private final Computing computing = Computing.ofThisMachine();
  private int rounds;
  private long computingNanos;

  MixedPages(PageStore pages) {
    this.pages = pages;
  }

  /** Computes so long after each fault from now on. */
  void mixWith(int newRounds) {
    rounds = newRounds;
  }

  /** What the computing took, which the memory above takes for time of faults. */
  long computingNanos() {
    return computingNanos;
  }

  @Override
  public int pageBytes() {
    return pages.pageBytes();
  }

  @Override
  public long pages() {
    return pages.pages();
  }

  @Override
  public void read(long page, byte[] target) throws IOException {
    pages.read(page, target);
    if (rounds > 0) {
      long start = System.nanoTime();
      computing.run(rounds);
      computingNanos += System.nanoTime() - start;
    }
  }

  @Override
  public void write(long page, byte[] source) throws IOException {
    pages.write(page, source);
  }

  @Override
  public void flush() throws IOException {
    pages.flush();
  }

  @Override
  public void close() throws IOException {
    pages.close();
  }
}
