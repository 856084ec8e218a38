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
 * Opens and seals the pages of jobs, with as many threads as it has: the one that calls, and
 * helpers that are there from the first use on. Each takes the next page that none has.
 *
 * <p>For one calling thread at a time.
 */
final class PageWorkers implements AutoCloseable {

  /** Fewer pages are done before a helper has woken up. */
  private static final int LEAST_SHARED_JOBS = 3;

  /**
   * Of so many jobs more than one the caller leaves one more to helpers: to copy as many targets to
   * the store takes him as long as a job.
   */
  private static final int JOBS_FOR_ONE_LEFT = 16;

  private final List<Worker> workers = new ArrayList<>();
  private final List<Helper> helpers = new ArrayList<>();
  private final String name;
  private final Function<String, Helper> threads;

  /** The helper that was called last, from 1 on. */
  private int nextHelper;

  /** The run of the calling thread whose last jobs may be in work. */
  private @Nullable Run latest;

  /** What one thread works with. */
  private static final class Worker {
    private final PageCodec codec;
    private final byte[] block;

    Worker(PageCodec codec, int blockBytes) {
      this.codec = codec;
      block = new byte[blockBytes];
    }
  }

  /**
   * Workers, so many.
   *
   * @param threads makes a helper with a name
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
   * Reads the sources of all jobs, and does each as soon as its own is there. The last ones are
   * left to helpers: {@link #await} each job before its target is used, or {@link #stop}.
   *
   * @throws RuntimeException what the first job that failed threw
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
   * Returns once a job of the last run is done; others are done meanwhile.
   *
   * @throws RuntimeException what the first job that failed threw
   */
  void await(PageJob job) {
    Run run = latest;
    if (run != null && !job.isDone()) {
      run.await(job, workers.get(0));
    }
  }

  /** Nobody is at work on the last run any more once this returns. */
  void stop() {
    Run run = latest;
    latest = null;
    if (run != null) {
      run.cancel();
    }
  }

  /** Jobs of which none may be begun yet; {@link #finish} is to follow. */
  Run begin(List<PageJob> jobs, @Nullable Transfer transfer) {
    return new Run(jobs, transfer);
  }

  /** Reads the sources of a run, and does it all. */
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

  /** Does what is left, and waits for what helpers have in work. */
  private void finish(Run run) {
    arrived(run, run.count);
    join(run);
    run.await();
  }

  /** Does what may be done of a run, which may be other workers's. */
  void join(Run run) {
    run.work(workers.get(0), run.count);
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

    /** What is sealed is settled: bytes of the caller's, and what pages with their names hold. */
    private final Nonces nonces = Nonces.fresh();

    /** How many of the first jobs have all that they need. */
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

    /** Does those of the first jobs, so many, that nobody has. */
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
     * The next of the first jobs, so many, that may be done and that none has; else that number.
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

    /** Returns once a job is done; all may be done. */
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

    /** Has no further job begun, and waits for those that are in work. */
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

  /** Ends the helpers and overwrites what was in work. */
  @Override
  public void close() {
    helpers.forEach(Helper::close);
    helpers.clear();
    workers.forEach(worker -> Arrays.fill(worker.block, (byte) 0));
  }
}
