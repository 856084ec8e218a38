package io.github.roram.bench.replay;

import io.github.roram.OramConfig;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Adds up what queries took and what the store was asked for since the tally was started. */
final class ReplayTally {

  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Histogram queryNanos = new Histogram(SIGNIFICANT_DIGITS);
  private final CountingStore store;
  private final IoCounts totalBefore;
  private final Map<IoPhase, IoCounts> phasesBefore;
  private long queries;
  private long blocks;
  private long totalNanos;

  ReplayTally(CountingStore store) {
    this.store = store;
    this.totalBefore = store.total();
    this.phasesBefore = phases(store);
  }

  long queries() {
    return queries;
  }

  void add(long queryBlocks, long nanos) {
    queries++;
    blocks += queryBlocks;
    totalNanos += nanos;
    queryNanos.recordValue(nanos);
  }

  ReplayResult result(
      String trace,
      String storeUri,
      OramConfig config,
      boolean verified,
      long mismatches,
      int stashMax) {
    Map<IoPhase, IoCounts> byPhase = phases(store);
    byPhase.replaceAll(
        (phase, counts) -> counts.minus(phasesBefore.getOrDefault(phase, IoCounts.ZERO)));
    return new ReplayResult(
        trace,
        storeUri,
        config,
        queries,
        blocks,
        verified,
        mismatches,
        totalNanos / NANOS_PER_SECOND,
        queryNanos.getValueAtPercentile(50) / NANOS_PER_MILLI,
        queryNanos.getValueAtPercentile(99) / NANOS_PER_MILLI,
        store.total().minus(totalBefore),
        byPhase,
        stashMax);
  }

  private static Map<IoPhase, IoCounts> phases(CountingStore store) {
    Map<IoPhase, IoCounts> phases = new EnumMap<>(IoPhase.class);
    for (IoPhase phase : IoPhase.values()) {
      phases.put(phase, store.of(phase));
    }
    return phases;
  }
}
