package io.github.roram.netserver;

import io.github.roram.storage.file.ReadPace;

/**
 * Decides where the reads of a volume run. If the store has the data in memory, they run on the
 * event loop, which saves waking another thread and having that thread wake the event loop to send
 * the data. If the store waits for a medium, they run on the pool of threads for stores, because
 * they would delay all connections of the loop.
 *
 * <p>The decision follows the times of earlier reads. It is sometimes wrong, and the loop waits for
 * the medium once. After a wait of {@link #LONG_NANOS} or more, reads stay off the loop for a
 * hundred times as long.
 *
 * <p>Thread safety: safe.
 */
final class ReadPlace {

  /** Number of fast reads that outweigh a slow one. */
  static final int FAST_FOR_SLOW = 64;

  /** Longer than a thread usually waits for a processor. */
  static final long LONG_NANOS = 5_000_000;

  /** Long waits take at most one part in this many of the event loop's time. */
  static final int REST = 100;

  /** Requests of more extents take long in any case. */
  static final int MOST_EXTENTS = 512;

  private final ReadPace pace = new ReadPace(FAST_FOR_SLOW, true);
  private long restEndsNanos;

  /** Creates the state before the first read. */
  ReadPlace(long nowNanos) {
    restEndsNanos = nowNanos;
  }

  /** Records a read that ended at {@code nowNanos}. */
  synchronized void add(int bytes, long nanos, long nowNanos) {
    pace.add(bytes, nanos);
    if (nanos >= LONG_NANOS) {
      long end = nowNanos + Math.multiplyExact(REST, nanos);
      restEndsNanos = Math.max(end - restEndsNanos, 0) + restEndsNanos;
    }
  }

  /** Returns whether a request of {@code extents} is answered on the event loop. */
  synchronized boolean isOnLoop(int extents, long nowNanos) {
    return extents <= MOST_EXTENTS && !pace.isSlow() && nowNanos - restEndsNanos >= 0;
  }
}
