package io.github.roram.detwo;

import io.github.roram.store.BlockStore;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The eager form (section 4.1 of the paper on paging): the pages that belong to the next write are
 * fetched, opened and sealed before it comes. They are what they were before that write, whatever
 * it writes, so nothing in the buffer is ever replaced.
 *
 * <p>For one calling thread at a time; one helper beside.
 */
final class Ahead implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Ahead.class);

  /** Pages are read within so many looks, or it is better to sleep. */
  private static final int SPINS = 5000;

  private final PageRequest request;
  private final Crew crew;

  /** Takes part in the helper's work while the caller waits for it; null if he just waits. */
  private final @Nullable Crew waiting;

  /** What the helper has in work. */
  private volatile Crew.@Nullable Run inWork;

  private @Nullable Helper helper;
  private @Nullable FutureTask<Boolean> running;
  private List<PageJob> jobs = List.of();
  private long write = -1;
  private int epoch;

  /** Whether the jobs are done, and nobody has taken them. */
  private boolean made;

  /**
   * A buffer.
   *
   * @param crew what opens and seals, the helper's own
   * @param waiting the caller's own, if he is to take part when he would wait
   */
  Ahead(BlockStore store, Areas areas, Crew crew, @Nullable Crew waiting) {
    request = new PageRequest(store, areas);
    this.crew = crew;
    this.waiting = waiting;
  }

  /** Begins to make ready what belongs to a write; nothing else is under way. */
  void start(long nextWrite, int nextEpoch, List<PageJob> refreshes) {
    write = nextWrite;
    epoch = nextEpoch;
    jobs = refreshes;
    made = false;
    inWork = null;
    running = new FutureTask<>(this::make);
    if (helper == null) {
      helper = new Helper("roram-detwo-ahead");
    }
    helper.start(running);
  }

  private boolean make() throws IOException {
    request.readSources(jobs);
    Crew.Run run = crew.begin(jobs, null);
    inWork = run;
    crew.finish(run);
    return true;
  }

  /**
   * What was made ready for a write; empty if that failed, or is of another write or epoch. It is
   * the caller's until he starts the next.
   */
  List<PageJob> take(long nextWrite, int nextEpoch) {
    takePart();
    await();
    boolean ready = made && write == nextWrite && epoch == nextEpoch;
    made = false;
    return ready ? jobs : List.of();
  }

  private void takePart() {
    FutureTask<Boolean> task = running;
    for (int spins = 0;
        waiting != null && task != null && !task.isDone() && spins < SPINS;
        spins++) {
      Crew.Run run = inWork;
      if (run != null) {
        waiting.join(run);
        return;
      }
      Thread.onSpinWait();
    }
  }

  /** Waits until nothing is under way. */
  void await() {
    boolean interrupted = false;
    while (running != null) {
      try {
        made = running.get();
        running = null;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException e) {
        LOG.warn("pages could not be made ready, the write does it: {}", e.toString());
        running = null;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Opens and seals so far. */
  Crew crew() {
    return crew;
  }

  /** Ends the helper. */
  @Override
  public void close() {
    await();
    if (helper != null) {
      helper.close();
      helper = null;
    }
    crew.close();
  }
}
