package io.github.roram.cli;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

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
