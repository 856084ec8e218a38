package io.github.roram.auditor.workload;

import io.github.roram.ConfigurationException;
import io.github.roram.OpenOptions;
import io.github.roram.OramConfig;
import io.github.roram.parameters.PathParameters;
import io.github.roram.parameters.TreeParameters;

/**
 * What runs are made on.
 *
 * @param config the ORAM
 * @param options how it is used, the durability above all; threads do not count. The journal's
 *     bound should be small, so that runs have checkpoints
 * @param place where the stores are
 * @param way how requests come to the ORAM
 * @param accesses how many a run has, at least 2
 */
public record RunSettings(
    OramConfig config, OpenOptions options, Place place, Way way, int accesses) {

  /** Accesses of a short run. */
  public static final int SHORT_RUN_ACCESSES = 64;

  /** Blocks of a small store. */
  public static final int SMALL_BLOCKS = 512;

  private static final int BLOCK_BYTES = 512;
  private static final int RANGE_BLOCKS = 16;
  private static final int CHUNK_PATHS = 16;

  /** Checks the number of accesses. */
  public RunSettings {
    if (accesses < 2) {
      throw new ConfigurationException("accesses is " + accesses + ", must be at least 2");
    }
  }

  /**
   * A store so small that a run of {@link #SHORT_RUN_ACCESSES} accesses takes milliseconds and has
   * evictions and checkpoints.
   *
   * @param like its scheme and preset are taken, and whether it reveals the operation type; of
   *     schemes without trees all but the size of blocks and ranges, so it is to have {@link
   *     #SMALL_BLOCKS} blocks
   */
  public static OramConfig smallConfig(OramConfig like) {
    if (!(like.parameters() instanceof TreeParameters)) {
      return like.toBuilder()
          .blockBytes(BLOCK_BYTES)
          .maxRangeBlocks(Math.min(RANGE_BLOCKS, like.maxRangeBlocks()))
          .build();
    }
    OramConfig.Builder builder =
        OramConfig.builder(SMALL_BLOCKS)
            .scheme(like.scheme())
            .preset(TreeParameters.of(like).preset())
            .blockBytes(BLOCK_BYTES)
            .maxRangeBlocks(RANGE_BLOCKS)
            .treetopBytes(0);
    builder.revealOperationType(TreeParameters.of(like).revealsOperationType());
    return like.parameters() instanceof PathParameters
        ? builder.build()
        : builder.chunkPaths(CHUNK_PATHS).windowBlocks(CHUNK_PATHS).build();
  }

  /**
   * Runs of that ORAM as it is used by default, by calls, but for a checkpoint every 64 KiB of
   * journal.
   */
  public static RunSettings of(OramConfig config, Place place, int accesses) {
    OpenOptions options =
        OpenOptions.defaults().withCheckpointBytes(OpenOptions.MIN_CHECKPOINT_BYTES);
    return new RunSettings(config, options, place, Way.direct(), accesses);
  }

  /** These settings with other options of use. */
  public RunSettings withOptions(OpenOptions value) {
    return new RunSettings(config, value, place, way, accesses);
  }

  /** These settings with another way to the ORAM. */
  public RunSettings withWay(Way value) {
    return new RunSettings(config, options, place, value, accesses);
  }

  /** These settings with another number of accesses. */
  public RunSettings withAccesses(int value) {
    return new RunSettings(config, options, place, way, value);
  }
}
