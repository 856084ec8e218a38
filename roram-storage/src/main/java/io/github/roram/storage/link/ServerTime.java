package io.github.roram.storage.link;

import io.github.roram.store.ExtentBatch;

/** How long a server at the other end of a line takes to read what it is asked for. */
@FunctionalInterface
public interface ServerTime {

  /** None: everything is in its memory. */
  ServerTime NONE = batch -> 0;

  /** Nanoseconds, beside those on the line. Requests do not wait for one another. */
  long readNanos(ExtentBatch batch);
}
