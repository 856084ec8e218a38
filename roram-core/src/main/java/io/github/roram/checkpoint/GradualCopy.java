package io.github.roram.checkpoint;

import java.io.DataOutput;
import java.io.IOException;

/**
 * A part of the client's state as it was at one moment, written piece by piece while the part goes
 * on changing: what is about to change and was not written yet is set aside first.
 *
 * <p>Used under the lock under which the part changes.
 */
public interface GradualCopy {

  /**
   * Writes the next piece, of some 4 KiB or one block.
   *
   * @return whether there is more
   */
  boolean step(DataOutput out) throws IOException;

  /** Ends it, complete or not: changes set nothing aside any more. */
  void end();
}
