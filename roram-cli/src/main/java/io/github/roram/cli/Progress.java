package io.github.roram.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import me.tongfei.progressbar.ProgressState;

/** Shows how far one piece of long work has come. Used by one thread. */
abstract class Progress implements AutoCloseable {

  /** The unit of work that is counted in bytes; any other name stands for itself. */
  static final String BYTES = "bytes";

  /** Tells nobody. */
  static final Progress SILENT =
      new Progress() {
        @Override
        void step(long units) {}
      };

  /** Before that part is done, what is left is anybody's guess: the start is slower. */
  private static final double LEAST_PART = 0.03;

  /** Returns the estimated time left, at the speed so far; 0 if unknown. */
  private static double nanosLeft(long elapsedNanos, long done, long total) {
    return done < LEAST_PART * total || done >= total
        ? 0
        : (double) elapsedNanos / done * (total - done);
  }

  /** Adds completed units. */
  abstract void step(long units);

  @Override
  public void close() {}

  /**
   * Starts a display: a bar on a terminal, occasional lines elsewhere, nothing when quiet.
   *
   * @param unit what is counted: {@link #BYTES}, or its name in the plural
   * @param total the expected sum of all steps, which need not be exact; -1 if unknown
   */
  static Progress start(
      String task, String unit, long total, Environment environment, boolean quiet) {
    if (quiet) {
      return SILENT;
    }
    return environment.interactive()
        ? new OnTerminal(task, unit, total, environment.err())
        : new InLines(task, unit, total, environment.err(), System::nanoTime);
  }

  /** The stages of one piece of work, the length of each is known at its first step. */
  static final class Stages implements AutoCloseable {
    private final Environment environment;
    private final boolean quiet;
    private Progress current = SILENT;
    private String stage = "";
    private long done;

    Stages(Environment environment, boolean quiet) {
      this.environment = environment;
      this.quiet = quiet;
    }

    /** Sets the progress of a stage; a new stage ends the previous one. */
    void advancedTo(String task, long doneBytes, long totalBytes) {
      if (!task.equals(stage)) {
        current.close();
        current = start(task, BYTES, totalBytes, environment, quiet);
        stage = task;
        done = 0;
      }
      current.step(doneBytes - done);
      done = doneBytes;
    }

    @Override
    public void close() {
      current.close();
    }
  }

  /** A bar that redraws itself in one line of a terminal. */
  private static final class OnTerminal extends Progress {

    private static final int REDRAW_MILLIS = 200;

    private final ProgressBar bar;

    OnTerminal(String task, String unit, long total, PrintStream err) {
      boolean bytes = unit.equals(BYTES);
      bar =
          new ProgressBarBuilder()
              .setTaskName(task)
              .setInitialMax(total)
              .setUnit(bytes ? " MiB" : " " + unit, bytes ? 1 << 20 : 1)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(REDRAW_MILLIS)
              .showSpeed()
              .setEtaFunction(OnTerminal::left)
              .setConsumer(new ConsoleProgressBarConsumer(err))
              .build();
    }

    private static Optional<Duration> left(ProgressState state) {
      double nanos =
          nanosLeft(state.getElapsedAfterStart().toNanos(), state.getCurrent(), state.getMax());
      return nanos > 0 ? Optional.of(Duration.ofNanos((long) nanos)) : Optional.empty();
    }

    @Override
    void step(long units) {
      bar.stepBy(units);
    }

    @Override
    public void close() {
      bar.close();
    }
  }

  /** A line every ten seconds, for logs; none for work that is done before. */
  static final class InLines extends Progress {

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

    InLines(String task, String unit, long total, PrintStream err, LongSupplier nanoClock) {
      this.task = task;
      this.unit = unit;
      this.total = total;
      this.err = err;
      this.nanoClock = nanoClock;
      startNanos = nanoClock.getAsLong();
      lastNanos = startNanos;
    }

    @Override
    void step(long units) {
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
      double nanos = nanosLeft(now - startNanos, done, total);
      if (nanos <= 0) {
        return "";
      }
      long seconds = Math.round(nanos / NANOS_PER_SECOND);
      return seconds < 2 * SECONDS_PER_MINUTE
          ? ", " + seconds + " s left"
          : ", " + seconds / SECONDS_PER_MINUTE + " min left";
    }
  }
}
