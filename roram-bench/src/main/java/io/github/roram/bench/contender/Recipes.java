package io.github.roram.bench.contender;

import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.bench.contender.Contender.DeviceShape;
import io.github.roram.parameters.BatchedPathParameters;
import io.github.roram.parameters.PathParameters;
import io.github.roram.parameters.TreeParameters;
import java.util.List;
import java.util.stream.IntStream;

/** The parameters of the contenders; the only place that knows how a configuration is built. */
final class Recipes {

  private static final int MOST_CHUNK_PATHS = 1 << 10;
  private static final int BLOCKS_PER_WINDOW_PATH = 4;
  private static final int MOST_STASH_LIMIT = 1 << 24;
  private static final long TAO_BLOCKS = 244_140;
  private static final long TAO_TREETOP_BYTES = 64L << 20;

  private Recipes() {}

  static OramConfig.Builder of(DeviceShape device) {
    return OramConfig.builder(device.blocks())
        .blockBytes(device.blockBytes())
        .maxRangeBlocks(device.maxRangeBlocks());
  }

  private static OramConfig.Builder pathOf(DeviceShape device) {
    return of(device).scheme(PathParameters.SCHEME);
  }

  static OramConfig path(DeviceShape device) {
    return pathOf(device).build();
  }

  static OramConfig pathLikePrototype(DeviceShape device) {
    return pathOf(device).preset(Preset.PAPER).recursivePositionMap(true).build();
  }

  static OramConfig recursivePath(DeviceShape device) {
    return pathOf(device).recursivePositionMap(true).build();
  }

  /** With the client memory that a tree for each class takes, as a treetop. */
  static OramConfig pathWithTreetop(DeviceShape device) {
    return withMemoryOf(treeForEachClass(device), path(device));
  }

  /** A configuration that holds as much as another in client memory: treetops as that leaves. */
  private static OramConfig withMemoryOf(OramConfig other, OramConfig config) {
    long budget = ClientMemory.of(other).treetopBudget(config);
    return config.toBuilder().treetopBytes(budget).build();
  }

  static OramConfig batched(DeviceShape device, int chunkPaths) {
    return of(device).scheme(BatchedPathParameters.SCHEME).chunkPaths(chunkPaths).build();
  }

  /** Path ORAM with batched evictions as the library's defaults have it. */
  static OramConfig defaultBatched(DeviceShape device) {
    return of(device).scheme(BatchedPathParameters.SCHEME).build();
  }

  /** rORAM as the library's defaults have it, or with the classes that the device names. */
  static OramConfig defaultRoram(DeviceShape device) {
    return rangesOf(device).build();
  }

  static OramConfig ofPreset(DeviceShape device, Preset preset) {
    return rangesOf(device).preset(preset).build();
  }

  private static OramConfig.Builder rangesOf(DeviceShape device) {
    OramConfig.Builder builder = of(device);
    return device.sizeClasses().isEmpty()
        ? builder
        : builder.sizeClasses(device.sizeClasses().stream().mapToInt(Integer::intValue).toArray());
  }

  static OramConfig treeForEachClass(DeviceShape device) {
    return tuned(withTreeForEachClass(device));
  }

  static OramConfig everySecondClass(DeviceShape device) {
    return tuned(of(device).sizeClasses(everySecond(device.maxRangeBlocks())));
  }

  static OramConfig fewTrees(DeviceShape device, List<Integer> exponents) {
    return tuned(of(device).trees(fitting(device.maxRangeBlocks(), exponents)));
  }

  /** Few trees with the client memory that the Path ORAM really takes: deeper treetops. */
  static OramConfig fewTreesWithMemory(DeviceShape device, List<Integer> exponents) {
    return withMemoryOf(pathWithTreetop(device), fewTrees(device, exponents));
  }

  /** A tree for each class and no client memory; each chunk holds two of the longest ranges. */
  static OramConfig withoutMemory(DeviceShape device) {
    return withTreeForEachClass(device)
        .treetopBytes(0)
        .windowBlocks(0)
        .chunkPaths(2 * device.maxRangeBlocks())
        .build();
  }

  /** A treetop has the same share of small stores as of TaoStore's. */
  static OramConfig overLine(
      DeviceShape device, String scheme, boolean treetop, List<Integer> trees) {
    long bytes = treetop ? TAO_TREETOP_BYTES * device.blocks() / TAO_BLOCKS : 0;
    OramConfig.Builder builder =
        OramConfig.builder(device.blocks()).scheme(scheme).treetopBytes(bytes);
    if (!trees.isEmpty()) {
      builder.trees(trees.stream().mapToInt(Integer::intValue).toArray());
    }
    return builder.build();
  }

  /** No treetop, no window and no limit: the stash is all that the client holds. */
  static OramConfig stashAlone(DeviceShape device, Preset preset, double evictionRate) {
    return rangesOf(device)
        .preset(preset)
        .evictionRate(evictionRate)
        .treetopBytes(0)
        .windowBlocks(0)
        .stashLimitBlocks(MOST_STASH_LIMIT)
        .build();
  }

  /** All size classes, by name: then each has a tree. */
  static OramConfig.Builder withTreeForEachClass(DeviceShape device) {
    OramConfig.Builder builder = of(device);
    return builder.sizeClasses(TreeParameters.of(builder.build()).sizeClasses());
  }

  /** Treetops of 2^(h/2) leaves, K = 2^10 and W = 4K at 2^22 blocks, less on smaller devices. */
  private static OramConfig tuned(OramConfig.Builder builder) {
    OramConfig plain = builder.build();
    int chunk = Math.max(1, Math.min(MOST_CHUNK_PATHS, TreeParameters.of(plain).leaves() / 16));
    return builder
        .treetopBytes(treetopDownTo(plain, ClientMemory.height(plain) / 2))
        .chunkPaths(chunk)
        .windowBlocks(BLOCKS_PER_WINDOW_PATH * chunk)
        .build();
  }

  /** What the treetops take that reach down to the level of 2^{@code level} buckets. */
  static long treetopDownTo(OramConfig config, int level) {
    return ClientMemory.treetopBytes(config, Math.min(level + 1, ClientMemory.height(config)));
  }

  /** Those of the exponents that ranges up to the longest can use. */
  static int[] fitting(int maxRangeBlocks, List<Integer> exponents) {
    return exponents.stream().filter(t -> 1 << t <= maxRangeBlocks).mapToInt(t -> t).toArray();
  }

  /** Exponents from 0 up to that of the longest range, two apart as far as that goes. */
  private static int[] everySecond(int maxRangeBlocks) {
    int largest = Integer.SIZE - Integer.numberOfLeadingZeros(maxRangeBlocks - 1);
    return IntStream.rangeClosed(0, largest).filter(i -> i % 2 == 0 || i == largest).toArray();
  }
}
