package io.github.roram.detwo;

import io.github.roram.detwo.Areas.Area;
import io.github.roram.detwo.DetWoParameters.Form;
import io.github.roram.detwo.Sources.NextSources;
import io.github.roram.engine.OramContext;
import io.github.roram.engine.Transfer;
import io.github.roram.engine.TrimmedBlocks;
import io.github.roram.store.IoPhase;
import io.github.roram.threads.IoTask;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes writes (DetWoORAM, Algorithm 1, as {@link DetWoOram} deviates from it) in any {@link Form}:
 * the pages for the holding area and the refreshed pages of the main area, in one request. Long
 * ranges are written in portions, to save memory. The caller changes the table once everything is
 * written.
 *
 * <p>A write that failed is repeated under the same numbers in a new epoch. Not thread safe.
 */
final class PageWrites implements AutoCloseable {

  /** Approximate number of pages of a portion of more than one write. */
  private static final int PORTION_PAGES = 256;

  private final OramContext context;
  private final Areas areas;
  private final PageTable table;
  private final PageWorkers workers;
  private final Sources sources;
  private final PageRequest request;
  private final @Nullable PagePrefetch prefetch;

  /** Jobs for reuse; those in the buffer of the eager form are in {@link #buffered}. */
  private final List<PageJob> spare = new ArrayList<>();

  private List<PageJob> buffered = List.of();
  private boolean epochIsDue;

  PageWrites(OramContext context, Areas areas, PageTable table) {
    this.context = context;
    this.areas = areas;
    this.table = table;
    Form form = ((DetWoParameters) context.config().parameters()).form();
    int threads = form.isParallel() ? context.options().threads() : 1;
    workers = workers("roram-detwo", form.isEager() ? 1 : threads);
    boolean alone = !form.isEager();
    sources = sources(alone ? new NextSources(table, areas) : NextSources.none(table, areas));
    request = new PageRequest(context.store(), areas);
    prefetch = form.isEager() ? prefetch(form, Math.max(1, threads - 1)) : null;
  }

  private PagePrefetch prefetch(Form form, int threads) {
    PageWorkers refreshing = workers("roram-detwo-refresh", threads);
    Sources helpers = sources(NextSources.none(table, areas));
    return new PagePrefetch(helpers, refreshing, form.isParallel() ? workers : null, Helper::new);
  }

  private Sources sources(NextSources next) {
    return new Sources(context.store(), areas, next);
  }

  private PageWorkers workers(String name, int threads) {
    int blockBytes = context.config().blockBytes();
    return new PageWorkers(name, threads, blockBytes, () -> DetWoOram.codec(context), Helper::new);
  }

  /** Returns a codec of the calling thread's. */
  PageCodec codec() {
    return workers.codec();
  }

  long seals() {
    return workers.seals() + (prefetch == null ? 0 : prefetch.workers().seals());
  }

  long opens() {
    return workers.opens() + (prefetch == null ? 0 : prefetch.workers().opens());
  }

  void awaitAhead() {
    if (prefetch != null) {
      prefetch.await();
    }
  }

  /** Has the next write sealed in a new epoch, as numbers are about to be used again. */
  void requireNewEpoch() {
    epochIsDue = true;
  }

  /**
   * Writes the blocks of a transfer.
   *
   * @param afterPages runs after the pages are written and before they count as written
   * @return the epoch in which all pages were sealed
   */
  int write(Transfer transfer, IoTask afterPages) throws IOException {
    boolean written = false;
    try {
      int epoch = epoch();
      List<PageJob> ready = ready(epoch);
      prepareEarly(transfer, epoch);
      long first = table.writes();
      int portion = (int) Math.max(1, PORTION_PAGES / (1 + areas.refreshes(1)));
      for (int done = 0; done < transfer.blocks(); done += portion) {
        int count = Math.min(portion, transfer.blocks() - done);
        List<PageJob> jobs = new ArrayList<>();
        long refreshed = areas.refreshes(first + done) + ready.size();
        for (int i = done; i < done + count; i++) {
          jobs.add(writeOf(transfer, transfer.block() + i, first + i, epoch));
          long end = areas.refreshes(first + i + 1);
          addRefreshes(refreshed, end, epoch, jobs);
          refreshed = end;
        }
        put(jobs, 1, ready, transfer);
        ready = List.of();
      }
      afterPages.run();
      written = true;
      return epoch;
    } finally {
      epochIsDue |= !written;
    }
  }

  private int epoch() throws IOException {
    if (epochIsDue) {
      awaitAhead();
      context.epochs().advance();
      epochIsDue = false;
    }
    return context.keys().epoch();
  }

  /** Returns what the eager form has made ready for the next write. */
  private List<PageJob> ready(int epoch) {
    if (prefetch == null) {
      return List.of();
    }
    List<PageJob> ready = prefetch.take(table.writes(), epoch);
    if (ready.isEmpty()) {
      spare.addAll(buffered);
    }
    buffered = List.of();
    return ready;
  }

  private PageJob job() {
    return spare.isEmpty() ? new PageJob(areas.pageBytes()) : spare.remove(spare.size() - 1);
  }

