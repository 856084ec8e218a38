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
 * @param limits how much is taken on
 * @param budget bytes that all may hold
 * @param underWay requests of all
 */
public record SharedIntake(IntakeLimits limits, ByteBudget budget, RequestsInFlight underWay) {

  /** Of a new server. */
  public SharedIntake(IntakeLimits limits) {
    this(limits, new ByteBudget(limits.totalBytes()), new RequestsInFlight());
  }

  /**
   * Bytes that all connections may hold. Who finds too few waits in line, and is called when there
   * are enough; nobody overtakes.
   *
   * <p>Thread safety: safe.
   */
  public static final class ByteBudget {

    private record Waiter(long bytes, Runnable then) {}

    private final long total;
    private final Queue<Waiter> line = new ArrayDeque<>();
    private long used;

    /** So many bytes. */
    public ByteBudget(long total) {
      this.total = total;
    }

    /** Takes bytes, at most as many as there are at all, or else calls {@code then} with them. */
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

    /** Whether somebody waits. */
    public synchronized boolean isShort() {
      return !line.isEmpty();
    }

    /** Bytes that are held. */
    public synchronized long used() {
      return used;
    }
  }

  /** Requests that a server has taken and not answered, and whether it takes more. Thread safe. */
  public static final class RequestsInFlight {

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
}
