package io.github.roram.cli;

import java.io.PrintStream;
import java.time.InstantSource;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows how far long work has come. Used by one thread. */
interface Progress extends AutoCloseable {

  /** Tells nobody. */
  Progress SILENT = units -> {};

  /** That much more is done. */
  void step(long units);

  @Override
  default void close() {}

  /**
   * A bar on a terminal, now and then a line elsewhere, nothing when quiet.
   *
   * @param totalBytes the expected sum of all steps; need not be exact
   */
  static Progress ofBytes(String task, long totalBytes, Environment environment, boolean quiet) {
    if (quiet) {
      return SILENT;
    }
    return environment.interactive()
        ? new Bar(task, totalBytes, environment.err())
        : new Lines(task, totalBytes, environment.err(), InstantSource.system());
  }

  /** A bar that redraws itself. */
  final class Bar implements Progress {
    private final ProgressBar bar;

    Bar(String task, long totalBytes, PrintStream err) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(task)
              .setInitialMax(totalBytes)
              .setUnit("MiB", 1 << 20)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(200)
              .showSpeed()
              .setConsumer(new ConsoleProgressBarConsumer(err))
              .build();
    }

    @Override
    public void step(long units) {
      bar.stepBy(units);
    }

    @Override
    public void close() {
      bar.close();
    }
  }

  /** A line every ten seconds, none for work that is done before. */
  final class Lines implements Progress {
    private static final long INTERVAL_MILLIS = 10_000;

    private final String task;
    private final long totalBytes;
    private final PrintStream err;
    private final InstantSource clock;
    private long nextMillis;
    private long doneBytes;

    Lines(String task, long totalBytes, PrintStream err, InstantSource clock) {
      this.task = task;
      this.totalBytes = totalBytes;
      this.err = err;
      this.clock = clock;
      nextMillis = clock.millis() + INTERVAL_MILLIS;
    }

    @Override
    public void step(long units) {
      doneBytes += units;
      if (clock.millis() >= nextMillis) {
        nextMillis = clock.millis() + INTERVAL_MILLIS;
        long percent = totalBytes == 0 ? 100 : Math.min(100, 100 * doneBytes / totalBytes);
        err.println(
            task + ": " + percent + " %, " + ByteSizeConverter.format(doneBytes) + " done");
      }
    }
  }
}
