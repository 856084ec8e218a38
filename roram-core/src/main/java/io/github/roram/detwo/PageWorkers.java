package io.github.roram.detwo;

import io.github.roram.cipher.Nonces;
import io.github.roram.detwo.Helper.Latch;
import io.github.roram.detwo.Helper.SpinWait;
import io.github.roram.engine.Transfer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool that opens and seals the pages of jobs: the calling thread, and helpers that exist from
 * their first use on. Each thread takes the next page that no thread has taken.
 *
 * <p>For one calling thread at a time.
 */
final class PageWorkers implements AutoCloseable {

  /** Runs with fewer jobs are done before a helper has woken up. */
  private static final int LEAST_SHARED_JOBS = 3;

  /**
   * For this many jobs the caller leaves one job more to the helpers, since copying as many targets
   * to the store takes the caller as long as a job.
   */
  private static final int JOBS_FOR_ONE_LEFT = 16;

  private final List<Worker> workers = new ArrayList<>();
  private final List<Helper> helpers = new ArrayList<>();
  private final String name;
  private final Function<String, Helper> threads;

  /** Number of the helper that was started last, from 1 on. */
  private int nextHelper;

  /** The run of the calling thread whose last jobs may be in progress. */
  private @Nullable Run latest;

  /** The codec and memory of one thread. */
  private static final class Worker {
    private final PageCodec codec;
    private final byte[] block;

    Worker(PageCodec codec, int blockBytes) {
      this.codec = codec;
      block = new byte[blockBytes];
    }
  }

  /**
   * Creates a pool.
   *
   * @param count number of threads, the calling one included
   * @param threads creates a helper with a name
   */
  PageWorkers(
      String name,
      int count,
      int blockBytes,
      Supplier<PageCodec> codecs,
      Function<String, Helper> threads) {
    this.name = name;
    this.threads = threads;
    for (int i = 0; i < count; i++) {
      workers.add(new Worker(codecs.get(), blockBytes));
    }
  }

  /** Returns the calling thread's. */
  PageCodec codec() {
    return workers.get(0).codec;
  }

  /** Returns the number of pages that were sealed; to be called between runs. */
  long seals() {
    return workers.stream().mapToLong(worker -> worker.codec.seals()).sum();
  }

  /** Returns the number of pages that were opened; to be called between runs. */
  long opens() {
    return workers.stream().mapToLong(worker -> worker.codec.opens()).sum();
  }

  /**
   * Does all jobs, none of which has a source to be read.
   *
   * @throws RuntimeException the exception of the first job that failed
   */
  void run(List<PageJob> jobs, @Nullable Transfer transfer) {
    if (isAlone()) {
      runAlone(jobs, transfer);
    } else {
      finish(begin(jobs, transfer));
    }
  }

  private boolean isAlone() {
    return workers.size() == 1;
  }

  private void runAlone(List<PageJob> jobs, @Nullable Transfer transfer) {
    Worker worker = workers.get(0);
    Nonces nonces = Nonces.fresh();
    for (int job = 0; job < jobs.size(); job++) {
      jobs.get(job).run(worker.codec, nonces, job, worker.block, transfer);
    }
  }

  /**
   * Reads the sources of all jobs, and does each job once its source has arrived. The last jobs are
   * left to helpers: {@link #await} each job before using its target, or {@link #stop}.
   *
   * @throws RuntimeException the exception of the first job that failed
   */
  void run(List<PageJob> jobs, @Nullable Transfer transfer, Sources sources) throws IOException {
    if (isAlone()) {
      sources.read(jobs, ready -> {});
      runAlone(jobs, transfer);
    } else {
      Run run = begin(jobs, transfer);
      read(run, sources);
      run.work(workers.get(0), run.count - run.count / JOBS_FOR_ONE_LEFT - 1);
      latest = run;
    }
  }

  /**
   * Waits until a job of the last run is done, and does others in the meantime.
   *
   * @throws RuntimeException the exception of the first job that failed
   */
  void await(PageJob job) {
    Run run = latest;
    if (run != null && !job.isDone()) {
      run.await(job, workers.get(0));
    }
  }

