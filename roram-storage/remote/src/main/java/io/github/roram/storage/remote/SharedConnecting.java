package io.github.roram.storage.remote;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections for requests of one thread: those that were due while an attempt failed fail
 * with it, as threads do that wait for one, instead of each making its own after it.
 */
final class SharedConnecting {

  private final Session session;
  private @Nullable ConnectionLostException failure;
  private long failedNanos;

  SharedConnecting(Session session) {
    this.session = session;
  }

  /** A connection that has the volume open, for a request that waits for it since a moment. */
  Connection connection(long dueNanos) throws IOException {
    ConnectionLostException shared = failure;
    if (shared != null && dueNanos - failedNanos <= 0) {
      throw new ConnectionLostException(shared);
    }
    try {
      Connection connection = session.connection();
      failure = null;
      return connection;
    } catch (ConnectionLostException e) {
      failure = e;
      failedNanos = System.nanoTime();
      throw e;
    }
  }
}
