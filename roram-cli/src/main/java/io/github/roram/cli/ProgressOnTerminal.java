package io.github.roram.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import me.tongfei.progressbar.ProgressState;

/** A bar that redraws itself in one line of a terminal. */
final class ProgressOnTerminal implements Progress {

  private static final int REDRAW_MILLIS = 200;

  private final ProgressBar bar;

  ProgressOnTerminal(String task, String unit, long total, PrintStream err) {
    boolean bytes = unit.equals(BYTES);
    bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setUnit(bytes ? " MiB" : " " + unit, bytes ? 1 << 20 : 1)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(REDRAW_MILLIS)
            .showSpeed()
            .setEtaFunction(ProgressOnTerminal::left)
            .setConsumer(new ConsoleProgressBarConsumer(err))
            .build();
  }

  private static Optional<Duration> left(ProgressState state) {
    double nanos =
        Progress.nanosLeft(
            state.getElapsedAfterStart().toNanos(), state.getCurrent(), state.getMax());
    return nanos > 0 ? Optional.of(Duration.ofNanos((long) nanos)) : Optional.empty();
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
