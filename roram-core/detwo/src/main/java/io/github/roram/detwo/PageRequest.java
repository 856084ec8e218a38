package io.github.roram.detwo;

import io.github.roram.store.BlockStore;
import io.github.roram.store.ExtentBatch;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One vectored request for pages, those of jobs above all. Not thread safe. */
final class PageRequest {

  /** There are no trees. */
  private static final int TREE = 0;

  private final BlockStore store;
  private final Areas areas;
  private final ExtentBatch batch = new ExtentBatch();
  private final List<PageJob> jobs = new ArrayList<>();

  PageRequest(BlockStore store, Areas areas) {
    this.store = store;
    this.areas = areas;
  }

  /** Begins a request. */
  PageRequest reset(IoPhase phase) {
    batch.reset(phase, TREE, areas.pageBytes());
    jobs.clear();
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

  /** Reads the sources of all jobs that have one. */
  void readSources(List<PageJob> of) throws IOException {
    reset(IoPhase.EVICT_READ);
    for (PageJob job : of) {
      if (job.source().exists()) {
        jobs.add(job);
        add(job.source());
      }
    }
    if (!jobs.isEmpty()) {
      store.read(
          batch,
          (firstUnit, units) -> {
            for (int unit = firstUnit; units.hasRemaining(); unit++) {
              jobs.get(unit).take(units);
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
