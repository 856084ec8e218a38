package io.github.roram.bench.experiment;

import io.github.roram.bench.ProgressListener;

/**
 * Tells only that work goes on.
 *
 * @param alive is called often
 */
public record Alive(Runnable alive) implements ProgressListener {

  @Override
  public void begin(String task, String unit, long total) {}

  @Override
  public void advanceTo(long done) {
    alive.run();
  }

  @Override
  public void end() {}
}
