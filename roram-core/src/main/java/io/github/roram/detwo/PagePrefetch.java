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
 * The eager form (section 4.1 of the paper on paging): the pages that belong to the next write are
 * fetched, opened and sealed before it comes. They are what they were before that write, whatever
 * it writes, so nothing in the buffer is ever replaced.
 *
 * <p>For one calling thread at a time; one helper alongside.
 */
final class PagePrefetch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PagePrefetch.class);

  private final Sources sources;
  private final PageWorkers workers;

  /** Takes part in the helper's work while the caller waits for it; null if he just waits. */
  private final @Nullable PageWorkers waiting;

  private final Function<String, Helper> threads;
  private @Nullable Helper helper;
  private @Nullable Task task;

  /** What belongs to a write. */
  private static final class Task {
    private final long write;
    private final int epoch;
    private final List<PageJob> jobs;

    /** Set by who does it: the helper, or the write itself if it comes first. */
    private final AtomicBoolean taken = new AtomicBoolean();

    /** What the helper has in work. */
    private volatile PageWorkers.@Nullable Run run;

    private final Latch over = new Latch();

    /** Whether the jobs are done. */
    private volatile boolean made;

    Task(long write, int epoch, List<PageJob> jobs) {
      this.write = write;
      this.epoch = epoch;
      this.jobs = jobs;
    }
  }

  /**
   * A buffer.
   *
   * @param sources the helper's own
   * @param workers what opens and seals, the helper's own
   * @param waiting the caller's own, if he is to take part when he would wait
   * @param threads makes a helper with a name
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

  /** Begins to make ready what belongs to a write; nothing else is under way. */
  void start(long nextWrite, int nextEpoch, List<PageJob> refreshes) {
    // First, since nobody would end a task without it.
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

  /** Waits until nothing is under way. */
  void await() {
    Task begun = task;
    if (begun != null) {
      begun.over.await();
    }
  }

  /** Opens and seals so far. */
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
