package io.github.roram.session;

import io.github.roram.OpenOptions;
import io.github.roram.checkpoint.ScratchBytes;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.journal.Journal;
import io.github.roram.state.ClientRecords;
import io.github.roram.store.OnFailure;
import io.github.roram.store.StoreFullException;
import io.github.roram.threads.OwnedThreads;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints of the client's state, which keep the journal short (construction, section 6).
 *
 * <p>The journal continues in its next generation, whose log was prepared in the background. From
 * then on each access copies a piece of the state as it was at that moment, and no access waits for
 * more than one piece. The copy is sealed and written concurrently with the accesses; when it is
 * durable, older generations are deleted. Until then, recovery starts from the previous checkpoint
 * and replays all generations since.
 *
 * <p>A checkpoint that fails changes nothing else: accesses continue, the journal keeps its
 * records, and another checkpoint is tried soon.
 */
final class Checkpoints {

  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

  /** A checkpoint is due after this time, however short the journal is. */
  private static final long MAX_AGE_NANOS = TimeUnit.MINUTES.toNanos(5);

  /**
   * A failed checkpoint is tried again after {@link #RETRY_NANOS}, or when the journal has grown by
   * {@link #everyBytes} divided by this.
   */
  private static final int RETRY_FRACTION = 8;

  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long NANOS_PER_MICRO = 1000;

  /** The source of the state. */
  @FunctionalInterface
  interface State {
    /** Adds the whole present state to a copy. */
    void copyTo(StateCopy copy) throws IOException;
  }

  private final ClientRecords records;
  private final long everyBytes;
  private final boolean inBackground;
  private final State state;

  /** Directory for copies that are too large for memory; null if there is none. */
  private final @Nullable Path scratch;

  private final OwnedThreads threads;
  private final Executor thread;
  private @Nullable Journal journal;

  /** The checkpoint that is being copied. */
  private @Nullable CheckpointCopy copying;

  /** The write in progress, or the last one. */
  private @Nullable Future<?> running;

  private volatile boolean failed;

  /** Whether a checkpoint is due at once, whatever length the journal reports. */
  private boolean soon;

  /** The task that prepares the journal's next generation, running or done. */
  private @Nullable Future<?> preparing;

  private long lastStart;
  private long lastStartBytes;

  /**
   * Creates the checkpoints of an ORAM that has none.
   *
   * @param threads run background tasks, one after another
   */
  Checkpoints(ClientRecords records, OpenOptions options, State state, OwnedThreads threads) {
    this.records = records;
    this.threads = threads;
    thread = threads.serial("roram-checkpoint");
    lastStart = threads.nanoTime();
    everyBytes = options.checkpointBytes();
    inBackground = options.backgroundCheckpoints();
    scratch = options.mapDirectory();
    this.state = state;
  }

  /**
   * Checkpoints this journal from now on.
   *
   * @param isDue whether the first is due at once
   */
  void start(@Nullable Journal newJournal, boolean isDue) {
    journal = newJournal;
    soon = isDue;
  }

  /**
   * Continues the checkpoint that is being copied, or starts one that is due.
   *
   * @param complete whether everything written to the store is in the journal, so that a checkpoint
   *     may start
   */
  void afterAccess(boolean complete) {
    if (journal == null) {
      return;
    }
    long start = threads.nanoTime();
    boolean due = isDue(journal, start);
    if (preparing == null && (due || journal.bytes() >= everyBytes / 2)) {
      preparing = prepare(journal);
    }
    if (copying == null && due && complete && isDone(running) && isDone(preparing)) {
      begin(journal, start);
    }
    if (copying != null) {
      copyNext(copying, journal.bytes(), start);
    }
  }

  private static boolean isDone(@Nullable Future<?> task) {
    return task == null || task.isDone();
  }

  private boolean isDue(Journal current, long now) {
    long age = now - lastStart;
    if (failed) {
      return age >= RETRY_NANOS || current.bytes() >= lastStartBytes + everyBytes / RETRY_FRACTION;
    }
    return soon || current.bytes() >= everyBytes || age >= MAX_AGE_NANOS;
  }

