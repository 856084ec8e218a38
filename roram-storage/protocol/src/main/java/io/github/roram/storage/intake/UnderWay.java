package io.github.roram.storage.intake;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Requests that a server has taken and not answered, and whether it takes more. Thread safe. */
public final class UnderWay {

  private static final long POLL_NANOS = 2_000_000;

  private final AtomicLong requests = new AtomicLong();
  private volatile boolean draining;

  /** A request is taken. */
  public void began() {
    requests.incrementAndGet();
  }

  /** One is answered. */
  public void ended() {
    requests.decrementAndGet();
  }

  /** Requests that are not answered. */
  public long requests() {
    return requests.get();
  }

  /** Whether further requests are refused. */
  public boolean isDraining() {
    return draining;
  }

  /**
   * Has further requests refused, and waits until those that were taken are answered.
   *
   * @param bound the longest that it waits
   * @return how many are not answered even then
   */
  public long drain(Duration bound) {
    draining = true;
    long deadline = System.nanoTime() + bound.toNanos();
    while (requests() > 0 && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    return requests();
  }
}
