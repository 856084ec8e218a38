package io.github.roram.checkpoint;

import java.io.DataOutput;
import java.io.IOException;

/**
 * A part of the client's state as it was at one moment, written piece by piece while the part
 * continues to change: content that is about to change and was not written yet is set aside first.
 *
 * <p>The length of a part may reveal what the client did. So each part also gives its greatest
 * length, as a function of public values; the state is padded to the sum.
 *
 * <p>Used under the lock that guards changes of the part.
 */
public interface GradualCopy {

  /**
   * Returns the most bytes that the copy can write: a function of the configuration and of the
   * number of accesses of each size class.
   */
  long mostBytes();

  /**
   * Writes the next piece, of some 4 KiB or one block.
   *
   * @return whether there is more
   */
  boolean step(DataOutput out) throws IOException;

  /** Ends the copy, complete or not: changes no longer set anything aside. */
  void end();
}
