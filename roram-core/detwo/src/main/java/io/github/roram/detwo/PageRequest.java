package io.github.roram.detwo;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.List;

/** One vectored request for pages, those of jobs above all. Not thread safe. */
final class PageRequest {

  /** There are no trees. */
  private static final int TREE = 0;

  private final BlockStore store;
  private final Areas areas;
  private final ExtentBatch batch = new ExtentBatch();

  /** For each page that is read, where its job stands. */
  private int[] jobs = new int[16];

  private int pages;

  PageRequest(BlockStore store, Areas areas) {
    this.store = store;
    this.areas = areas;
  }

  /** Begins a request. */
  PageRequest reset(IoPhase phase) {
    batch.reset(phase, TREE, areas.pageBytes());
    pages = 0;
    return this;
  }

  /** Adds a page. */
  void add(Page page) {
    batch.add(areas.offset(page.area(), page.number()), 1);
  }

  /** The request itself. */
  ExtentBatch batch() {
    return batch;
  }

  /** Is told what is there already while more is read. */
  @FunctionalInterface
  interface Arrival {
    /** So many of the first jobs have what they are made of. */
    void arrived(int jobs);
  }

  /** Reads the sources of all jobs that have one. */
  void readSources(List<PageJob> of, Arrival arrival) throws IOException {
    reset(IoPhase.EVICT_READ);
    if (jobs.length < of.size()) {
      jobs = new int[of.size()];
    }
    for (int i = 0; i < of.size(); i++) {
      Page source = of.get(i).source();
      if (source.exists()) {
        jobs[pages++] = i;
        add(source);
      }
    }
    if (pages > 0) {
      arrival.arrived(jobs[0]);
      store.read(
          batch,
          (firstUnit, units) -> {
            for (int unit = firstUnit; units.hasRemaining(); unit++) {
              of.get(jobs[unit]).take(units);
              arrival.arrived(jobs[unit] + 1);
            }
          });
    }
  }

  /** Writes the targets of all jobs, of which there is at least one. */
  void writeTargets(List<PageJob> of) throws IOException {
    write(of, IoPhase.EVICT_WRITE);
  }

  /** As {@link #writeTargets}, of a bulk load. */
  void writeLoaded(List<PageJob> of) throws IOException {
    write(of, IoPhase.BULK_LOAD);
  }

  private void write(List<PageJob> of, IoPhase phase) throws IOException {
    reset(phase);
    for (PageJob job : of) {
      add(job.target());
    }
    store.write(
        batch,
        (firstUnit, units) -> {
          for (int unit = firstUnit; units.hasRemaining(); unit++) {
            of.get(unit).give(units);
          }
        });
  }
}
