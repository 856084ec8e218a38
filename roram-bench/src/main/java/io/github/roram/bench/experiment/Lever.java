package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.parameters.TreeParameters;
import java.util.stream.IntStream;

/**
 * What can be done about the bytes of an access, alone and together: changes of one configuration,
 * that of {@link Contender#RORAM} with treetops of one level less.
 */
enum Lever {
  /** A tree for each size class, K = 2^10. */
  NONE("none"),
  /** A level more in client memory. */
  TREETOP("treetop of 2^10 leaves"),
  /** Longer chunks. */
  CHUNK_4K("chunks of 2^12 paths"),
  /** Much longer chunks. */
  CHUNK_16K("chunks of 2^14 paths"),
  /** The other trees owe evictions for half of what might be written. */
  HALF_SHARE("write share 1/2"),
  /** The other trees owe evictions for a quarter of what might be written. */
  QUARTER_SHARE("write share 1/4"),
  /** Trees of 4N slots, with as many bytes of treetop. */
  PROVEN("preset proven (Z = 8, A = 8)"),
  /** Every second tree. */
  HALF_TREES("trees 0, 2, 4, 6, 8"),
  /** Three trees. */
  THREE_TREES("trees 0, 3, 6"),
  /** Two trees. */
  TWO_TREES("trees 0, 5"),
  /** Two trees, and the treetop memory of all. */
  TWO_DEEP("trees 0, 5, as much treetop"),
  /** Of shorter ranges. */
  TWO_SHORT("trees 0, 4, as much treetop"),
  /** With the share, too. */
  TOGETHER("trees 0, 5, as much treetop, write share 1/2"),
  /** With long chunks, too. */
  ALL("the same, chunks of 2^12 paths");

  private final String id;

  Lever(String id) {
    this.id = id;
  }

  String id() {
    return id;
  }

  /** The parameters for a device and ranges up to {@code maxRange}. */
  OramConfig config(long blocks, int maxRange) {
    return change(treetop(Contender.RORAM.config(blocks, maxRange), 1));
  }

  private OramConfig change(OramConfig config) {
    return switch (this) {
      case NONE -> config;
      case TREETOP -> treetop(config, 0);
      case CHUNK_4K -> chunk(config, 4);
      case CHUNK_16K -> chunk(config, 16);
      case HALF_SHARE -> share(config, 0.5);
      case QUARTER_SHARE -> share(config, 0.25);
      case PROVEN -> proven(config);
      case HALF_TREES -> trees(config, 0, 2, 4, 6, 8);
      case THREE_TREES -> trees(config, 0, 3, 6);
      case TWO_TREES -> trees(config, 0, 5);
      case TWO_DEEP -> keepTreetop(config, 0, 5);
      case TWO_SHORT -> keepTreetop(config, 0, 4);
      case TOGETHER -> share(keepTreetop(config, 0, 5), 0.5);
      case ALL -> chunk(share(keepTreetop(config, 0, 5), 0.5), 4);
    };
  }

  private static OramConfig share(OramConfig config, double writeShare) {
    return config.toBuilder().writeShare(writeShare).build();
  }

  private static OramConfig treetop(OramConfig config, int levelsLess) {
    int height = Integer.numberOfTrailingZeros(TreeParameters.of(config).leaves());
    long bytes = Contender.treetopBytes(config, Math.max(0, height / 2 - levelsLess));
    return config.toBuilder().treetopBytes(bytes).build();
  }

  private static OramConfig chunk(OramConfig config, int times) {
    int paths =
        Math.min(
            times * TreeParameters.of(config).chunkPaths(), TreeParameters.of(config).leaves());
    return config.toBuilder()
        .chunkPaths(paths)
        .windowBlocks(TreeParameters.of(config).evictionRate() * paths)
        .build();
  }

  private static OramConfig proven(OramConfig config) {
    OramConfig plain =
        OramConfig.builder(config.blocks())
            .preset(Preset.PROVEN)
            .maxRangeBlocks(config.maxRangeBlocks())
            .sizeClasses(TreeParameters.of(config).sizeClasses())
            .build();
    return plain.toBuilder()
        .treetopBytes(TreeParameters.of(config).treetopBytes())
        .chunkPaths(TreeParameters.of(config).chunkPaths())
        .windowBlocks(
            TreeParameters.of(plain).evictionRate() * TreeParameters.of(config).chunkPaths())
        .build();
  }

  private static OramConfig trees(OramConfig config, int... exponents) {
    long memory =
        TreeParameters.of(config).treetopBytes()
            / TreeParameters.of(config).trees().length
            * fitting(config, exponents).length;
    return keepTreetop(config, exponents).toBuilder().treetopBytes(memory).build();
  }

  private static OramConfig keepTreetop(OramConfig config, int... exponents) {
    return config.toBuilder().trees(fitting(config, exponents)).build();
  }

  private static int[] fitting(OramConfig config, int... exponents) {
    return IntStream.of(exponents).filter(t -> 1 << t <= config.maxRangeBlocks()).toArray();
  }
}
