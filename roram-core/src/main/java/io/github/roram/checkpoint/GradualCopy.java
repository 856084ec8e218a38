package io.github.roram.checkpoint;

import java.io.DataOutput;
import java.io.IOException;

/**
 * A part of the client's state as it was at one moment, written piece by piece while the part goes
 * on changing: what is about to change and was not written yet is set aside first.
 *
 * <p>How long the part is may tell what the client did. So each also says how long it can be, as a
 * function of what everyone knows; the state is padded to the sum.
 *
 * <p>Used under the lock under which the part changes.
 */
public interface GradualCopy {

  /**
   * The most bytes that it can write: a function of the configuration and of how many accesses of
   * each size class there were.
   */
  long mostBytes();

  /**
   * Writes the next piece, of some 4 KiB or one block.
   *
   * @return whether there is more
   */
  boolean step(DataOutput out) throws IOException;

  /** Ends it, complete or not: changes set nothing aside any more. */
  void end();
}
