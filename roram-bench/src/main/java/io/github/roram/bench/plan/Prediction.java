package io.github.roram.bench.plan;

import io.github.roram.AccessCost;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.bench.replay.LoadProfile;
import io.github.roram.storage.device.DeviceModel;
import io.github.roram.storage.device.IoCounts;
import java.util.Map;

/**
 * What a load costs in all on a configuration, from its parameters alone. Syncs are not counted: a
 * replay has none.
 *
 * @param config the configuration
 * @param cost of the whole load
 * @param requests of the load
 */
public record Prediction(OramConfig config, AccessCost cost, long requests) {

  /** The prediction for a load. */
  public static Prediction of(OramConfig config, LoadProfile load) {
    Scheme scheme = Scheme.of(config.scheme());
    AccessCost all = AccessCost.NONE;
    for (Map.Entry<Integer, Long> accesses : load.accesses().entrySet()) {
      AccessCost each = scheme.accessCost(config, accesses.getKey()).orElseThrow();
      all = all.plus(each.times(accesses.getValue()));
    }
    return new Prediction(config, all, load.requests());
  }

  /** What the store is asked for. */
  public IoCounts counts() {
    return counts(cost);
  }

  static IoCounts counts(AccessCost cost) {
    return new IoCounts(
        Math.round(cost.requests()),
        Math.round(cost.extents()),
        Math.round(cost.extents()),
        0,
        Math.round(cost.bytesRead()),
        Math.round(cost.bytesWritten()));
  }

  /** Modelled seconds of the whole load. */
  public double seconds(DeviceModel device) {
    return device.seconds(counts());
  }

  /** Modelled milliseconds of a request of the load. */
  public double millis(DeviceModel device) {
    return seconds(device) * 1e3 / requests;
  }
}
