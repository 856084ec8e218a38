package io.github.roram.detwo;

import io.github.roram.engine.Transfer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens and seals the pages of jobs, with as many threads as it has: the one that calls, and
 * helpers that are there from the first use on. Each takes the next page that none has.
 *
 * <p>For one calling thread at a time.
 */
final class Crew implements AutoCloseable {

  /** Fewer pages are done before a helper has woken up. */
  private static final int LEAST_SHARED_JOBS = 3;

  private static final int SPINS = 2000;

  private final List<Worker> workers = new ArrayList<>();
  private final List<Helper> helpers = new ArrayList<>();
  private final String name;

  /** What one thread works with. */
  private static final class Worker {
    private final PageCodec codec;
    private final byte[] block;

    Worker(PageCodec codec, int blockBytes) {
      this.codec = codec;
      block = new byte[blockBytes];
    }
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
   * Does all jobs.
   *
   * @throws RuntimeException what the first job that failed threw
   */
  void run(List<PageJob> jobs, @Nullable Transfer transfer) {
    finish(begin(jobs, transfer));
  }

  /** Has the helpers begin; {@link #finish} is to follow. */
  Run begin(List<PageJob> jobs, @Nullable Transfer transfer) {
    Run run = new Run(jobs, transfer);
    if (jobs.size() >= LEAST_SHARED_JOBS) {
      share(run);
    }
    return run;
  }

  /** Does what is left, and waits for what helpers have in work. */
  void finish(Run run) {
    join(run);
    run.await();
  }

  /** Does what is left of a run, which may be another crew's. */
  void join(Run run) {
    run.work(workers.get(0));
  }

  private void share(Run run) {
    for (int i = 1; i < workers.size(); i++) {
      if (helpers.size() < i) {
        helpers.add(new Helper(name + "-" + i));
      }
      Worker worker = workers.get(i);
      helpers.get(i - 1).start(() -> run.work(worker));
    }
  }

  /** Jobs that are being done. A helper that comes late finds none left. */
  static final class Run {
    private final List<PageJob> jobs;
    private final int count;
    private final @Nullable Transfer transfer;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    Run(List<PageJob> jobs, @Nullable Transfer transfer) {
      this.jobs = jobs;
      count = jobs.size();
      this.transfer = transfer;
    }

    private void work(Worker worker) {
      for (int job = next.getAndIncrement(); job < count; job = next.getAndIncrement()) {
        try {
          jobs.get(job).run(worker.codec, worker.block, transfer);
        } catch (RuntimeException | Error e) {
          failure.compareAndSet(null, e);
        } finally {
          done.incrementAndGet();
        }
      }
    }

    private void await() {
      for (int spins = 0; done.get() < count; spins++) {
        if (spins < SPINS) {
          Thread.onSpinWait();
        } else {
          Thread.yield();
        }
      }
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
