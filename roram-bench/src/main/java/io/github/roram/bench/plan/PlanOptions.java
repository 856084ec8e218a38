package io.github.roram.bench.plan;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.device.DeviceModel;

/**
 * What a plan is for.
 *
 * @param blocks N, of the store
 * @param blockBytes bytes in a block
 * @param device what accesses are to cost little on
 * @param clientBytes the most memory of the client
 * @param spaceFactor how many times the data the store may take, at most
 * @param mostClasses how many range sizes the store may tell apart, at least 2
 * @param writeShare the public share of writes that may be declared; 1 to declare none
 */
public record PlanOptions(
    long blocks,
    int blockBytes,
    DeviceModel device,
    long clientBytes,
    double spaceFactor,
    int mostClasses,
    double writeShare) {

  /** Checks the bounds; what a configuration may be is its own to say. */
  public PlanOptions {
    if (!(spaceFactor >= 1)) {
      throw new ConfigurationException(
          "spaceFactor is "
              + spaceFactor
              + ", must be at least 1; the compact preset takes 2 a tree");
    }
    if (mostClasses < 2) {
      throw new ConfigurationException(
          "classesAtMost is "
              + mostClasses
              + ", must be at least 2: single blocks and the longest range");
    }
    if (!(writeShare > 0 && writeShare <= 1)) {
      throw new ConfigurationException(
          "writeShare is " + writeShare + ", must be above 0 and at most 1");
    }
  }
}
