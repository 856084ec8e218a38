package io.github.roram.netserver;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Limits the bytes in flight of all connections. A connection that finds no room is called when
 * there may be some.
 *
 * <p>Thread safety: safe.
 */
final class MemoryBudget {

  private final long limitBytes;

  /** Each waiter is called once, however often it asks. */
  private final Set<Runnable> waiting = new LinkedHashSet<>();

  private long usedBytes;

  MemoryBudget(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** Takes bytes even if there is no room, because they have already arrived. */
  synchronized void take(long bytes) {
    usedBytes += bytes;
  }

  /** Takes bytes if there is room; otherwise calls {@code later} when there may be. */
  synchronized boolean tryTake(long bytes, Runnable later) {
    if (usedBytes + bytes > limitBytes && usedBytes > 0) {
      waiting.add(later);
      return false;
    }
    usedBytes += bytes;
    return true;
  }

  /** Returns whether there is no room; if so, calls {@code later} when there may be. */
  synchronized boolean isExceeded(Runnable later) {
    if (usedBytes <= limitBytes) {
      return false;
    }
    waiting.add(later);
    return true;
  }

  /** Returns whether there is no room. */
  synchronized boolean isFull() {
    return usedBytes > limitBytes;
  }

  synchronized long usedBytes() {
    return usedBytes;
  }

  void give(long bytes) {
    synchronized (this) {
      usedBytes -= bytes;
      if (usedBytes > limitBytes / 2) {
        return;
      }
    }
    tellAll();
  }

  /** Calls all waiters, which try again. */
  void tellAll() {
    List<Runnable> told;
    synchronized (this) {
      if (waiting.isEmpty()) {
        return;
      }
      told = new ArrayList<>(waiting);
      waiting.clear();
    }
    told.forEach(Runnable::run);
  }

  /**
   * The incomplete frames of all connections. They cannot wait for room, because a connection can
   * only free the memory of such a frame once it has the rest. So they may take a share of the
   * memory. Beyond it, the server closes the connection whose frame began first: a stalled
   * connection makes room for those that make progress.
   *
   * <p>Thread safety: safe.
   */
  static final class UnfinishedFrames {

    /** Incomplete frames may take one part in this many of the memory. */
    private static final int SHARE = 4;

    private final MemoryBudget budget;
    private final long limitBytes;
    private final Set<Part> oldestFirst = new LinkedHashSet<>();
    private long bytes;
    private long bytesGivenUp;

    UnfinishedFrames(MemoryBudget budget, long memoryBytes) {
      this.budget = budget;
      limitBytes = memoryBytes / SHARE;
    }

    /**
     * Adds a new connection.
     *
     * @param giveUp closes the connection; called on any event loop
     */
    Part connected(Runnable giveUp) {
      return new Part(giveUp);
    }

    /**
     * Removes and returns the oldest part if there is too much. One part always remains, however
     * long.
     */
    private synchronized @Nullable Part takeOneTooMany() {
      if (bytes <= limitBytes || oldestFirst.size() < 2) {
        return null;
      }
      Part oldest = oldestFirst.iterator().next();
      oldestFirst.remove(oldest);
      oldest.givenUp = true;
      bytes -= oldest.heldBytes;
      bytesGivenUp += oldest.heldBytes;
      return oldest;
    }

    /**
     * Returns whether much of the memory belongs to connections that are being closed by a busy
     * event loop. Then the caller's connection is closed as well, which takes no time.
     */
    private synchronized boolean isEndingSlow() {
      return bytesGivenUp > limitBytes;
    }

    /** The part of a frame that one connection has sent. */
    final class Part {
      private final Runnable giveUp;
      private int heldBytes;
      private boolean givenUp;

      private Part(Runnable giveUp) {
        this.giveUp = giveUp;
      }

      /**
       * Sets how many bytes of the frame have arrived; 0 when it is complete or the connection has
       * ended.
       */
      void set(int nowBytes) {
        int more;
        synchronized (UnfinishedFrames.this) {
          more = nowBytes - heldBytes;
          heldBytes = nowBytes;
          if (givenUp) {
            bytesGivenUp += more;
          } else {
            bytes += more;
            if (nowBytes == 0) {
              oldestFirst.remove(this);
            } else {
              oldestFirst.add(this);
            }
          }
        }
        if (more > 0) {
          budget.take(more);
          giveUpThoseBeyondTheLimit();
        } else if (more < 0) {
          budget.give(-more);
        }
      }

      private void giveUpThoseBeyondTheLimit() {
        for (Part oldest = takeOneTooMany(); oldest != null; oldest = takeOneTooMany()) {
          oldest.giveUp.run();
        }
        if (isEndingSlow()) {
          giveUp.run();
        }
      }
    }
  }
}
