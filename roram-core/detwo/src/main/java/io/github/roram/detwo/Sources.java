package io.github.roram.detwo;

import io.github.roram.store.BlockStore;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Reads what jobs are made of, in one request. Not thread safe. */
final class Sources {

  private final PageRequest request;

  private final NextSources next;

  /** For each page that is read, where its job stands. */
  private int[] jobs = new int[16];

  /**
   * Reads of a store.
   *
   * @param next takes what is read along
   */
  Sources(BlockStore store, Areas areas, NextSources next) {
    request = new PageRequest(store, areas);
    this.next = next;
  }

  /** Is told what is there already while more is read. */
  @FunctionalInterface
  interface Arrival {
    /** So many of the first jobs have what they are made of. */
    void arrived(int jobs);
  }

  /** Reads the sources of all jobs that have one. */
  void read(List<PageJob> of, Arrival arrival) throws IOException {
    request.reset(IoPhase.EVICT_READ);
    if (jobs.length < of.size()) {
      jobs = Arrays.copyOf(jobs, of.size());
    }
    for (int i = 0; i < of.size(); i++) {
      PageJob job = of.get(i);
      if (job.source().exists() && !next.give(job)) {
        jobs[request.pages()] = i;
        request.add(job.source());
      }
    }
    int due = request.pages();
    if (due == 0) {
      return;
    }
    arrival.arrived(jobs[0]);
    next.addTo(request, of.get(jobs[due - 1]));
    boolean read = false;
    try {
      request.read(
          (number, bytes) -> {
            if (number < due) {
              of.get(jobs[number]).take(bytes);
              arrival.arrived(jobs[number] + 1);
            } else {
              next.take(number - due, bytes);
            }
          });
      read = true;
    } finally {
      if (!read) {
        next.forget();
      }
    }
  }
}
