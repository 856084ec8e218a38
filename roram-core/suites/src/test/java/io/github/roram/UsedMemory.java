package io.github.roram;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;

/** Memory that this process uses: heap after a collection, and direct memory. */
final class UsedMemory {

  private UsedMemory() {}

  /** Memory that is free takes some rounds to be found: direct memory is freed after the heap. */
  static long atRest() {
    long least = bytes();
    for (int unchanged = 0; unchanged < 3; unchanged++) {
      LockSupport.parkNanos(20_000_000);
      long used = bytes();
      if (used < least - (1 << 14)) {
        unchanged = 0;
      }
      least = Math.min(least, used);
    }
    return least;
  }

  static long bytes() {
    return heapBytes() + directBytes();
  }

  static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
