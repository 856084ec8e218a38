package io.github.roram.parameters;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.SchemeSettings;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/** The parameters common to all schemes of trees, read from settings and checked. */
record TreeShape(
    long blocks,
    int blockBytes,
    Preset preset,
    int maxRangeBlocks,
    int bucketSlots,
    int evictionHalfBlocks,
    int blocksPerLeaf,
    long treetopBytes,
    int treetopPart,
    int chunkPaths,
    int windowBlocks,
    int stashLimitBlocks,
    long ringBytes) {

  /** A further parameter of schemes whose treetop can have a part of a level. */
  static final String TREETOP_PART = "treetopPart";

  static final Set<String> NAMES =
      Set.of(
          "preset",
          "maxRangeBlocks",
          "bucketSlots",
          "evictionRate",
          "blocksPerLeaf",
          "treetopBytes",
          "chunkPaths",
          "windowBlocks",
          "stashLimitBlocks",
          "ringBytes");

  /**
   * The values that a scheme chooses by default.
   *
   * @param treetopBytes memory for treetops
   * @param chunkPaths K, from the number of leaves
   * @param hasWindow whether the window has as many blocks as a chunk takes
   */
  record Defaults(long treetopBytes, IntUnaryOperator chunkPaths, boolean hasWindow) {}

  static Preset preset(SchemeSettings settings) {
    return Preset.of(settings.text("preset", Preset.COMPACT.id()));
  }

  static int maxRangeBlocks(long blocks, SchemeSettings settings) {
    int longest = (int) Math.min(OramConfig.MAX_RANGE_BLOCKS, 1L << Exponents.ceilLog2(blocks));
    return settings.number(
        "maxRangeBlocks",
        Math.min(256, longest),
        1,
        longest,
        "no range is longer than the store; split longer ranges than 2^16");
  }

  static TreeShape of(long blocks, int blockBytes, SchemeSettings settings, Defaults defaults) {
    Preset preset = preset(settings);
    int maxRange = maxRangeBlocks(blocks, settings);
    int slots =
        number(settings, "bucketSlots", "Z", preset.bucketSlots(), 2, 64, "4 and 8 are tested");
    int halves =
        settings.halves(
            "evictionRate",
            "evictionRate (A)",
            2 * preset.evictionRate(),
            2,
            128,
            "3 with Z = 4, 8 with Z = 8 are tried and tested");
    int perLeaf =
        settings.number(
            "blocksPerLeaf",
            preset.blocksPerLeaf(),
            1,
            slots,
            "trees need at least 2N slots: Z >= N/leaves");
    checkRate(halves, slots);
    int chunk =
        number(
            settings,
            "chunkPaths",
            "K",
            defaults.chunkPaths.applyAsInt(leaves(blocks, perLeaf)),
            1,
            1 << 18,
            "256 paths of 16 KB buckets make 4 MB extents");
    return new TreeShape(
        blocks,
        blockBytes,
        preset,
        maxRange,
        slots,
        halves,
        perLeaf,
        settings.number(
            "treetopBytes",
            "treetopBytes",
            defaults.treetopBytes,
            0,
            1L << 40,
            "give bytes of client memory"),
        settings.number(
            TREETOP_PART,
            0,
            0,
            TreeParameters.TREETOP_PARTS - 1,
            "it counts sixteenths of the level below the treetop"),
        chunk,
        number(
            settings,
            "windowBlocks",
            "W",
            defaults.hasWindow ? blocks(halves, chunk) : 0,
            0,
            1 << 24,
            "the blocks wait in client memory"),
        settings.number(
            "stashLimitBlocks",
            Math.max(1024, 4 * maxRange),
            1,
            1 << 24,
            "the blocks are held in client memory"),
        settings.number(
            "ringBytes", "ringBytes", 0, 0, 1L << 30, "0 is as much as the threads have use for"));
  }

  private static int number(
      SchemeSettings settings,
      String name,
      String symbol,
      int whenUnset,
      int min,
      int max,
      String remedy) {
    return (int) settings.number(name, name + " (" + symbol + ")", whenUnset, min, max, remedy);
  }

  /** Returns the blocks inserted for {@code paths} evictions, rounded up. */
  static int blocks(int evictionHalfBlocks, int paths) {
    return (evictionHalfBlocks * paths + 1) / 2;
  }

  private static void checkRate(int halves, int slots) {
    if (halves > 2 * slots) {
      throw new ConfigurationException(
          "evictionRate (A) is "
              + SchemeSettings.ofHalves(halves)
              + ", must not exceed bucketSlots (Z) = "
              + slots
              + ": the stash would grow without bound");
    }
  }

  private static int leaves(long blocks, int blocksPerLeaf) {
    return 1 << Exponents.ceilLog2((blocks + blocksPerLeaf - 1) / blocksPerLeaf);
  }

  int leaves() {
    return leaves(blocks, blocksPerLeaf);
  }

  /** Adds every value. */
  void addTo(Map<String, String> settings) {
    settings.put("preset", preset.id());
    settings.put("maxRangeBlocks", String.valueOf(maxRangeBlocks));
    settings.put("bucketSlots", String.valueOf(bucketSlots));
    settings.put("evictionRate", SchemeSettings.ofHalves(evictionHalfBlocks));
    settings.put("blocksPerLeaf", String.valueOf(blocksPerLeaf));
    settings.put("treetopBytes", String.valueOf(treetopBytes));
    if (treetopPart > 0) {
      settings.put(TREETOP_PART, String.valueOf(treetopPart));
    }
    settings.put("chunkPaths", String.valueOf(chunkPaths));
    settings.put("windowBlocks", String.valueOf(windowBlocks));
    settings.put("stashLimitBlocks", String.valueOf(stashLimitBlocks));
    if (ringBytes > 0) {
      settings.put("ringBytes", String.valueOf(ringBytes));
    }
  }
}
