package io.github.roram.bench.experiment;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.parameters.TreeParameters;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What is compared. Every ratio names the contender that it is against. */
enum Contender {
  /**
   * Path ORAM as the published prototype does it: trees of 8N slots, a position map of four labels
   * a block in recursive trees, one request a bucket. The prototype itself makes many more requests
   * (construction, section 8), so this one does not flatter us as much.
   */
  PATH_PAPER("path-paper-like"),
  /** Ours, as good as we can: half-full trees, local map, one vectored request; no treetop. */
  PATH_STRONG("path-strong"),
  /** The same with a position map in smaller trees on the store, 1024 labels a block. */
  PATH_RECURSIVE("path-strong-recursive"),
  /** As {@link #PATH_STRONG} with as much client memory as {@link #RORAM} has, as a treetop. */
  PATH_TREETOP("path-strong-treetop"),
  /** Path ORAM with the locality-aware layout and batches of 32 evictions, local map. */
  PATH_BATCHED("path-batched"),
  /** The algorithm of the paper: preset paper. */
  RORAM_PAPER("roram-paper-preset"),
  /**
   * Ours with a tree for every size class: preset compact, treetops of 2^(h/2) leaves, chunks of up
   * to 1024 paths and a window of up to 4096 blocks.
   */
  RORAM("roram"),
  /** The same with every second size class: half the trees, and at most twice as much read. */
  RORAM_HALF("roram-half-classes"),
  /** The same classes as {@link #RORAM}, served by trees of ranges of 1, 2^3 and 2^6 blocks. */
  RORAM_FEW("roram-few-trees"),
  /**
   * The same classes, served by trees of ranges of 1 and 2^5 blocks, which share the client memory
   * of {@link #RORAM}: deeper treetops.
   */
  RORAM_TWO("roram-two-trees"),
  /**
   * The same with a single tree, of ranges of one block: every block has a path of its own, and the
   * paths of an access share its requests.
   */
  RORAM_ONE("roram-one-tree");

  private static final int MOST_CHUNK_PATHS = 1 << 10;
  private static final int BLOCKS_PER_WINDOW_PATH = 4;
  private static final List<Integer> FEW_TREES = List.of(0, 3, 6);
  private static final List<Integer> TWO_TREES = List.of(0, 5);
  private static final List<Integer> ONE_TREE = List.of(0);

  private final String id;

  Contender(String id) {
    this.id = id;
  }

  String id() {
    return id;
  }

  /** Whether a range of r blocks costs it one access, and not r. */
  boolean hasRanges() {
    return switch (this) {
      case RORAM, RORAM_PAPER, RORAM_HALF, RORAM_FEW, RORAM_TWO, RORAM_ONE -> true;
      default -> false;
    };
  }

  /** The parameters for a device of {@code blocks} blocks and ranges up to {@code maxRange}. */
  OramConfig config(long blocks, int maxRange) {
    OramConfig.Builder builder = OramConfig.builder(blocks).maxRangeBlocks(maxRange);
    return switch (this) {
      case PATH_PAPER ->
          builder.scheme("path").preset(Preset.PAPER).recursivePositionMap(true).build();
      case PATH_STRONG -> builder.scheme("path").build();
      case PATH_RECURSIVE -> builder.scheme("path").recursivePositionMap(true).build();
      case PATH_TREETOP ->
          builder.scheme("path").treetopBytes(clientBytes(RORAM.config(blocks, maxRange))).build();
      case PATH_BATCHED -> builder.scheme("path-batched").chunkPaths(32).build();
      case RORAM_PAPER -> builder.preset(Preset.PAPER).build();
      case RORAM -> tuned(treeForEachClass(builder));
      case RORAM_HALF -> tuned(builder.sizeClasses(everySecond(maxRange)));
      case RORAM_FEW -> tuned(builder.trees(trees(maxRange, FEW_TREES)));
      case RORAM_TWO -> withMemoryOfRoram(builder.trees(trees(maxRange, TWO_TREES)));
      case RORAM_ONE -> withMemoryOfRoram(builder.trees(trees(maxRange, ONE_TREE)));
    };
  }

  /** Treetops as deep as the client memory of {@link #RORAM} allows. */
  private static OramConfig withMemoryOfRoram(OramConfig.Builder builder) {
    OramConfig config = tuned(builder);
    long memory = clientBytes(RORAM.config(config.blocks(), config.maxRangeBlocks()));
    return config.toBuilder().treetopBytes(memory - windowBytes(config)).build();
  }

  /** Treetops of 2^(h/2) leaves, K = 2^10 and W = 4K at 2^22 blocks, less on smaller devices. */
  static OramConfig tuned(OramConfig.Builder builder) {
    OramConfig plain = builder.build();
    int leaves = TreeParameters.of(plain).leaves();
    int height = Integer.numberOfTrailingZeros(leaves);
    int chunk = Math.max(1, Math.min(MOST_CHUNK_PATHS, leaves / 16));
    return builder
        .treetopBytes(treetopBytes(plain, height / 2))
        .chunkPaths(chunk)
        .windowBlocks(BLOCKS_PER_WINDOW_PATH * chunk)
        .build();
  }

  /** Client memory for the levels down to that of 2^{@code level} buckets in each tree. */
  static long treetopBytes(OramConfig config, int level) {
    long buckets = (2L << level) - 1;
    return TreeParameters.of(config).trees().length
        * buckets
        * TreeParameters.of(config).bucketSlots()
        * config.blockBytes();
  }

  /** Those of the exponents that ranges up to the longest can use. */
  private static int[] trees(int maxRange, List<Integer> exponents) {
    return exponents.stream().filter(t -> 1 << t <= maxRange).mapToInt(t -> t).toArray();
  }

  /** All size classes, by name: then each has a tree. */
  static OramConfig.Builder treeForEachClass(OramConfig.Builder builder) {
    return builder.sizeClasses(TreeParameters.of(builder.build()).sizeClasses());
  }

  /** Exponents from 0 up to that of the longest range, two apart as far as that goes. */
  private static int[] everySecond(int maxRange) {
    int largest = Integer.SIZE - Integer.numberOfLeadingZeros(maxRange - 1);
    return IntStream.rangeClosed(0, largest).filter(i -> i % 2 == 0 || i == largest).toArray();
  }

  /** Client memory for blocks that a configuration plans with: treetops and windows. */
  static long clientBytes(OramConfig config) {
    return TreeParameters.of(config).treetopBytes() + windowBytes(config);
  }

  private static long windowBytes(OramConfig config) {
    return (long) TreeParameters.of(config).trees().length
        * TreeParameters.of(config).windowBlocks()
        * config.blockBytes();
  }

  /**
   * The contender of that id.
   *
   * @throws ConfigurationException if there is none
   */
  static Contender of(String id) {
    for (Contender contender : values()) {
      if (contender.id.equals(id)) {
        return contender;
      }
    }
    String known = Arrays.stream(values()).map(Contender::id).collect(Collectors.joining(", "));
    throw new ConfigurationException("scheme '" + id + "' is unknown; use some of " + known);
  }
}
