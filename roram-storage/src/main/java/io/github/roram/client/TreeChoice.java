package io.github.roram.client;

import io.github.roram.AccessCost;
import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.Scheme;
import io.github.roram.parameters.RangeOramParameters;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.storage.device.DeviceModel;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The choice of trees for a new store if none were set: either the scheme's usual trees, whose
 * ranges save seeks, or one tree of single blocks, which moves the fewest bytes. The choice is the
 * cheaper one on the store's device, with every size class weighted equally.
 *
 * @param config the chosen configuration
 * @param other the rejected configuration; null if there was no choice
 * @param device the device that the choice is for
 */
public record TreeChoice(OramConfig config, @Nullable OramConfig other, DeviceModel device) {

  private static final String TREES = "trees";

  /**
   * Chooses trees, unless trees were set.
   *
   * @param settings the store's settings, whose trees this may set
   * @throws ConfigurationException if the settings allow neither choice
   */
  public static TreeChoice of(OramConfig.Builder settings, DeviceModel device) {
    boolean open = !settings.has(TREES);
    OramConfig usual;
    try {
      usual = settings.build();
    } catch (ConfigurationException e) {
      OramConfig fitting = open ? single(settings) : null;
      if (fitting == null) {
        throw e;
      }
      return new TreeChoice(fitting, null, device);
    }
    boolean hasTrees = usual.parameters() instanceof RangeOramParameters;
    OramConfig single = open && hasTrees ? single(settings) : null;
    if (single == null || single.equals(usual)) {
      return new TreeChoice(usual, null, device);
    }
    return logOfTimes(single, device) < logOfTimes(usual, device)
        ? new TreeChoice(single, usual, device)
        : new TreeChoice(usual, single, device);
  }

  /** Returns the configuration with one tree; null if the scheme or other settings forbid it. */
  private static @Nullable OramConfig single(OramConfig.Builder settings) {
    try {
      return settings.trees(0).build();
    } catch (ConfigurationException e) {
      return null;
    }
  }

  private static double logOfTimes(OramConfig config, DeviceModel device) {
    return Arrays.stream(((RangeOramParameters) config.parameters()).sizeClasses())
        .mapToDouble(exponent -> Math.log(seconds(config, 1 << exponent, device)))
        .sum();
  }

  private static double seconds(OramConfig config, int blocks, DeviceModel device) {
    return device.seconds(
        Scheme.of(config.scheme()).accessCost(config, blocks).orElse(AccessCost.NONE));
  }

  /**
   * Returns the same trees, with at most {@code paths} evictions in a chunk.
   *
   * @param window whether to set the window to the blocks that such a chunk evicts
   */
  TreeChoice withChunks(int paths, boolean window) {
    OramConfig shorter = withChunks(config, paths, window);
    OramConfig otherShorter = other == null ? null : withChunks(other, paths, window);
    return new TreeChoice(shorter, otherShorter, device);
  }

  private static OramConfig withChunks(OramConfig config, int paths, boolean window) {
    if (!(config.parameters() instanceof TreeParameters trees) || trees.chunkPaths() <= paths) {
      return config;
    }
    OramConfig.Builder shorter = config.toBuilder().chunkPaths(paths);
    return (window ? shorter.windowBlocks(trees.blocksEvictedBy(paths)) : shorter).build();
  }

  /** Returns a sentence that says what was chosen and why; empty if there was no choice. */
  public String reason() {
    return other == null
        ? ""
        : "Trees "
            + trees(config)
            + ", for "
            + device.description()
            + ": modelled, an access takes "
            + times(config)
            + "; with trees "
            + trees(other)
            + " it would take "
            + times(other);
  }

  private static String trees(OramConfig config) {
    return Arrays.stream(((RangeOramParameters) config.parameters()).trees())
        .mapToObj(String::valueOf)
        .collect(Collectors.joining(","));
  }

  /** Returns the times of an access to one block and to a longest range. */
  private String times(OramConfig config) {
    int longest = config.maxRangeBlocks();
    return String.format(
        Locale.ROOT,
        "%.3g ms (1 block) to %.3g ms (%d)",
        1e3 * seconds(config, 1, device),
        1e3 * seconds(config, longest, device),
        longest);
  }
}
