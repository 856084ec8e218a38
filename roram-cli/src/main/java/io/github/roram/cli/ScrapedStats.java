package io.github.roram.cli;

import io.github.roram.AsyncOram;
import io.github.roram.OramStats;
import io.github.roram.OverlapStats;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The values that gauges show of an ORAM. Its engine is asked once for all gauges that are read
 * together, within a tenth of a second. Thread safe.
 */
final class ScrapedStats {

  /** Longer than a scrape reads its gauges, shorter than anyone scrapes again. */
  static final long FRESH_NANOS = 100_000_000;

  private final AsyncOram oram;
  private final LongSupplier clockNanos;
  private long askedAtNanos;
  private @Nullable Snapshot last;

  /** Values from the same moment. */
  record Snapshot(OramStats oram, OverlapStats overlap) {}

  /**
   * Creates the values of an ORAM.
   *
   * @param clockNanos a clock such as {@link System#nanoTime}
   */
  ScrapedStats(AsyncOram oram, LongSupplier clockNanos) {
    this.oram = oram;
    this.clockNanos = clockNanos;
  }

  /** Returns the last snapshot, or a new one if it is old. */
  synchronized Snapshot get() {
    Snapshot snapshot = last;
    if (snapshot == null || clockNanos.getAsLong() - askedAtNanos > FRESH_NANOS) {
      snapshot = new Snapshot(oram.stats(), oram.overlapStats());
      // From when it is there: the engine may take its time.
      askedAtNanos = clockNanos.getAsLong();
      last = snapshot;
    }
    return snapshot;
  }
}
