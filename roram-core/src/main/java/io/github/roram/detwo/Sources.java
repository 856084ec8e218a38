package io.github.roram.detwo;

import io.github.roram.store.BlockStore;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the sources of jobs, in one request. Not thread safe. */
final class Sources {

  private final PageRequest request;

  private final NextSources next;

  /** The index of the job of each page that is read. */
  private int[] jobs = new int[16];

  /**
   * Creates reads of a store.
   *
   * @param next holds the pages that are read along
   */
  Sources(BlockStore store, Areas areas, NextSources next) {
    request = new PageRequest(store, areas);
    this.next = next;
  }

  /** Learns which sources have arrived while more are read. */
  @FunctionalInterface
  interface Arrival {
    /** Notes that the first {@code jobs} jobs have their sources. */
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

  /**
   * The sources of coming refreshes that lie close behind the source of the last one, and are read
   * along with it, so that one request serves several writes. Pages are held sealed, as they were
   * read. A block that is written in the meantime has its newest content in another page, which is
   * read when its refresh is due.
   *
   * <p>Not thread safe.
   */
  static final class NextSources {

    private static final int MOST_BYTES = 1 << 16;
    private static final int MOST_PAGES = 64;

    private final PageTable table;
    private final Areas areas;
    private final int most;

    /** Memory for as many pages as were ever held at once. */
    private final List<Held> held = new ArrayList<>();

    /** The refresh that the first page is for. */
    private long first;

    private int count;

    /** A page that was read along. */
    private static final class Held {
      private final Page name = new Page();
      private byte[] bytes;

      Held(int pageBytes) {
        bytes = new byte[pageBytes];
      }
    }

    /** Creates an empty holder. */
    NextSources(PageTable table, Areas areas) {
      this(table, areas, Math.min(MOST_PAGES, MOST_BYTES / areas.pageBytes()));
    }

    private NextSources(PageTable table, Areas areas, int most) {
      this.table = table;
      this.areas = areas;
      this.most = most;
    }

    /** Returns what never holds any: for threads that may not look into the table. */
    static NextSources none(PageTable table, Areas areas) {
      return new NextSources(table, areas, 0);
    }

    /** Gives a job its source; returns whether it is held. */
    boolean give(PageJob job) {
      long index = job.target().number() - first;
      if (!job.isRefresh() || index < 0 || index >= count) {
        return false;
      }
      Held page = held.get((int) index);
      if (!page.name.isSame(job.source())) {
        return false;
      }
      page.bytes = job.exchange(page.bytes);
      page.name.setNone();
      return true;
    }

    /**
     * Adds to a request the sources of the next refreshes, as far as they lie close behind its last
     * page, the source of {@code last}. Adds nothing if that job is no refresh, or if the source of
     * the next refresh is already held.
     */
    void addTo(PageRequest request, PageJob last) {
      long refresh = last.target().number() + 1;
      if (most == 0 || !last.isRefresh() || (first <= refresh && refresh < first + count)) {
        return;
      }
      first = refresh;
      for (count = 0; count < most; count++) {
        Page name = page(count).name;
        table.locate((int) ((first + count) % areas.blocks()), name);
        if (!name.exists() || !request.isNear(name)) {
          return;
        }
        request.add(name);
      }
    }

    private Held page(int index) {
      while (held.size() <= index) {
        held.add(new Held(areas.pageBytes()));
      }
      return held.get(index);
    }

    /** Takes the bytes of a page that was added. */
    void take(int index, ByteBuffer units) {
      units.get(held.get(index).bytes);
    }

    /** Forgets the pages that were added and not read. */
    void forget() {
      count = 0;
    }
  }
}
