package io.github.roram.cli;

import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.Scheme;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The parameters of an ORAM that have good defaults. */
final class TuningOptions {

  @Option(
      names = "--block-size",
      paramLabel = "BYTES",
      defaultValue = "4096",
      description = "Bytes in a block: a multiple of 512, up to 64K (default: ${DEFAULT-VALUE}).")
  long blockBytes;

  @Option(
      names = "--max-range",
      paramLabel = "BLOCKS",
      description = "L, the longest range of one access (default: 256, or all blocks if fewer).")
  @Nullable Long maxRangeBlocks;

  @Option(
      names = "--preset",
      paramLabel = "NAME",
      defaultValue = "compact",
      description = "compact, proven or paper (default: ${DEFAULT-VALUE}).")
  String preset;

  @Option(
      names = "--classes",
      paramLabel = "I",
      split = ",",
      description =
          "Range sizes 2^I that the store can tell apart, as in 0,4,8; from 0 to that of L (default:"
              + " all). Fewer hide more, and read more than was asked for.")
  int @Nullable [] sizeClasses;

  @Option(
      names = "--trees",
      paramLabel = "I",
      split = ",",
      description =
          "Range sizes 2^I that have a tree, from 0 on (default: 0,5; with --classes, with preset paper"
              + " or up to ranges of 16 blocks the classes; scheme roram only). Fewer trees take less space and fewer bytes an access; ranges of a class"
              + " without a tree are read in shorter ones, which takes more seeks.")
  int @Nullable [] trees;

  @Option(
      names = "--treetop",
      paramLabel = "BYTES",
      description = "Client memory for the top levels of all trees (default: 64M; paper: 0).")
  @Nullable Long treetopBytes;

  @Option(
      names = "--window",
      paramLabel = "BLOCKS",
      description = "W, blocks that may wait in memory for their eviction (default: A times K).")
  @Nullable Long windowBlocks;

  @Option(
      names = "--chunk",
      paramLabel = "PATHS",
      description = "K, most paths that are evicted together.")
  @Nullable Long chunkPaths;

  @Option(
      names = "--stash-limit",
      paramLabel = "BLOCKS",
      description = "Most blocks in a tree's stash (default: 4 times L, at least 1024).")
  @Nullable Long stashLimitBlocks;

  @Option(
      names = "--write-share",
      paramLabel = "RHO",
      defaultValue = "1",
      description =
          "Public share of writes, above 0 to 1 (default: ${DEFAULT-VALUE}; scheme roram only). A"
              + " smaller one costs fewer bytes; writing more than that share for long is seen by"
              + " the store.")
  double writeShare;

  @Option(
      names = "--recursive-map",
      description = "Keep the position map in smaller ORAMs on the store (scheme path only).")
  boolean recursivePositionMap;

  /** The configuration of a scheme; what the scheme does not have is refused. */
  OramConfig config(Scheme scheme, long blocks) {
    OramConfig.Builder builder = builder(scheme, blocks).recursivePositionMap(recursivePositionMap);
    addRanges(builder);
    return builder.build();
  }

  /** The configuration of one of several schemes: it takes the options that it has. */
  OramConfig configAmongOthers(Scheme scheme, long blocks) {
    OramConfig.Builder builder = builder(scheme, blocks);
    builder.recursivePositionMap(recursivePositionMap && scheme == Scheme.PATH);
    if (scheme == Scheme.RORAM) {
      addRanges(builder);
    }
    return builder.build();
  }

  /** What only scheme roram has. */
  private void addRanges(OramConfig.Builder builder) {
    builder.writeShare(writeShare);
    if (sizeClasses != null) {
      builder.sizeClasses(sizeClasses);
    }
    if (trees != null) {
      builder.trees(trees);
    }
  }

  private OramConfig.Builder builder(Scheme scheme, long blocks) {
    OramConfig.Builder builder =
        OramConfig.builder(blocks)
            .scheme(scheme)
            .preset(Preset.of(preset))
            .blockBytes(toInt("--block-size", blockBytes));
    if (maxRangeBlocks != null) {
      builder.maxRangeBlocks(toInt("--max-range", maxRangeBlocks));
    }
    if (treetopBytes != null) {
      builder.treetopBytes(treetopBytes);
    }
    if (windowBlocks != null) {
      builder.windowBlocks(toInt("--window", windowBlocks));
    }
    if (chunkPaths != null) {
      builder.chunkPaths(toInt("--chunk", chunkPaths));
    }
    if (stashLimitBlocks != null) {
      builder.stashLimitBlocks(toInt("--stash-limit", stashLimitBlocks));
    }
    return builder;
  }

  private static int toInt(String option, long value) {
    if (value > Integer.MAX_VALUE) {
      throw new UsageException(option + " is " + value + ", must be below 2^31");
    }
    return (int) value;
  }
}
