package io.github.roram.detwo;

import io.github.roram.engine.Transfer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens, seals and copies the pages of jobs, with as many threads as it has: the one that calls,
 * and helpers that are there from the first use on. Each takes the next page that none has.
 *
 * <p>For one calling thread at a time.
 */
final class Crew implements AutoCloseable {

  /** Fewer pages are done before a helper has woken up. */
  private static final int LEAST_SHARED_JOBS = 3;

  /** Fewer pages are copied before a helper has seen them. */
  private static final int LEAST_SHARED_COPIES = 8;

  /**
   * Helpers are told of so many pages at a time that came in: to tell them costs half a copy, and
   * they are busy with those before.
   */
  private static final int TOLD_JOBS = 4;

  private final List<Worker> workers = new ArrayList<>();
  private final List<Helper> helpers = new ArrayList<>();
  private final String name;

  /** The helper that was called last, from 1 on. */
  private int nextHelper;

  /** What one thread works with. */
  private static final class Worker {
    private final PageCodec codec;
    private final byte[] block;

    Worker(PageCodec codec, int blockBytes) {
      this.codec = codec;
      block = new byte[blockBytes];
    }
  }

  /** What is done with each job. */
  @FunctionalInterface
  private interface Work {
    void run(int job, Worker worker);
  }

  Crew(String name, int threads, int blockBytes, Supplier<PageCodec> codecs) {
    this.name = name;
    for (int i = 0; i < threads; i++) {
      workers.add(new Worker(codecs.get(), blockBytes));
    }
  }

  /** The calling thread's. */
  PageCodec codec() {
    return workers.get(0).codec;
  }

  /** Pages that were sealed. To be asked between runs. */
  long seals() {
    return workers.stream().mapToLong(worker -> worker.codec.seals()).sum();
  }

  /** Pages that were opened. To be asked between runs. */
  long opens() {
    return workers.stream().mapToLong(worker -> worker.codec.opens()).sum();
  }

  /**
   * Does all jobs, none of which has anything to be read.
   *
   * @throws RuntimeException what the first job that failed threw
   */
  void run(List<PageJob> jobs, @Nullable Transfer transfer) {
    finish(begin(jobs, transfer));
  }

  /**
   * Reads the sources of all jobs, and does each as soon as its own is there.
   *
   * @throws RuntimeException what the first job that failed threw
   */
  void run(List<PageJob> jobs, @Nullable Transfer transfer, PageRequest request)
      throws IOException {
    finish(begin(jobs, transfer), jobs, request);
  }

  /**
   * Gives the targets' bytes of jobs that are done, from one job on, until a buffer is full, which
   * holds whole pages.
   */
  void give(List<PageJob> jobs, int first, int pageBytes, ByteBuffer units) {
    int start = units.position();
    int pages = units.remaining() / pageBytes;
    if (workers.size() > 1 && pages >= LEAST_SHARED_COPIES) {
      finish(
          new Run(
              pages,
              (page, worker) -> jobs.get(first + page).give(units, start + page * pageBytes)));
    } else {
      for (int page = 0; page < pages; page++) {
        jobs.get(first + page).give(units, start + page * pageBytes);
      }
    }
    units.position(units.limit());
  }

  /** Jobs of which none may be begun yet; {@link #finish} is to follow. */
  Run begin(List<PageJob> jobs, @Nullable Transfer transfer) {
    return new Run(
        jobs.size(), (job, worker) -> jobs.get(job).run(worker.codec, worker.block, transfer));
  }

  /** As {@link #run(List, Transfer, PageRequest)}, of a run of these jobs. */
  void finish(Run run, List<PageJob> jobs, PageRequest request) throws IOException {
    boolean read = false;
    try {
      request.readSources(jobs, arrived -> arrivedWhileReading(run, arrived));
      read = true;
    } finally {
      if (!read) {
        run.cancel();
      }
    }
    finish(run);
  }

  /** Does what is left, and waits for what helpers have in work. */
  private void finish(Run run) {
    arrived(run, run.count);
    join(run);
    run.await();
  }

  /** Does what may be done of a run, which may be another crew's. */
  void join(Run run) {
    run.work(workers.get(0));
  }

  private void arrivedWhileReading(Run run, int jobs) {
    int told = run.available.getPlain();
    if (told == 0 || jobs - told >= TOLD_JOBS) {
      arrived(run, jobs);
    }
  }

  /** The first jobs, so many, may be done: a helper for each that was not there before. */
  private void arrived(Run run, int jobs) {
    int more = jobs - run.available.get();
    run.available.setRelease(jobs);
    int others = workers.size() - 1;
    if (run.count >= LEAST_SHARED_JOBS) {
      for (int i = 0; i < Math.min(more, others); i++) {
        nextHelper = nextHelper % others + 1;
        start(nextHelper, run);
      }
    }
  }

  private void start(int number, Run run) {
    while (helpers.size() < number) {
      helpers.add(new Helper(name + "-" + (helpers.size() + 1)));
    }
    Worker worker = workers.get(number);
    helpers.get(number - 1).start(() -> run.work(worker));
  }

  /** Jobs that are being done. A helper that comes late finds none left. */
  static final class Run {
    private final int count;
    private final Work work;

    /** How many of the first jobs have all that they need. */
    private final AtomicInteger available = new AtomicInteger();

    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final Gate over = new Gate();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private Run(int count, Work work) {
      this.count = count;
      this.work = work;
      ended(0);
    }

    private void work(Worker worker) {
      for (int job = take(); job < count; job = take()) {
        try {
          work.run(job, worker);
        } catch (RuntimeException | Error e) {
          failure.compareAndSet(null, e);
        } finally {
          ended(1);
        }
      }
    }

    /** The next job that may be done and that none has; the number of all if there is none. */
    private int take() {
      int job = next.get();
      while (job < available.get()) {
        if (next.compareAndSet(job, job + 1)) {
          return job;
        }
        job = next.get();
      }
      return count;
    }

    private void ended(int jobsEnded) {
      if (done.addAndGet(jobsEnded) == count) {
        over.open();
      }
    }

    /** Has no further job begun, and waits for those that are in work. */
    private void cancel() {
      ended(count - next.getAndSet(count));
      over.await();
    }

    private void await() {
      over.await();
      Throwable thrown = failure.get();
      if (thrown instanceof Error error) {
        throw error;
      }
      if (thrown instanceof RuntimeException exception) {
        throw exception;
      }
    }
  }

  /** Ends the helpers and overwrites what was in work. */
  @Override
  public void close() {
    helpers.forEach(Helper::close);
    helpers.clear();
    workers.forEach(worker -> Arrays.fill(worker.block, (byte) 0));
  }
}
