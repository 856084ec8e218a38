package io.github.roram.engine;

import io.github.roram.journal.Journal;
import io.github.roram.state.ClientRecords;
import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints of the client's state, so that the journal stays short (construction, section 6).
 *
 * <p>The journal starts a new generation and the state is copied in memory, under the ORAM's lock:
 * this is the only pause. Sealing and writing the copy goes on beside the accesses; when it is
 * durable the generations before are deleted. Until then recovery starts from the checkpoint before
 * and replays both generations.
 */
final class Checkpoints {

  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

  /** The journal of a quiet store is not kept for longer than this. */
  private static final long MAX_AGE_NANOS = TimeUnit.MINUTES.toNanos(5);

  private static final long NANOS_PER_MICRO = 1000;

  private final ClientRecords records;
  private final long everyBytes;
  private final ClientRecords.StateWriter state;
  private @Nullable Journal journal;
  private @Nullable ExecutorService executor;
  private @Nullable Future<?> running;
  private long lastStart = System.nanoTime();
  private int lastBytes = 1 << 16;

  Checkpoints(ClientRecords records, long everyBytes, ClientRecords.StateWriter state) {
    this.records = records;
    this.everyBytes = everyBytes;
    this.state = state;
  }

  /** Checkpoints this journal from now on. */
  void start(@Nullable Journal newJournal) {
    journal = newJournal;
  }

  /** Starts a checkpoint if one is due. */
  void afterAccess() {
    if (journal == null || (running != null && !running.isDone())) {
      return;
    }
    long start = System.nanoTime();
    if (journal.bytes() < everyBytes && start - lastStart < MAX_AGE_NANOS) {
      return;
    }
    lastStart = start;
    try {
      journal.nextGeneration();
      long generation = journal.generation();
      Copy copy = new Copy(lastBytes);
      state.writeTo(new DataOutputStream(copy));
      lastBytes = copy.size();
      if (executor == null) {
        executor =
            Executors.newSingleThreadExecutor(
                task -> {
                  Thread thread = new Thread(task, "roram-checkpoint");
                  thread.setDaemon(true);
                  return thread;
                });
      }
      running = executor.submit(() -> save(generation, copy));
    } catch (IOException e) {
      LOG.warn("a checkpoint could not be started, the journal goes on: {}", e.toString());
    }
    long pauseNanos = System.nanoTime() - start;
    LOG.info(
        "checkpoint of {} bytes: accesses waited {} us", lastBytes, pauseNanos / NANOS_PER_MICRO);
  }

  private void save(long generation, Copy copy) {
    try {
      records.saveCheckpoint(generation, copy::writeTo);
    } catch (IOException | RuntimeException e) {
      LOG.warn("a checkpoint failed, the journals before it are kept: {}", e.toString());
    } finally {
      copy.wipe();
    }
  }

  /** The state, in memory. */
  private static final class Copy extends ByteArrayOutputStream {

    Copy(int expectedBytes) {
      super(expectedBytes);
    }

    void writeTo(DataOutput out) throws IOException {
      out.write(buf, 0, count);
    }

    void wipe() {
      Arrays.fill(buf, (byte) 0);
    }
  }

  /** Makes a checkpoint and waits for it. */
  void now() throws IOException {
    if (journal != null) {
      awaitRunning();
      journal.nextGeneration();
      records.saveCheckpoint(journal.generation(), state);
    }
  }

  /** Waits for a checkpoint that is being written, and ends its thread. */
  void stop() {
    awaitRunning();
    if (executor != null) {
      executor.shutdown();
      executor = null;
    }
  }

  private void awaitRunning() {
    boolean interrupted = false;
    while (running != null) {
      try {
        running.get();
        running = null;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException e) {
        LOG.warn("a checkpoint failed: {}", e.toString());
        running = null;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
