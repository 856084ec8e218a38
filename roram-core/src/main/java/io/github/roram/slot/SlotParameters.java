package io.github.roram.slot;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.SchemeParameters;
import io.github.roram.SchemeSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The parameters of the ring of large buckets.
 *
 * @param shape of the tree
 * @param maxRangeBlocks L, the longest range of one access
 * @param sweeps whether evictions read whole buckets, not slots
 * @param hasMapInFile whether the places of blocks and the bits of slots are in files of the client
 */
record SlotParameters(SlotShape shape, int maxRangeBlocks, boolean sweeps, boolean hasMapInFile)
    implements SchemeParameters {

  static final String SCHEME = "ring";
  static final String RATE = "evictionBlocks";
  static final String FAN_OUT = "fanOut";
  static final String HEIGHT = "height";
  static final String TOP_LEVEL = "treetopLevels";
  static final String READS = "evictionReads";
  static final String MAP = "positionMap";

  /** Value of {@link #READS}: evictions read whole buckets. */
  static final String BUCKETS = "buckets";

  private static final String RANGE = "maxRangeBlocks";

  /** The names of the parameters. */
  static final Set<String> NAMES = Set.of(RATE, FAN_OUT, HEIGHT, TOP_LEVEL, READS, MAP, RANGE);

  /** Memory of the client for a store without further settings. */
  private static final long USUAL_BYTES = 64_000_000;

  private static final int LEAST_RATE = 4;
  private static final int MOST_RATE = 4096;
  private static final int MOST_HEIGHT = 30;

  /** Returns the parameters of a store: see {@link io.github.roram.Scheme#parameters}. */
  static SlotParameters of(long blocks, int blockBytes, SchemeSettings settings) {
    int longest = (int) Math.min(OramConfig.MAX_RANGE_BLOCKS, blocks);
    int range = settings.number(RANGE, Math.min(256, longest), 1, longest, "split longer ranges");
    boolean sweeps =
        isSecond(READS, settings, "slots", BUCKETS, "whole buckets take fewer seeks, and bytes");
    boolean inFile = isSecond(MAP, settings, "local", "file", "places change with each access");
    boolean given =
        settings.has(RATE)
            && settings.has(FAN_OUT)
            && settings.has(HEIGHT)
            && settings.has(TOP_LEVEL);
    SlotShape shape =
        given
            ? given(settings)
            : SlotShape.cheapest(blocks, blockBytes, settings, range, sweeps, inFile, USUAL_BYTES);
    checkNumbers(new SlotGeometry(blocks, blockBytes, shape));
    return new SlotParameters(shape, range, sweeps, inFile);
  }

  /** Returns whether a setting has the second of two values; the first is the default. */
  private static boolean isSecond(
      String name, SchemeSettings settings, String first, String second, String why) {
    String value = settings.text(name, first);
    if (!value.equals(first) && !value.equals(second)) {
      throw new ConfigurationException(
          name + " is '" + value + "', must be " + first + " or " + second + ": " + why);
    }
    return value.equals(second);
  }

  private static SlotShape given(SchemeSettings settings) {
    int rate =
        settings.number(RATE, 0, LEAST_RATE, MOST_RATE, "so many blocks enter for an eviction");
    int fanOut = settings.number(FAN_OUT, 0, 2, 4, "it is 2 or 4");
    int height = settings.number(HEIGHT, 0, 0, MOST_HEIGHT, "there are 2^height leaves");
    int top = settings.number(TOP_LEVEL, 0, 0, height, "the leaves are always stored");
    int step = fanOut / 2;
    if (fanOut == 3 || (height - top) % step != 0) {
      throw new ConfigurationException(
          FAN_OUT
              + " is "
              + fanOut
              + " with height "
              + height
              + " and treetopLevels "
              + top
              + "; it is 2, or 4 where an even number of levels is between them");
    }
    return new SlotShape(rate, step, height, top);
  }

  private static void checkNumbers(SlotGeometry geometry) {
    if (!geometry.hasNumbers()) {
      throw new ConfigurationException(
          "the tree has "
              + geometry.leaves()
              + " leaves and "
              + geometry.pathSlots()
              + " slots on a path; their product must be below 2^32, and a bucket have fewer than"
              + " 65535, and less than 2 GiB: use fewer blocks, or choose another height");
    }
  }

  /** Returns how many blocks an access of {@code blocks} blocks shows: the next power of two. */
  static int shown(int blocks) {
    return blocks == 1 ? 1 : Integer.highestOneBit(blocks - 1) << 1;
  }

  @Override
  public int shownBlocks(int count) {
    return shown(count);
  }

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(RANGE, String.valueOf(maxRangeBlocks));
    settings.putAll(settings(shape));
    settings.put(READS, sweeps ? BUCKETS : "slots");
    settings.put(MAP, hasMapInFile ? "file" : "local");
    return settings;
  }

  /** Returns the settings that select a shape. */
  static Map<String, String> settings(SlotShape shape) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(RATE, String.valueOf(shape.rate()));
    settings.put(FAN_OUT, String.valueOf(shape.fanOut()));
    settings.put(HEIGHT, String.valueOf(shape.height()));
    settings.put(TOP_LEVEL, String.valueOf(shape.topLevel()));
    return settings;
  }

  @Override
  public String toString() {
    return settings().toString();
  }
}
