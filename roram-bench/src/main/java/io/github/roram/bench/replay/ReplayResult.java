package io.github.roram.bench.replay;

import io.github.roram.OramConfig;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What the replay of one trace on one ORAM cost. Everything but {@code mismatches} leaves the
 * warm-up out.
 *
 * @param trace name of the trace
 * @param store URI of the store
 * @param config parameters of the ORAM
 * @param queries requests of the trace that were replayed
 * @param blocksRequested blocks that they cover
 * @param verified whether the answers were checked
 * @param mismatches blocks answered with wrong contents, in the warm-up too; 0 if not verified
 * @param seconds measured time inside of the ORAM, without reading the trace and checking answers
 * @param medianMillis measured median time of a query
 * @param p99Millis measured 99th percentile of the time of a query
 * @param io what the store was asked for
 * @param ioByPhase the same by phase; the phases add up to {@code io}
 * @param stashMax most blocks in the stash of a tree since the ORAM was opened
 */
public record ReplayResult(
    String trace,
    String store,
    OramConfig config,
    long queries,
    long blocksRequested,
    boolean verified,
    long mismatches,
    double seconds,
    double medianMillis,
    double p99Millis,
    IoCounts io,
    Map<IoPhase, IoCounts> ioByPhase,
    int stashMax) {

  /** Copies the map. */
  public ReplayResult {
    Map<IoPhase, IoCounts> copy = new EnumMap<>(IoPhase.class);
    copy.putAll(ioByPhase);
    ioByPhase = Collections.unmodifiableMap(copy);
  }

  /** Measured queries in a second; 0 if there was no query. */
  public double queriesPerSecond() {
    return queries == 0 ? 0 : queries / seconds;
  }

  /** Measured seconds of a query, on average; 0 if there was none. */
  public double secondsPerQuery() {
    return perQuery(seconds);
  }

  /** Modelled seconds of all queries on a device. */
  public double modelledSeconds(DeviceModel device) {
    return device.seconds(io);
  }

  /** Modelled seconds of a query on a device, on average; 0 if there was none. */
  public double modelledSecondsPerQuery(DeviceModel device) {
    return perQuery(device.seconds(io));
  }

  /** A count divided by the number of queries; 0 if there was none. */
  public double perQuery(long count) {
    return perQuery((double) count);
  }

  private double perQuery(double amount) {
    return queries == 0 ? 0 : amount / queries;
  }
}
