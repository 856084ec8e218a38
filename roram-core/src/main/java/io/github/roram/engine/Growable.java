package io.github.roram.engine;

import io.github.roram.OramConfig;

/**
 * An engine whose store can be given more blocks while it is open. What it has then is another
 * engine, of the larger configuration, which reads the state of this one: see {@link
 * Engine#readState}.
 */
public interface Growable {

  /**
   * Bytes of address space that the store takes, if it grows now. Nothing is pending.
   *
   * @param config the same configuration, of more blocks
   * @throws io.github.roram.ConfigurationException if it cannot grow, with the reason
   */
  long grownBytes(OramConfig config);

  /** How the store is laid out then: what its superblock gets from {@link SchemeProvider}. */
  byte[] grownLayout(OramConfig config);
}
