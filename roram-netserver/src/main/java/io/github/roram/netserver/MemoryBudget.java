package io.github.roram.netserver;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Bytes in flight of all connections. Who finds too many waits to be told that there is room again.
 *
 * <p>Thread safety: safe.
 */
final class MemoryBudget {

  private final long limitBytes;

  /** Who asks again while it waits is told once. */
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
}
