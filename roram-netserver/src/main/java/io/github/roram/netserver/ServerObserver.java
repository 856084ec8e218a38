package io.github.roram.netserver;

import io.github.roram.intake.Listener.ConnectionObserver;

/**
 * Receives events of a server, on the threads that cause them. Implementations are safe for use by
 * several threads, and return at once.
 */
public interface ServerObserver extends ConnectionObserver {

  /** Ignores all events. */
  ServerObserver NONE = new ServerObserver() {};

  /** A client could not prove its identity, or asked for what it may not have. */
  default void accessDenied() {}

  /** A client asked for a volume that another client has leased. */
  default void leaseConflict() {}

  /** A client used a lease that it has lost. */
  default void leaseLost() {}

  /**
   * A volume exists, or has a new capacity.
   *
   * @param name the volume's name
   * @param capacityBytes size of its address space in bytes
   */
  default void volumeOpened(String name, long capacityBytes) {}

  /** A volume was deleted. */
  default void volumeDeleted(String name) {}

  /**
   * The memory for top levels has changed.
   *
   * @param bytes bytes for all volumes
   */
  default void cacheHolds(long bytes) {}

  /**
   * Part of a read was made.
   *
   * @param cachedBytes bytes from the memory for top levels
   * @param storeBytes bytes from the volume
   */
  default void partRead(long cachedBytes, long storeBytes) {}

  /**
   * A request was answered.
   *
   * @param type the request's type, in lower case
   * @param outcome {@code ok}, or the kind of error, in lower case
   * @param nanos nanoseconds from receiving its first frame to handing its answer to the network
   * @param bytesIn bytes of its payload
   * @param bytesOut bytes of the answer's payload
   */
  default void requestDone(String type, String outcome, long nanos, long bytesIn, long bytesOut) {}
}
