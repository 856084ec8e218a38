package io.github.roram.session;

/**
 * About how long an access takes that is made alone: the median, which follows each by a part of
 * itself, so that one whose thread lost its processor says nothing. Before the first it is neither
 * short nor long.
 *
 * <p>Threads: one at a time notes, any may ask.
 */
final class AccessTime {

  /** An access that takes no longer is made by whoever calls: handing it over takes as long. */
  private static final long SHORT_NANOS = 150_000;

  /** If an access takes longer, nobody waits for its evictions. */
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
   * Records that an access was not made alone because that takes long, so that it is tried again
   * some time.
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
