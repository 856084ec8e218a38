package io.github.roram.cli;

import io.github.roram.bench.ProgressListener;

/** Shows the tasks of an experiment one after another, and stops it when the process is to end. */
final class TaskProgress implements ProgressListener {

  private final Environment environment;
  private final boolean quiet;
  private final StopSignal stop;
  private Progress current = Progress.SILENT;
  private long done;

  TaskProgress(Environment environment, boolean quiet, StopSignal stop) {
    this.environment = environment;
    this.quiet = quiet;
    this.stop = stop;
  }

  @Override
  public void begin(String task, String unit, long total) {
    stop.check();
    current = Progress.start(task, unit, total, environment, quiet);
    done = 0;
    if (!quiet && !environment.interactive()) {
      environment.tell(task);
    }
  }

  @Override
  public void advanceTo(long newDone) {
    stop.check();
    current.step(newDone - done);
    done = newDone;
  }

  @Override
  public void end() {
    current.close();
    current = Progress.SILENT;
  }
}
