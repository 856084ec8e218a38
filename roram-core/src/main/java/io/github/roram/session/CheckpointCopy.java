package io.github.roram.session;

import io.github.roram.checkpoint.ChunkedBytes;
import io.github.roram.checkpoint.Padding;
import io.github.roram.checkpoint.ScratchBytes;
import io.github.roram.checkpoint.StateCopy;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A checkpoint while it is copied, one piece with each access.
 *
 * <h2>Security</h2>
 *
 * After which access the copy is complete, and so is saved, follows from the padded length of the
 * state and the lengths of journal records alone: the padding takes as many accesses as if it were
 * copied.
 */
final class CheckpointCopy {

  private static final Logger LOG = LoggerFactory.getLogger(CheckpointCopy.class);
  private static final long MIN_STEP_BYTES = 1 << 18;

  private final long generation;
  private final StateCopy copy;
  private final ChunkedBytes bytes = new ChunkedBytes();

  /** Holds the copied bytes where they are too many for memory. */
  private final @Nullable ScratchBytes scratch;

  private final DataOutputStream out;
  private boolean more = true;

  /** Number of bytes that must have been copied by now, padding included. */
  private long dueBytes;

  private long journalBytes;
  private long pauseNanos;
  private long longestPauseNanos;

  /**
   * Creates a copy that has just begun.
   *
   * @param generation the journal's generation that follows the copied state
   */
  CheckpointCopy(long generation, StateCopy copy) {
    this(generation, copy, null);
  }

  /**
   * Creates a copy that has just begun.
   *
   * @param scratch receives the copied bytes; null for memory
   */
  CheckpointCopy(long generation, StateCopy copy, @Nullable ScratchBytes scratch) {
    this.generation = generation;
    this.copy = copy;
    this.scratch = scratch;
    out = new DataOutputStream(scratch == null ? bytes : scratch);
  }

  private long copiedBytes() {
    return scratch == null ? bytes.size() : scratch.size();
  }

  long generation() {
    return generation;
  }

  /** Returns the size of the checkpoint in bytes, padding included. */
  long paddedBytes() {
    return copy.paddedBytes();
  }

  /**
   * Copies another piece: half as much as the journal has grown by, so that the journal grows by at
   * most twice the state before the copy is complete.
   *
   * @return whether more is to be copied
   */
  boolean step(long newJournalBytes) throws IOException {
    dueBytes += Math.max(MIN_STEP_BYTES, (newJournalBytes - journalBytes) / 2);
    journalBytes = newJournalBytes;
    while (more && copiedBytes() < dueBytes) {
      more = copy.step(out);
    }
    return more || dueBytes < paddedBytes();
  }

  /** Returns the bytes of memory that the copy takes. */
  long heldBytes() {
    return bytes.size();
  }

  /** Writes the copy and its padding. */
  void writeTo(DataOutput target) throws IOException {
    long copied = copiedBytes();
    if (scratch == null) {
      bytes.writeTo(target);
    } else {
      scratch.writeTo(target);
    }
    Padding.write(target, copied, paddedBytes());
  }

  /** Records how long an access waited for a step. */
  void waited(long nanos) {
    pauseNanos += nanos;
    longestPauseNanos = Math.max(longestPauseNanos, nanos);
  }

  long pauseNanos() {
    return pauseNanos;
  }

  long longestPauseNanos() {
    return longestPauseNanos;
  }

  void end() {
    copy.close();
    bytes.wipe();
    if (scratch != null) {
      wipe(scratch);
    }
  }

  private static void wipe(ScratchBytes scratch) {
    try {
      scratch.wipe();
    } catch (IOException e) {
      LOG.warn("a scratch file could not be closed: {}", e.toString());
    }
  }
}