  /** Returns once no thread is at work on the last run. */
  void stop() {
    Run run = latest;
    latest = null;
    if (run != null) {
      run.cancel();
    }
  }

  /** Begins a run of jobs, none of which may be done yet; {@link #finish} must follow. */
  Run begin(List<PageJob> jobs, @Nullable Transfer transfer) {
    return new Run(jobs, transfer);
  }

  /** Reads the sources of a run, and does all its jobs. */
  void finish(Run run, Sources sources) throws IOException {
    read(run, sources);
    finish(run);
  }

  private void read(Run run, Sources sources) throws IOException {
    boolean read = false;
    try {
      sources.read(run.jobs, jobs -> arrived(run, jobs));
      arrived(run, run.count);
      read = true;
    } finally {
      if (!read) {
        run.cancel();
      }
    }
  }

  /** Does the jobs that are left, and waits for those that helpers are doing. */
  private void finish(Run run) {
    arrived(run, run.count);
    join(run);
    run.await();
  }

  /** Does the jobs of a run that may be done; the run may belong to another pool. */
  void join(Run run) {
    run.work(workers.get(0), run.count);
  }

  /** Allows the first {@code jobs} jobs, and starts a helper for each newly allowed one. */
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
      helpers.add(threads.apply(name + "-" + (helpers.size() + 1)));
    }
    Worker worker = workers.get(number);
    helpers.get(number - 1).start(() -> run.work(worker, run.count));
  }

  /** Jobs that are being done. A helper that comes late finds none left. */
  static final class Run {
    private final List<PageJob> jobs;
    private final int count;
    private final @Nullable Transfer transfer;

    /** Drawn when what is sealed is fixed: the caller's bytes, and the content of named pages. */
    private final Nonces nonces = Nonces.fresh();

    /** Number of the first jobs that have all they need. */
    private final AtomicInteger available = new AtomicInteger();

    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final Latch over = new Latch();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Run(List<PageJob> jobs, @Nullable Transfer transfer) {
      this.jobs = jobs;
      count = jobs.size();
      this.transfer = transfer;
      ended(0);
    }

    /** Does those of the first {@code end} jobs that no thread has taken. */
    private void work(Worker worker, int end) {
      for (int job = take(end); job < end; job = take(end)) {
        run(job, worker);
      }
    }

    private void run(int job, Worker worker) {
      try {
        jobs.get(job).run(worker.codec, nonces, job, worker.block, transfer);
      } catch (RuntimeException | Error e) {
        failure.compareAndSet(null, e);
      } finally {
        ended(1);
      }
    }

    /**
     * Takes the next job below {@code end} that may be done and that no thread has taken; returns
     * {@code end} if there is none.
     */
    private int take(int end) {
      int job = next.get();
      while (job < Math.min(end, available.get())) {
        if (next.compareAndSet(job, job + 1)) {
          return job;
        }
        job = next.get();
      }
      return end;
    }

    /** Waits until a job is done, and does others in the meantime; all jobs must be allowed. */
    private void await(PageJob job, Worker worker) {
      int other = 0;
      while (other < count && !job.isDone()) {
        other = take(count);
        if (other < count) {
          run(other, worker);
        }
      }
      if (!SpinWait.sees(() -> job.isDone() || failure.get() != null)) {
        over.await();
      }
      throwFailure();
    }

    private void ended(int jobsEnded) {
      if (done.addAndGet(jobsEnded) == count) {
        over.open();
      }
    }

    /** Lets no further job begin, and waits for those that are being done. */
    private void cancel() {
      ended(count - next.getAndSet(count));
      over.await();
    }

    private void await() {
      over.await();
      throwFailure();
    }

    private void throwFailure() {
      Throwable thrown = failure.get();
      if (thrown instanceof Error error) {
        throw error;
      }
      if (thrown instanceof RuntimeException exception) {
        throw exception;
      }
    }
  }

  /** Ends the helpers and overwrites the memory of blocks. */
  @Override
  public void close() {
    helpers.forEach(Helper::close);
    helpers.clear();
    workers.forEach(worker -> Arrays.fill(worker.block, (byte) 0));
  }
}
