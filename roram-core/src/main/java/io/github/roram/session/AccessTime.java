package io.github.roram.session;

/**
 * An estimate of the median time of an access that is made alone. Each access moves the estimate by
 * a fixed fraction of it, so an access whose thread lost its processor hardly matters. Before the
 * first access the time is neither short nor long.
 *
 * <p>Thread safety: one thread at a time records times; any may query them.
 */
final class AccessTime {

  /** Accesses up to this long are made by their callers: handing them over takes as long. */
  private static final long SHORT_NANOS = 150_000;

  /** If accesses take longer, no caller waits for their evictions. */
  private static final long LONG_NANOS = 2_000_000;

  private static final int STEP = 16;

  private volatile long nanos = LONG_NANOS;

  /** Records the time of an access that was made alone. */
  void took(long accessNanos) {
    long now = nanos;
    long step = 1 + now / STEP;
    nanos = accessNanos > now ? now + step : now - step;
  }

  /**
   * Records that an access was not made alone because accesses take long. This lowers the estimate
   * a little, so that one is made alone again some time.
   */
  void wasAvoided() {
    long now = nanos;
    nanos = now - now / STEP / STEP;
  }

  boolean isShort() {
    return nanos <= SHORT_NANOS;
  }

  boolean isLong() {
    return nanos > LONG_NANOS;
  }
}
