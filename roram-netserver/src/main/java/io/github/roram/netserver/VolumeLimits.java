package io.github.roram.netserver;

import io.github.roram.ConfigurationException;

/**
 * How much room clients may ask for. What counts are capacities, not what a sparse volume takes
 * today; an identity is charged for the volumes that it created, until they are deleted. A volume
 * takes a file for each GiB of its capacity that was begun, and five more files and directories: so
 * these limits bound the files of an identity, too.
 *
 * @param volumeBytes largest volume, where its access list has no quota of its own
 * @param identityBytes most bytes of all volumes that an identity created
 * @param identityVolumes most volumes that an identity created
 */
public record VolumeLimits(long volumeBytes, long identityBytes, int identityVolumes) {

  private static final VolumeLimits DEFAULTS = new VolumeLimits(1L << 40, 4L << 40, 1024);

  /**
   * Checks the limits.
   *
   * @throws ConfigurationException naming one that is too small
   */
  public VolumeLimits {
    ServerLimits.require("volumeBytes", volumeBytes, 1);
    ServerLimits.require("identityBytes", identityBytes, 1);
    ServerLimits.require("identityVolumes", identityVolumes, 1);
  }

  /** 1 TiB a volume, 4 TiB and 1024 volumes an identity. */
  public static VolumeLimits defaults() {
    return DEFAULTS;
  }
}
