package io.github.roram.storage.remote;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Repeats what a lost connection broke off, with the pauses of {@link Backoff}. */
final class Retries {

  /** Something that needs a connection. */
  @FunctionalInterface
  interface Attempt<T extends @Nullable Object> {
    T run() throws IOException;
  }

  private final Duration bound;
  private final RemoteAddress address;

  Retries(Duration bound, RemoteAddress address) {
    this.bound = bound;
    this.address = address;
  }

  /**
   * Runs {@code attempt} until it does not lose its connection.
   *
   * @throws StoreUnreachableException if it still does after the bound
   */
  <T extends @Nullable Object> T run(Attempt<T> attempt) throws IOException {
    Backoff backoff = backoff();
    while (true) {
      try {
        return attempt.run();
      } catch (ConnectionLostException e) {
        Waits.sleep(backoff.pauseAfter(e));
      }
    }
  }

  /** The pauses of one attempt. */
  Backoff backoff() {
    return new Backoff(bound, address);
  }
}
