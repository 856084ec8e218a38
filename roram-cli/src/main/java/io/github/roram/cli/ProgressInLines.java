package io.github.roram.cli;

import java.io.PrintStream;
import java.util.function.LongSupplier;

/** A line every ten seconds, for logs; none for work that is done before. */
final class ProgressInLines implements Progress {

  static final long INTERVAL_NANOS = 10_000_000_000L;

  private final String task;
  private final String unit;
  private final long total;
  private final PrintStream err;
  private final LongSupplier nanoClock;
  private long lastNanos;
  private long done;

  ProgressInLines(String task, String unit, long total, PrintStream err, LongSupplier nanoClock) {
    this.task = task;
    this.unit = unit;
    this.total = total;
    this.err = err;
    this.nanoClock = nanoClock;
    lastNanos = nanoClock.getAsLong();
  }

  @Override
  public void step(long units) {
    done += units;
    long now = nanoClock.getAsLong();
    if (now - lastNanos >= INTERVAL_NANOS) {
      lastNanos = now;
      String amount = unit.equals(BYTES) ? ByteSizeConverter.format(done) : done + " " + unit;
      err.println(task + ": " + amount + (total > 0 ? " (" + percent() + " %)" : ""));
    }
  }

  private long percent() {
    return Math.min(100, (long) (100.0 * done / total));
  }
}
