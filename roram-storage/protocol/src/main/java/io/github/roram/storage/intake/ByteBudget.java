package io.github.roram.storage.intake;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that all connections may hold. Who finds too few waits in line, and is called when there
 * are enough; nobody overtakes.
 *
 * <p>Thread safety: safe.
 */
public final class ByteBudget {

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
