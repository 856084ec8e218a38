package io.github.roram.session;

import io.github.roram.checkpoint.ChunkedBytes;
import io.github.roram.checkpoint.Padding;
import io.github.roram.checkpoint.StateCopy;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A checkpoint while it is copied, a piece with each access.
 *
 * <h2>Security</h2>
 *
 * After which access the copy is complete, and so is saved, follows from the padded length of the
 * state and the lengths of journal records alone: the padding takes as many accesses as if it were
 * copied.
 */
final class CheckpointCopy {

  private static final long MIN_STEP_BYTES = 1 << 18;

  private final long generation;
  private final StateCopy copy;
  private final ChunkedBytes bytes = new ChunkedBytes();
  private final DataOutputStream out = new DataOutputStream(bytes);
  private boolean more = true;

  /** How far the copy has to be by now, padding included. */
  private long dueBytes;

  private long journalBytes;
  private long pauseNanos;
  private long longestPauseNanos;

  /**
   * A copy that was just begun.
   *
   * @param generation the journal that goes on from it
   */
  CheckpointCopy(long generation, StateCopy copy) {
    this.generation = generation;
    this.copy = copy;
  }

  long generation() {
    return generation;
  }

  /** Bytes of the checkpoint. */
  long paddedBytes() {
    return copy.paddedBytes();
  }

  /**
   * Copies some more: half of what the journal has grown by, so that meanwhile it grows by at most
   * twice the state.
   *
   * @return whether there is more
   */
  boolean step(long newJournalBytes) throws IOException {
    dueBytes += Math.max(MIN_STEP_BYTES, (newJournalBytes - journalBytes) / 2);
    journalBytes = newJournalBytes;
    while (more && bytes.size() < dueBytes) {
      more = copy.step(out);
    }
    return more || dueBytes < paddedBytes();
  }

  /** Bytes that were copied. */
  long heldBytes() {
    return bytes.size();
  }

  /** Writes the copy, padded. */
  void writeTo(DataOutput target) throws IOException {
    bytes.writeTo(target);
    Padding.write(target, bytes.size(), paddedBytes());
  }

  /** An access waited for a step. */
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
  }
}
