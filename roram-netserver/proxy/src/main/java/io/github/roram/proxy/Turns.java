package io.github.roram.proxy;

import io.github.roram.threads.OwnedThreads;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Whose request is passed on next: clients take turns, each with one request at a time, so that one
 * with many does not hold up others. Requests of a client stay in order. A thread passes them on,
 * since the ORAM may have it wait for room.
 *
 * <p>Thread safety: safe.
 */
final class Turns {

  /** Clients that have requests, who is next first. */
  private final Deque<Line> next = new ArrayDeque<>();

  private final Thread thread;
  private int waiting;
  private boolean closed;

  /** The requests of one client. */
  final class Line {
    private final Queue<Runnable> requests = new ArrayDeque<>();

    /** Adds a request at the end; it must not throw. */
    void add(Runnable request) {
      synchronized (Turns.this) {
        if (requests.isEmpty()) {
          next.add(this);
        }
        requests.add(request);
        waiting++;
        Turns.this.notifyAll();
      }
    }
  }

  Turns() {
    thread = new Thread(this::passOn, "roram-proxy-turns");
    thread.setDaemon(true);
    thread.start();
  }

  /** The line of a new client. */
  Line newLine() {
    return new Line();
  }

  /** Requests that wait for their turn. */
  synchronized int waiting() {
    return waiting;
  }

  private void passOn() {
    for (Runnable request = take(); request != null; request = take()) {
      request.run();
    }
  }

  /** The next request, once there is one; null once this is closed. */
  private synchronized @Nullable Runnable take() {
    while (next.isEmpty()) {
      if (closed) {
        return null;
      }
      try {
        wait();
      } catch (InterruptedException e) {
        // Nobody has this thread to interrupt it.
      }
    }
    Line line = next.remove();
    Runnable request = line.requests.remove();
    if (!line.requests.isEmpty()) {
      next.add(line);
    }
    waiting--;
    return request;
  }

  /** Ends the thread, once it has passed on what waits, and waits for it. */
  void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    OwnedThreads.join(thread);
  }
}
