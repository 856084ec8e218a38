package io.github.roram.storage.remote;

import io.github.roram.ConfigurationException;

/**
 * Memory that a client of a block server may take.
 *
 * @param unsyncedBytes most bytes of writes that are kept to be repeated should the server lose
 *     them before they are durable; beyond, the store syncs by itself
 * @param windowBytes most bytes of answers that wait for callers before the connection stops
 *     reading
 */
public record RemoteMemory(long unsyncedBytes, int windowBytes) {

  private static final RemoteMemory DEFAULTS = new RemoteMemory(256L << 20, 8 << 20);

  /**
   * Checks that the sizes are positive.
   *
   * @throws ConfigurationException if one is not
   */
  public RemoteMemory {
    if (unsyncedBytes <= 0 || windowBytes <= 0) {
      throw new ConfigurationException(
          "unsyncedBytes is "
              + unsyncedBytes
              + " and windowBytes "
              + windowBytes
              + ", both must be positive");
    }
  }

  /** Up to 256 MiB of writes and 8 MiB of answers. */
  public static RemoteMemory defaults() {
    return DEFAULTS;
  }
}
