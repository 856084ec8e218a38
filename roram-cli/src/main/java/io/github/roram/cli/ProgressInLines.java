package io.github.roram.cli;

import java.io.PrintStream;
import java.util.function.LongSupplier;

/** A line every ten seconds, for logs; none for work that is done before. */
final class ProgressInLines implements Progress {

  static final long INTERVAL_NANOS = 10_000_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int SECONDS_PER_MINUTE = 60;

  private final String task;
  private final String unit;
  private final long total;
  private final PrintStream err;
  private final LongSupplier nanoClock;
  private final long startNanos;
  private long lastNanos;
  private long done;

  ProgressInLines(String task, String unit, long total, PrintStream err, LongSupplier nanoClock) {
    this.task = task;
    this.unit = unit;
    this.total = total;
    this.err = err;
    this.nanoClock = nanoClock;
    startNanos = nanoClock.getAsLong();
    lastNanos = startNanos;
  }

  @Override
  public void step(long units) {
    done += units;
    long now = nanoClock.getAsLong();
    if (now - lastNanos >= INTERVAL_NANOS) {
      lastNanos = now;
      String amount = unit.equals(BYTES) ? ByteSizeConverter.format(done) : done + " " + unit;
      err.println(
          task + ": " + amount + (total > 0 ? " (" + percent() + " %" + left(now) + ")" : ""));
    }
  }

  private long percent() {
    return Math.min(100, (long) (100.0 * done / total));
  }

  private String left(long now) {
    double nanos = Progress.nanosLeft(now - startNanos, done, total);
    if (nanos <= 0) {
      return "";
    }
    long seconds = Math.round(nanos / NANOS_PER_SECOND);
    return seconds < 2 * SECONDS_PER_MINUTE
        ? ", " + seconds + " s left"
        : ", " + seconds / SECONDS_PER_MINUTE + " min left";
  }
}
