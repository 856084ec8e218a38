package io.github.roram.storage.remote;

import java.io.IOException;

/** What a store is asked for, as requests that are made one after another. */
interface Rounds {

  /** Whether there is another request, once those before were answered. */
  boolean hasNext();

  /**
   * The next request.
   *
   * @param connection says what the server takes
   * @throws IOException what the user's source threw
   */
  Round next(Connection connection) throws IOException;

  /** The request that was returned last was answered. */
  default void answered() {}

  /** The request that was returned last failed for good. */
  default void failed() {}
}
