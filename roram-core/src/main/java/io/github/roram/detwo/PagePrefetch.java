package io.github.roram.detwo;

import io.github.roram.detwo.Helper.Latch;
import io.github.roram.detwo.Helper.SpinWait;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The eager form (section 4.1 of the paper on paging): the pages that the next write refreshes are
 * fetched, opened and sealed before it comes. They are refreshed as they were before that write,
 * whatever it writes, so the buffer never has to be corrected.
 *
 * <p>For one calling thread at a time, with one helper alongside.
 */
final class PagePrefetch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PagePrefetch.class);

  private final Sources sources;
  private final PageWorkers workers;

  /** Takes part in the helper's work while the caller waits; null if the caller only waits. */
  private final @Nullable PageWorkers waiting;

  private final Function<String, Helper> threads;
  private @Nullable Helper helper;
  private @Nullable Task task;

  /** The refreshes that belong to one write. */
  private static final class Task {
    private final long write;
    private final int epoch;
    private final List<PageJob> jobs;

    /** Set by the thread that does the task: the helper, or the write itself if it comes first. */
    private final AtomicBoolean taken = new AtomicBoolean();

    /** The run that the helper is at work on. */
    private volatile PageWorkers.@Nullable Run run;

    private final Latch over = new Latch();

    /** Whether the jobs were done without a failure. */
    private volatile boolean made;

    Task(long write, int epoch, List<PageJob> jobs) {
      this.write = write;
      this.epoch = epoch;
      this.jobs = jobs;
    }
  }

  /**
   * Creates a buffer.
   *
   * @param sources the helper's own
   * @param workers the helper's own, which open and seal
   * @param waiting the caller's own, if the caller is to take part when it would wait
   * @param threads creates a helper with a name
   */
  PagePrefetch(
      Sources sources,
      PageWorkers workers,
      @Nullable PageWorkers waiting,
      Function<String, Helper> threads) {
    this.threads = threads;
    this.sources = sources;
    this.workers = workers;
    this.waiting = waiting;
  }

  /** Begins to prepare the pages of a write; nothing else may be in progress. */
  void start(long nextWrite, int nextEpoch, List<PageJob> refreshes) {
    // Created first, since without it the task would never end.
    if (helper == null) {
      helper = threads.apply("roram-detwo-prefetch");
    }
    Task started = new Task(nextWrite, nextEpoch, refreshes);
    task = started;
    helper.start(() -> make(started));
  }

  private void make(Task making) {
    if (!making.taken.compareAndSet(false, true)) {
      return;
    }
    try {
      PageWorkers.Run run = workers.begin(making.jobs, null);
      making.run = run;
      workers.finish(run, sources);
      making.made = true;
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("pages could not be made ready, the write does it: {}", e.toString());
    } finally {
      making.over.open();
    }
  }

  /**
   * Returns what was made ready for a write; empty if that failed, was not begun, or is of another
   * write or epoch. It is the caller's until he starts the next.
   */
  List<PageJob> take(long nextWrite, int nextEpoch) {
    Task begun = task;
    task = null;
    if (begun == null || begun.taken.compareAndSet(false, true)) {
      return List.of();
    }
    if (waiting != null) {
      takePart(waiting, begun);
    }
    begun.over.await();
    boolean ready = begun.made && begun.write == nextWrite && begun.epoch == nextEpoch;
    return ready ? begun.jobs : List.of();
  }

  private static void takePart(PageWorkers workers, Task begun) {
    SpinWait.sees(
        () -> {
          PageWorkers.Run run = begun.run;
          if (run != null) {
            workers.join(run);
          }
          return begun.over.isOpen();
        });
  }

  /** Waits until nothing is in progress. */
  void await() {
    Task begun = task;
    if (begun != null) {
      begun.over.await();
    }
  }

  /** Returns the workers, which count what they opened and sealed. */
  PageWorkers workers() {
    return workers;
  }

  /** Ends the helper. */
  @Override
  public void close() {
    await();
    if (helper != null) {
      helper.close();
      helper = null;
    }
    workers.close();
  }
}
