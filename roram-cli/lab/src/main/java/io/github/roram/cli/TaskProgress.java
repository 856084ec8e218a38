package io.github.roram.cli;

import io.github.roram.bench.ProgressListener;

/** Shows the tasks of an experiment one after another, and stops it when the process is to end. */
final class TaskProgress implements ProgressListener, AutoCloseable {

  private final RoramCommand roram;
  private final StopSignal stop = StopSignal.install();
  private Progress current = Progress.SILENT;
  private long done;

  TaskProgress(RoramCommand roram) {
    this.roram = roram;
  }

  @Override
  public void begin(String task, String unit, long total) {
    stop.check();
    current = Progress.start(task, unit, total, roram.environment(), roram.quiet());
    done = 0;
    if (!roram.environment().interactive()) {
      roram.note(task);
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

  @Override
  public void close() {
    stop.close();
  }
}
