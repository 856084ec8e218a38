package io.github.roram.tree;

import io.github.roram.cipher.EpochSource;
import java.io.IOException;

/**
 * The key epochs that the writes of all trees of an ORAM seal in. After a failed write the next one
 * is sealed in a new epoch: the same evictions are then written with other contents, and their
 * nonces must not meet the old key again.
 *
 * <p>A write asks for its epoch before anything is sealed, and keeps to it; so it is of one epoch
 * whatever else fails meanwhile. Not thread safe.
 */
public final class SealingEpochs {

  private final EpochSource source;
  private boolean newOneIsDue;

  /** What seals a write, in an epoch. */
  @FunctionalInterface
  public interface Write {
    /** Seals in this epoch and writes. */
    void run(int epoch) throws IOException;
  }

  SealingEpochs(EpochSource source) {
    this.source = source;
  }

  /** The epoch to seal in from now on, which is durably recorded. */
  public int hold() throws IOException {
    if (newOneIsDue) {
      source.advance();
      newOneIsDue = false;
    }
    return source.epoch();
  }

  /** The epoch that was begun last. */
  int newest() {
    return source.epoch();
  }

  /** Has what is held next be a new epoch: evictions that were done are going to be done anew. */
  public void requireNew() {
    newOneIsDue = true;
  }

  /** Writes in an epoch that is held; if that fails, the next one is a new one. */
  public void write(int heldEpoch, Write write) throws IOException {
    boolean written = false;
    try {
      write.run(heldEpoch);
      written = true;
    } finally {
      if (!written) {
        requireNew();
      }
    }
  }
}
