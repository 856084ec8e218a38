package io.github.roram.engine;

import io.github.roram.OramConfig;

/**
 * An engine whose store can be given more blocks while it is open. What it has then is another
 * engine, of the larger configuration, which takes all that this one holds.
 */
public interface Growable {

  /**
   * Bytes of address space that the store takes, if it grows to a configuration; with its own, that
   * it takes now.
   *
   * @param config the same configuration, of as many blocks or more
   * @throws io.github.roram.ConfigurationException if it cannot grow, with the reason
   */
  long grownBytes(OramConfig config);

  /** How the store is laid out now: what its superblock gets from {@link SchemeProvider}. */
  byte[] layout();

  /**
   * Does ahead what takes long of {@link #grown}, alongside accesses. Nothing changes by it, and it
   * may be left out.
   */
  void prepareToGrow(OramConfig larger);

  /**
   * The engine of the store from now on, which has more blocks. It goes on where this one stands,
   * with the same journal and the same memory; there is no use for this one any more. Reads and
   * writes nothing. Nothing is pending, and no commit is owed.
   */
  Engine grown(OramContext larger);

  /**
   * An engine as there was before the store grew, with nothing done: so that what the journal
   * records of that time can be done again.
   *
   * @param smaller of fewer blocks than this one
   */
  Engine before(OramContext smaller);
}
