package io.github.roram.netserver;

import io.github.roram.intake.Listener.ConnectionObserver;

/**
 * Is told what the server does. Called on the threads that do it: implementations are safe for use
 * by several threads, and return at once.
 */
public interface ServerObserver extends ConnectionObserver {

  /** Looks away. */
  ServerObserver NONE = new ServerObserver() {};

  /** Somebody could not prove who he is, or asked for what he may not have. */
  default void accessDenied() {}

  /** A client wanted a volume whose lease another holds. */
  default void leaseConflict() {}

  /** A client works with a lease that it has lost. */
  default void leaseLost() {}

  /**
   * A volume is there, or as large as that now.
   *
   * @param name of the volume
   * @param capacityBytes size of its address space
   */
  default void volumeOpened(String name, long capacityBytes) {}

  /** A volume was deleted. */
  default void volumeDeleted(String name) {}

  /**
   * The memory that top levels take has changed.
   *
   * @param bytes of all volumes
   */
  default void cacheHolds(long bytes) {}

  /**
   * Part of a read was made.
   *
   * @param cachedBytes what came from the memory for top levels
   * @param storeBytes what came from the volume
   */
  default void partRead(long cachedBytes, long storeBytes) {}

  /**
   * A request was answered.
   *
   * @param type of the request, in lower case
   * @param outcome {@code ok}, or the kind of error, in lower case
   * @param nanos from its first frame received to its answer handed to the network, in nanoseconds
   * @param bytesIn payload that came with it
   * @param bytesOut payload of the answer
   */
  default void requestDone(String type, String outcome, long nanos, long bytesIn, long bytesOut) {}
}
