package io.github.roram.netserver;

import io.github.roram.storage.file.ReadPace;

/**
 * Where the reads of a volume are made. A store that has in memory what is asked for is read on the
 * event loop: that saves waking another thread, and that one waking the event loop to send what it
 * read. One that waits for a medium is read on the threads for stores, for it would hold up all
 * connections of the loop.
 *
 * <p>Which it is, the reads before tell. Now and then the guess is wrong and the loop waits for the
 * medium once; after {@link #LONG_NANOS} or more it waits for none for a hundred times as long.
 *
 * <p>Thread safety: safe.
 */
final class ReadPlace {

  /** So many fast reads make good for a slow one. */
  static final int FAST_FOR_SLOW = 64;

  /** Longer than a thread waits for its processor. */
  static final long LONG_NANOS = 5_000_000;

  /** Waits that long take at most one part in so many of the event loop's time. */
  static final int REST = 100;

  /** Requests of more extents take a while in any case. */
  static final int MOST_EXTENTS = 512;

  private final ReadPace pace = new ReadPace(FAST_FOR_SLOW, true);
  private long restEndsNanos;

  /** Before the first read. */
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

  /** Whether a request of so many extents is answered on the event loop. */
  synchronized boolean isOnLoop(int extents, long nowNanos) {
    return extents <= MOST_EXTENTS && !pace.isSlow() && nowNanos - restEndsNanos >= 0;
  }
}