  /** Prepares the journal's next generation. If this fails, it is created when it is needed. */
  private Future<?> prepare(Journal current) {
    return submit(
        () -> {
          try {
            current.prepareNext();
          } catch (IOException | RuntimeException e) {
            LOG.warn("the next journal could not be made ready: {}", e.toString());
          }
        });
  }

  private void begin(Journal current, long now) {
    lastStart = now;
    soon = false;
    StateCopy copy = new StateCopy();
    try {
      lastStartBytes = current.bytes();
      current.nextGeneration();
      lastStartBytes = current.bytes();
      preparing = null;
      copying =
          OnFailure.close(
              copy::close,
              () -> {
                state.copyTo(copy);
                ScratchBytes room = scratch == null ? null : new ScratchBytes(scratch);
                return new CheckpointCopy(current.generation(), copy, room);
              });
    } catch (IOException | OutOfMemoryError e) {
      failed = true;
      report("could not be started", e);
    }
  }

  private void copyNext(CheckpointCopy current, long journalBytes, long start) {
    boolean more;
    try {
      more = current.step(journalBytes);
    } catch (IOException | RuntimeException | Error e) {
      // The scratch file failed, or memory ran out: the state is intact, but the copy may end with
      // part of a piece.
      copying = null;
      current.end();
      failed = true;
      report("was given up", e);
      return;
    }
    if (more) {
      current.waited(threads.nanoTime() - start);
      return;
    }
    copying = null;
    running = submit(() -> save(current));
    current.waited(threads.nanoTime() - start);
    LOG.info(
        "checkpoint of {} bytes: accesses waited at most {} us at once, {} us in all",
        current.paddedBytes(),
        current.longestPauseNanos() / NANOS_PER_MICRO,
        current.pauseNanos() / NANOS_PER_MICRO);
  }

  private Future<?> submit(Runnable work) {
    if (inBackground) {
      try {
        return CompletableFuture.runAsync(work, thread);
      } catch (RejectedExecutionException | OutOfMemoryError e) {
        LOG.warn("no thread for a checkpoint, so an access waits for it: {}", e.toString());
      }
    }
    work.run();
    return CompletableFuture.completedFuture(null);
  }

  private void save(CheckpointCopy copied) {
    try {
      records.saveCheckpoint(copied.generation(), copied::writeTo);
      failed = false;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      failed = true;
      report("failed", e);
    } finally {
      copied.end();
    }
  }

  private static void report(String what, Throwable failure) {
    if (failure instanceof StoreFullException) {
      LOG.error(
          "no room for a checkpoint: nothing is lost and accesses go on while the journal has room,"
              + " but it grows until there is some: {}",
          failure.getMessage());
    } else {
      LOG.warn("a checkpoint {}, the journals before it are kept: {}", what, failure.toString());
    }
  }

  /**
   * Returns the bytes of memory that the copy being made takes; one that is being written counts no
   * more.
   */
  long heldBytes() {
    return copying == null ? 0 : copying.heldBytes();
  }

  /** Makes a checkpoint, waits for it, and begins the journal anew with it. */
  void now() throws IOException {
    if (journal != null) {
      settle();
      journal.restart();
      preparing = null;
      records.saveCheckpoint(journal.generation(), this::writeState);
      failed = false;
    }
  }

  /** Writes the present state, padded. */
  void writeState(DataOutput out) throws IOException {
    try (StateCopy copy = new StateCopy()) {
      state.copyTo(copy);
      copy.writePadded(out);
    }
  }

  /**
   * Copies the rest of a checkpoint that is being copied: there can be one copy of a part at a
   * time.
   */
  void finishCopy() {
    while (copying != null && journal != null) {
      copyNext(copying, journal.bytes(), threads.nanoTime());
    }
  }

  /** Gives up a checkpoint that is being copied. One whose copy is complete is still written. */
  void giveUpCopy() {
    if (copying != null) {
      copying.end();
      copying = null;
    }
  }

  /** Gives up a checkpoint that is being copied, and waits for one that is being written. */
  void settle() {
    giveUpCopy();
    await(preparing);
    await(running);
  }

  private void await(@Nullable Future<?> task) {
    if (task == null) {
      return;
    }
    threads.await(task);
    if (task instanceof CompletableFuture<?> done && done.isCompletedExceptionally()) {
      LOG.warn("a checkpoint failed: {}", done);
    }
  }
}
