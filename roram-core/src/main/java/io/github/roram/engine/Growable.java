package io.github.roram.engine;

import io.github.roram.OramConfig;

/**
 * An engine whose store can grow while it is open. Growing replaces the engine by another one, of
 * the larger configuration, which takes over everything that the old one holds.
 */
public interface Growable {

  /**
   * Returns the bytes of address space that the store takes once it has grown to a configuration;
   * with the present configuration, the bytes that it takes now.
   *
   * @param config the same configuration with at least as many blocks
   * @throws io.github.roram.ConfigurationException if it cannot grow, with the reason
   */
  long grownBytes(OramConfig config);

  /** Returns the present layout of the store, as {@link SchemeProvider} puts it in a superblock. */
  byte[] layout();

  /**
   * Does the slow parts of {@link #grown} in advance, alongside accesses. Changes nothing, and may
   * be omitted.
   */
  void prepareToGrow(OramConfig larger);

  /**
   * Returns the engine that the larger store has from now on. It continues from this engine's
   * state, with the same journal and memory, and this engine must no longer be used. Reads and
   * writes nothing. Called while nothing is pending and no commit is owed.
   */
  Engine grown(OramContext larger);

  /**
   * Returns an engine as it was before the store grew, in its initial state, to replay the journal
   * of that time.
   *
   * @param smaller a context with fewer blocks than this engine's
   */
  Engine before(OramContext smaller);
}
