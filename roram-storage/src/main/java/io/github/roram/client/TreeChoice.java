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
 * Which trees a new store has where nobody named them: those that the scheme usually has, whose
 * ranges spare seeks, or one of single blocks, which moves the fewest bytes. The cheaper on the
 * store's device is chosen; every size class counts as much as any other.
 *
 * @param config what was chosen
 * @param other what was not; null if there was no choice
 * @param device what the choice is for
 */
public record TreeChoice(OramConfig config, @Nullable OramConfig other, DeviceModel device) {

  private static final String TREES = "trees";

  /**
   * Chooses, unless trees were set.
   *
   * @param settings of the store; trees are set by this
   * @throws ConfigurationException if it can be neither
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

  /** With one tree; null if the scheme or what else was set does not allow it. */
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
   * The same trees, with chunks of no more evictions.
   *
   * @param window whether the window is to be what a chunk pays for
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

  /** What was chosen and why, in a sentence; empty if there was no choice. */
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

  /** Of a block and of a longest range. */
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
