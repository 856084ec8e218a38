package io.github.roram.engine;

import io.github.roram.journal.Journal;
import io.github.roram.state.ClientRecords;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  private final ClientRecords records;
  private final long everyBytes;
  private final ClientRecords.StateWriter state;
  private @Nullable Journal journal;
  private @Nullable ExecutorService executor;
  private @Nullable Future<?> running;
  private long longestPauseNanos;

  Checkpoints(ClientRecords records, long everyBytes, ClientRecords.StateWriter state) {
    this.records = records;
    this.everyBytes = everyBytes;
    this.state = state;
  }

  /** Checkpoints this journal from now on. */
  void start(@Nullable Journal newJournal) {
    journal = newJournal;
  }

  /** The longest time that accesses had to wait for a checkpoint. */
  long longestPauseNanos() {
    return longestPauseNanos;
  }

  /** Starts a checkpoint if one is due. */
  void afterAccess() {
    if (journal == null || journal.bytes() < everyBytes) {
      return;
    }
    if (running != null && !running.isDone()) {
      return;
    }
    long start = System.nanoTime();
    try {
      journal.nextGeneration();
      long generation = journal.generation();
      ByteArrayOutputStream copy = copy();
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
    longestPauseNanos = Math.max(longestPauseNanos, System.nanoTime() - start);
  }

  private ByteArrayOutputStream copy() throws IOException {
    ByteArrayOutputStream copy = new ByteArrayOutputStream(1 << 20);
    state.writeTo(new DataOutputStream(copy));
    return copy;
  }

  private void save(long generation, ByteArrayOutputStream copy) {
    try {
      records.saveCheckpoint(generation, out -> out.write(copy.toByteArray()));
    } catch (IOException | RuntimeException e) {
      LOG.warn("a checkpoint failed, the journals before it are kept: {}", e.toString());
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
