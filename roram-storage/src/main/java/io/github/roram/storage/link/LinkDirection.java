package io.github.roram.storage.link;

/**
 * One direction of a {@link Link}: tells when bytes arrive. Not safe for use by several threads.
 */
public final class LinkDirection {

  private static final double NANOS_PER_SECOND = 1e9;

  private final long delayNanos;
  private final double nanosPerByte;

  /** When the line has taken all that was sent; before the first byte, long ago. */
  private double freeNanos = Double.NEGATIVE_INFINITY;

  LinkDirection(long delayNanos, long bytesPerSecond) {
    this.delayNanos = delayNanos;
    nanosPerByte = NANOS_PER_SECOND / bytesPerSecond;
  }

  /**
   * Sends bytes behind those that were sent before.
   *
   * @param nowNanos the time, which never goes back
   * @return when the last of them arrives
   */
  public long send(long nowNanos, long bytes) {
    freeNanos = Math.max(freeNanos, nowNanos) + bytes * nanosPerByte;
    return (long) Math.ceil(freeNanos) + delayNanos;
  }

  /** How long bytes sent now would wait for those before them; 0 if the line is idle. */
  public long waitNanos(long nowNanos) {
    return (long) Math.max(0, Math.ceil(freeNanos - nowNanos));
  }
}