  private PageJob writeOf(Transfer transfer, int block, long number, int epoch) {
    PageJob job = job().write(block);
    if (transfer.isWhole(block)) {
      job.source().setNone();
    } else {
      table.locate(block, job.source());
    }
    job.target().set(Area.HOLDING, number, epoch);
    return job;
  }

  private void addRefreshes(long first, long end, int epoch, List<PageJob> jobs) {
    for (long refresh = first; refresh < end; refresh++) {
      PageJob job = job().refresh();
      table.locate((int) (refresh % areas.blocks()), job.source());
      job.target().set(Area.MAIN, refresh, epoch);
      jobs.add(job);
    }
  }

  /** Reads, seals and writes jobs; jobs that are ready are only written, after the first ones. */
  private void put(List<PageJob> open, int before, List<PageJob> ready, @Nullable Transfer transfer)
      throws IOException {
    workers.run(open, transfer, sources);
    List<PageJob> all = open;
    if (!ready.isEmpty()) {
      all = new ArrayList<>(open);
      all.addAll(before, ready);
    }
    boolean written = false;
    try {
      request.writeTargets(all, IoPhase.EVICT_WRITE, workers::await);
      written = true;
    } finally {
      if (!written) {
        workers.stop();
      }
    }
    spare.addAll(all);
  }

  /**
   * Prepares the next write as {@link #prepareNext} does, while this write is made, unless this one
   * makes a page that the next one reads. No read needs what this write overwrites. If this write
   * fails, the next write has its number, and what was prepared is dropped.
   */
  private void prepareEarly(Transfer transfer, int epoch) {
    long first = table.writes();
    long next = first + transfer.blocks();
    long end = areas.refreshes(next + 1);
    boolean apart = end - areas.refreshes(first) <= areas.blocks();
    for (long refresh = areas.refreshes(next); apart && refresh < end; refresh++) {
      long written = refresh % areas.blocks() - transfer.block();
      apart = written < 0 || written >= transfer.blocks();
    }
    if (apart) {
      prepare(next, epoch);
    }
  }

  /** Begins to prepare the refreshes of the next write, in the eager form. */
  void prepareNext(int epoch) {
    if (buffered.isEmpty()) {
      prepare(table.writes(), epoch);
    }
  }

  private void prepare(long write, int epoch) {
    if (prefetch != null) {
      List<PageJob> refreshes = new ArrayList<>();
      addRefreshes(areas.refreshes(write), areas.refreshes(write + 1), epoch, refreshes);
      buffered = refreshes;
      prefetch.start(write, epoch, refreshes);
    }
  }

  /**
   * Does the refreshes of earlier writes that are not done.
   *
   * @return the epoch in which they were sealed
   */
  int refreshLost() throws IOException {
    boolean written = false;
    try {
      int epoch = epoch();
      long end = areas.refreshes(table.writes());
      for (long first = table.refreshes(); first < end; first += PORTION_PAGES) {
        List<PageJob> jobs = new ArrayList<>();
        addRefreshes(first, Math.min(end, first + PORTION_PAGES), epoch, jobs);
        put(jobs, 0, List.of(), null);
      }
      written = true;
      return epoch;
    } finally {
      epochIsDue |= !written;
    }
  }

  /**
   * Fills the main area of a store that was never written with bytes from a channel's position on,
   * and with zeros from its end on.
   *
   * @return the epoch in which all pages were sealed
   */
  int load(SeekableByteChannel source, LongConsumer progressBytes) throws IOException {
    int epoch = epoch();
    int blockBytes = context.config().blockBytes();
    ByteBuffer content = ByteBuffer.allocate(PORTION_PAGES * blockBytes);
    TrimmedBlocks none = new TrimmedBlocks(areas.blocks());
    for (int first = 0; first < areas.blocks(); first += PORTION_PAGES) {
      int count = Math.min(PORTION_PAGES, areas.blocks() - first);
      fill(content.clear().limit(count * blockBytes), source);
      Transfer transfer =
          Transfer.into(
              context, none, (long) first * blockBytes, count * blockBytes, content.flip(), 1);
      List<PageJob> jobs = new ArrayList<>();
      for (int block = first; block < first + count; block++) {
        PageJob job = job().write(block);
        job.source().setNone();
        job.target().set(Area.MAIN, block, epoch);
        jobs.add(job);
      }
      workers.run(jobs, transfer);
      request.writeTargets(jobs, IoPhase.BULK_LOAD, job -> {});
      spare.addAll(jobs);
      progressBytes.accept((long) count * areas.pageBytes());
    }
    return epoch;
  }

  /** Reads until the buffer is full; if the channel ends, zeros fill the rest. */
  private static void fill(ByteBuffer content, SeekableByteChannel source) throws IOException {
    while (content.hasRemaining() && source.read(content) >= 0) {
      // Reads on.
    }
    while (content.hasRemaining()) {
      content.put((byte) 0);
    }
  }

  @Override
  public void close() {
    if (prefetch != null) {
      prefetch.close();
    }
    workers.close();
  }
}
