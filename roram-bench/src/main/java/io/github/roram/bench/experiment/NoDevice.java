package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.bench.replay.ReplayDevice;

/** The device of a point that makes what it measures itself. */
final class NoDevice implements ReplayDevice {

  private static IllegalStateException none() {
    return new IllegalStateException("this point has no device; it makes its own");
  }

  @Override
  public OramConfig config() {
    throw none();
  }

  @Override
  public OramStats stats() {
    throw none();
  }

  @Override
  public long read(long block, int count, boolean verify) {
    throw none();
  }

  @Override
  public long write(long block, int count) {
    throw none();
  }

  @Override
  public long mismatches() {
    throw none();
  }

  @Override
  public boolean canVerify() {
    return false;
  }
}
