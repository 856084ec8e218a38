package io.github.roram.netserver;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in flight of all connections. Who finds too many waits to be told that there is room again.
 *
 * <p>Thread safety: safe.
 */
final class MemoryBudget {

  private final long limitBytes;

  /** Each waiter is told once, however often it asks. */
  private final Set<Runnable> waiting = new LinkedHashSet<>();

  private long usedBytes;

  MemoryBudget(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** Takes bytes, whether there is room or not: they are there already. */
  synchronized void take(long bytes) {
    usedBytes += bytes;
  }

  /** Takes bytes if there is room; else calls {@code later} once there is. */
  synchronized boolean tryTake(long bytes, Runnable later) {
    if (usedBytes + bytes > limitBytes && usedBytes > 0) {
      waiting.add(later);
      return false;
    }
    usedBytes += bytes;
    return true;
  }

  /** Whether there is no room; if so, calls {@code later} once there is. */
  synchronized boolean isExceeded(Runnable later) {
    if (usedBytes <= limitBytes) {
      return false;
    }
    waiting.add(later);
    return true;
  }

  /** Whether there is no room. */
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

  /** Lets all who wait try again. */
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
   * Frames of all connections that have arrived in part. They cannot wait for room, since whoever
   * holds one needs its rest to get rid of it. So they may take a share of the memory; beyond, the
   * connection is given up whose frame began first: one that stalls makes room for those that go
   * on.
   *
   * <p>Thread safety: safe.
   */
  static final class UnfinishedFrames {

    /** This part of the memory is theirs. */
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
     * For a new connection.
     *
     * @param giveUp ends the connection; called on any event loop
     */
    Part connected(Runnable giveUp) {
      return new Part(giveUp);
    }

    /** One at least may always be there, however long it is. */
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
     * Whether much is given up and not free yet, since the event loop that does it is busy. Then
     * who finds this out goes, too, which takes no time.
     */
    private synchronized boolean isEndingSlow() {
      return bytesGivenUp > limitBytes;
    }

    /** What one connection has sent of a frame. */
    final class Part {
      private final Runnable giveUp;
      private int heldBytes;
      private boolean givenUp;

      private Part(Runnable giveUp) {
        this.giveUp = giveUp;
      }

      /** Says how much of a frame is there now; 0 when it is whole or the connection has ended. */
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
