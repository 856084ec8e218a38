package io.github.roram.bench.contender;

import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.bench.contender.Contender.DeviceShape;
import io.github.roram.bench.contender.Contenders.Recipes;
import io.github.roram.parameters.TreeParameters;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Ways to reduce the bytes of an access, alone and combined: changes of one configuration, {@link
 * Contenders#RORAM} with treetops of one level less.
 */
public final class Levers {

  /** All of them, the first without a change. */
  public static final List<Contender> ALL =
      List.of(
          lever("none", config -> config),
          lever("treetop of 2^10 leaves", config -> treetop(config, 0)),
          lever("chunks of 2^12 paths", config -> chunk(config, 4)),
          lever("chunks of 2^14 paths", config -> chunk(config, 16)),
          lever("write share 1/2", config -> share(config, 0.5)),
          lever("write share 1/4", config -> share(config, 0.25)),
          lever("preset proven (Z = 8, A = 8)", Levers::proven),
          lever("trees 0, 2, 4, 6, 8", config -> trees(config, List.of(0, 2, 4, 6, 8))),
          lever("trees 0, 3, 6", config -> trees(config, List.of(0, 3, 6))),
          lever("trees 0, 5", config -> trees(config, List.of(0, 5))),
          lever("trees 0, 5, as much treetop", config -> keepTreetop(config, List.of(0, 5))),
          lever("trees 0, 4, as much treetop", config -> keepTreetop(config, List.of(0, 4))),
          lever(
              "trees 0, 5, as much treetop, write share 1/2",
              config -> share(keepTreetop(config, List.of(0, 5)), 0.5)),
          lever(
              "the same, chunks of 2^12 paths",
              config -> chunk(share(keepTreetop(config, List.of(0, 5)), 0.5), 4)));

  private Levers() {}

  private static Contender lever(String id, UnaryOperator<OramConfig> change) {
    return Contenders.RORAM.variant(
        id, id, device -> change.apply(treetop(Contenders.RORAM.config(device), 1)));
  }

  private static OramConfig share(OramConfig config, double writeShare) {
    return config.toBuilder().writeShare(writeShare).build();
  }

  private static OramConfig treetop(OramConfig config, int levelsLess) {
    int level = Math.max(0, SteadyMemory.height(config) / 2 - levelsLess);
    return config.toBuilder().treetopBytes(Recipes.treetopDownTo(config, level)).build();
  }

  private static OramConfig chunk(OramConfig config, int times) {
    int paths =
        Math.min(
            times * TreeParameters.of(config).chunkPaths(), TreeParameters.of(config).leaves());
    return config.toBuilder()
        .chunkPaths(paths)
        .windowBlocks(TreeParameters.of(config).blocksEvictedBy(paths))
        .build();
  }

  /** Trees of 4N slots, with as many bytes of treetop. */
  private static OramConfig proven(OramConfig config) {
    List<Integer> classes = IntStream.of(TreeParameters.of(config).sizeClasses()).boxed().toList();
    OramConfig plain =
        Recipes.ofPreset(
            new DeviceShape(config.blocks(), config.blockBytes(), config.maxRangeBlocks(), classes),
            Preset.PROVEN);
    return plain.toBuilder()
        .treetopBytes(TreeParameters.of(config).treetopBytes())
        .chunkPaths(TreeParameters.of(config).chunkPaths())
        .windowBlocks(
            TreeParameters.of(plain).blocksEvictedBy(TreeParameters.of(config).chunkPaths()))
        .build();
  }

  private static OramConfig trees(OramConfig config, List<Integer> exponents) {
    int trees = Recipes.fitting(config.maxRangeBlocks(), exponents).length;
    long memory =
        TreeParameters.of(config).treetopBytes() / TreeParameters.of(config).trees().length * trees;
    return keepTreetop(config, exponents).toBuilder().treetopBytes(memory).build();
  }

  private static OramConfig keepTreetop(OramConfig config, List<Integer> exponents) {
    return config.toBuilder().trees(Recipes.fitting(config.maxRangeBlocks(), exponents)).build();
  }
}
