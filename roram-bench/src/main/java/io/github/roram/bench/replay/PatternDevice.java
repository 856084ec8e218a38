package io.github.roram.bench.replay;

import io.github.roram.OramConfig;
import io.github.roram.OramStats;
import io.github.roram.pattern.PatternOram;
import java.io.IOException;
import java.util.function.LongSupplier;

/** A {@link ReplayDevice} without contents. */
record PatternDevice(PatternOram oram, LongSupplier nanoClock) implements ReplayDevice {

  @Override
  public OramConfig config() {
    return oram.config();
  }

  @Override
  public OramStats stats() {
    return oram.stats();
  }

  @Override
  public long read(long block, int count, boolean verify) throws IOException {
    if (verify) {
      throw new IllegalArgumentException(
          "answers cannot be verified, the ORAM holds no data; replay with payload");
    }
    return access(block, count, false);
  }

  @Override
  public long write(long block, int count) throws IOException {
    return access(block, count, true);
  }

  private long access(long block, int count, boolean write) throws IOException {
    long start = nanoClock.getAsLong();
    oram.access(block, count, write);
    return nanoClock.getAsLong() - start;
  }

  @Override
  public long mismatches() {
    return 0;
  }

  @Override
  public boolean canVerify() {
    return false;
  }
}
