package io.github.roram.intake;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of a server share.
 *
 * <p>Thread safety: safe.
 *
 * @param limits limits on connections and requests
 * @param budget bytes that all connections may hold together
 * @param underWay requests of all connections in flight
 */
public record SharedIntake(IntakeLimits limits, ByteBudget budget, RequestsInFlight underWay) {

  /** Creates the shared state of a new server. */
  public SharedIntake(IntakeLimits limits) {
    this(limits, new ByteBudget(limits.totalBytes()), new RequestsInFlight());
  }

  /**
   * A budget of bytes that all connections may hold. A connection that finds too few waits in line,
   * and is called when its bytes are available; nobody overtakes.
   *
   * <p>Thread safety: safe.
   */
  public static final class ByteBudget {

    private record Waiter(long bytes, Runnable then) {}

    private final long total;
    private final Queue<Waiter> line = new ArrayDeque<>();
    private long used;

    /** Creates a budget of {@code total} bytes. */
    public ByteBudget(long total) {
      this.total = total;
    }

    /**
     * Takes bytes, at most the whole budget. If they are not available, calls {@code then} later,
     * when they have been taken.
     *
     * @return whether the bytes were taken at once
     */
    public boolean take(long bytes, Runnable then) {
      synchronized (this) {
        if (!line.isEmpty() || used + bytes > total) {
          line.add(new Waiter(bytes, then));
          return false;
        }
        used += bytes;
        return true;
      }
    }

    /** Gives bytes back. */
    public void give(long bytes) {
      for (Runnable next = giveOrNext(bytes); next != null; next = giveOrNext(0)) {
        next.run();
      }
    }

    private synchronized @Nullable Runnable giveOrNext(long bytes) {
      used -= bytes;
      Waiter first = line.peek();
      if (first == null || used + first.bytes() > total) {
        return null;
      }
      line.remove();
      used += first.bytes();
      return first.then();
    }

    /** Returns whether somebody waits for bytes. */
    public synchronized boolean isShort() {
      return !line.isEmpty();
    }

    /** Returns the bytes that are held. */
    public synchronized long used() {
      return used;
    }
  }

  /**
   * Counts the requests that a server has taken and not answered, and notes whether it takes more.
   * Thread safe.
   */
  public static final class RequestsInFlight {

    private static final long POLL_NANOS = 2_000_000;

    private final AtomicLong requests = new AtomicLong();
    private volatile boolean draining;

    /** Counts a request that was taken. */
    public void began() {
      requests.incrementAndGet();
    }

    /** Counts a request that was answered. */
    public void ended() {
      requests.decrementAndGet();
    }

    /** Returns the number of unanswered requests. */
    public long requests() {
      return requests.get();
    }

    /** Returns whether further requests are refused. */
    public boolean isDraining() {
      return draining;
    }

    /**
     * Has further requests refused, and waits until those in flight have been answered.
     *
     * @param bound longest time to wait
     * @return the number of requests still unanswered
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
}
