package io.github.roram.bench.contender;

import io.github.roram.OramConfig;
import java.util.function.Function;

/**
 * A scheme with parameters, under a name. Every ratio names the contender that it is against. Those
 * that are compared by default stand in {@link Contenders}; an experiment may have its own.
 *
 * @param id name on command lines, in files and in charts
 * @param note what it is, in a sentence
 * @param rgb colour in charts, as 0xRRGGBB
 * @param traits how it accesses its store
 * @param parameters its parameters for a device
 */
public record Contender(
    String id, String note, int rgb, Traits traits, Function<DeviceShape, OramConfig> parameters) {

  /**
   * Its parameters for a device.
   *
   * @throws io.github.roram.ConfigurationException if it cannot be made for that one
   */
  public OramConfig config(DeviceShape device) {
    return parameters.apply(device);
  }

  /** Its parameters for a device of blocks of 4 KB, and the longest range of an access. */
  public OramConfig config(long blocks, int maxRangeBlocks) {
    return config(DeviceShape.of(blocks, maxRangeBlocks));
  }

  /** One with other parameters under another name, which accesses its store in the same way. */
  public Contender variant(
      String newId, String newNote, Function<DeviceShape, OramConfig> newParameters) {
    return new Contender(newId, newNote, rgb, traits, newParameters);
  }

  @Override
  public String toString() {
    return id;
  }
}
