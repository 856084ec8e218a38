package io.github.roram.bench.contender;

import io.github.roram.OramConfig;
import io.github.roram.Preset;
import io.github.roram.bench.contender.Contender.DeviceShape;
import io.github.roram.bench.contender.Contender.Traits;
import io.github.roram.parameters.BatchedPathParameters;
import io.github.roram.parameters.PathParameters;
import io.github.roram.parameters.TreeParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The table of contenders. */
public final class Contenders {

  private static final List<Integer> FEW_TREES = List.of(0, 3, 6);
  private static final List<Integer> TWO_TREES = List.of(0, 5);
  private static final List<Integer> ONE_TREE = List.of(0);
  private static final int BATCH = 32;

  /**
   * The Path ORAM that the paper's ratios are against. The prototype itself makes many more
   * requests, so this one does not flatter us as much (construction, section 8).
   */
  public static final Contender PATH_PAPER =
      new Contender(
          "path-paper-like",
          "Path ORAM as the published prototype does it: 8N slots, a position map of four labels a"
              + " block in recursive trees, one request for each bucket",
          7,
          Traits.PROTOTYPE,
          Recipes::pathLikePrototype);

  /** Ours, as good as we can. */
  public static final Contender PATH_STRONG =
      new Contender(
          "path-strong",
          "our Path ORAM: 2N slots, map in client memory, one vectored read and one vectored write"
              + " a block, no treetop",
          2,
          Traits.BLOCKS,
          Recipes::path);

  /** The same with its map on the store. */
  public static final Contender PATH_RECURSIVE =
      new Contender(
          "path-strong-recursive",
          "path-strong with its map in smaller trees on the store, 1,024 labels a block",
          10,
          Traits.BLOCKS,
          Recipes::recursivePath);

  /** The same with the client memory of {@link #RORAM}, as far as whole levels allow. */
  public static final Contender PATH_TREETOP =
      new Contender(
          "path-strong-treetop",
          "path-strong with the client memory that roram has as a treetop",
          5,
          Traits.BLOCKS,
          Recipes::pathWithTreetop);

  /** Batches of 32 evictions. */
  public static final Contender PATH_BATCHED =
      new Contender(
          "path-batched",
          "Path ORAM with the locality-aware layout and batches of 32 evictions, map in client"
              + " memory",
          4,
          Traits.BLOCKS_IN_CHUNKS,
          device -> Recipes.batched(device, BATCH));

  /** The algorithm of the paper. */
  public static final Contender RORAM_PAPER =
      new Contender(
          "roram-paper-preset",
          "the paper's algorithm: preset paper, map in client memory",
          6,
          Traits.PAPERS_RANGES,
          device -> Recipes.ofPreset(device, Preset.PAPER));

  /** Ours with a tree for every size class. */
  public static final Contender RORAM =
      new Contender(
          "roram",
          "preset compact, a tree for each size class as in the paper, treetops of 2^(h/2) leaves,"
              + " chunks of up to 1,024 paths, windows of up to 4,096 blocks",
          3,
          Traits.RANGES,
          Recipes::treeForEachClass);

  /** Half the trees, and at most twice as much read. */
  public static final Contender RORAM_HALF =
      new Contender(
          "roram-half-classes",
          "roram with every second size class",
          11,
          Traits.RANGES,
          Recipes::everySecondClass);

  /** All classes by three trees. */
  public static final Contender RORAM_FEW =
      new Contender(
          "roram-few-trees",
          "all size classes of roram, served by trees of ranges of 1, 2^3 and 2^6 blocks",
          14,
          Traits.RANGES,
          device -> Recipes.fewTrees(device, FEW_TREES));

  /** All classes by two trees, as the library has them by default. */
  public static final Contender RORAM_TWO =
      new Contender(
          "roram-two-trees",
          "all size classes, served by trees of ranges of 1 and 2^5 blocks, with the client memory"
              + " of path-strong-treetop: deeper treetops",
          1,
          Traits.RANGES,
          device -> Recipes.fewTreesWithMemory(device, TWO_TREES));

  /** All classes by one tree. */
  public static final Contender RORAM_ONE =
      new Contender(
          "roram-one-tree",
          "all size classes, served by one tree of single blocks, with the client memory of"
              + " path-strong-treetop:"
              + " every block has a path of its own, and all paths of an access share its requests",
          9,
          Traits.RANGES,
          device -> Recipes.fewTreesWithMemory(device, ONE_TREE));

  /** What hiding costs is told by this one. */
  public static final Contender SEALED =
      new Contender(
          SealedScheme.ID,
          "sealed, not hidden: block i at place i, a range by one request; shows the price of hiding",
          0,
          Traits.PLAIN,
          device ->
              Recipes.of(device)
                  .scheme(SealedScheme.ID)
                  .set(SealedScheme.HIDES, SealedScheme.NOTHING)
                  .build());

  /** What the experiments compare, in the order of their results. */
  public static final List<Contender> ALL =
      List.of(
          PATH_PAPER,
          PATH_STRONG,
          PATH_RECURSIVE,
          PATH_TREETOP,
          PATH_BATCHED,
          RORAM_PAPER,
          RORAM,
          RORAM_HALF,
          RORAM_FEW,
          RORAM_TWO,
          RORAM_ONE,
          SEALED);

  /** Contenders that also run on a real disk. */
  public static final List<Contender> MEASURED =
      List.of(PATH_STRONG, PATH_TREETOP, PATH_BATCHED, RORAM, RORAM_TWO, RORAM_ONE, SEALED);

  /** Path ORAM as the library's defaults have it. */
  public static final Contender LIBRARY_PATH =
      PATH_STRONG.variant("path", "Path ORAM, the library's defaults", Recipes::path);

  /** rORAM as the library's defaults have it. */
  public static final Contender LIBRARY_RORAM =
      RORAM.variant("roram", "rORAM, the library's defaults", Recipes::defaultRoram);

  /** The library's schemes with its defaults: what others are compared with first, ours last. */
  public static final List<Contender> LIBRARY =
      List.of(
          LIBRARY_PATH,
          PATH_BATCHED.variant(
              "path-batched",
              "Path ORAM with batched evictions, the library's defaults",
              Recipes::defaultBatched),
          LIBRARY_RORAM);

  /** What clients ask at the end of a line, without and with a treetop. */
  public static final List<Contender> OVER_LINES =
      Stream.concat(
              Stream.of(SEALED),
              Stream.of(false, true)
                  .flatMap(
                      treetop ->
                          Stream.of(
                              overLine("path", "path", treetop, List.of()),
                              overLine("tao", "tao", treetop, List.of()),
                              overLine("roram-1", "roram", treetop, ONE_TREE),
                              overLine("roram-2", "roram", treetop, List.of()))))
          .toList();

  /** Contenders on several stores. */
  public static final List<Contender> STRIPED =
      List.of(
          LIBRARY_RORAM.variant(
              "two-trees",
              "trees of ranges of 1 and 2^5 blocks, no treetop",
              device -> Recipes.of(device).treetopBytes(0).build()),
          LIBRARY_RORAM.variant(
              "two-trees-recursive",
              "the same with its position map on the store",
              device -> Recipes.of(device).treetopBytes(0).positionMap("recursive").build()),
          LIBRARY_RORAM.variant(
              "each-class",
              "a tree for each size class as in the paper, no treetop",
              device -> Recipes.withTreeForEachClass(device).treetopBytes(0).build()),
          LIBRARY_RORAM.variant(
              "two-trees-treetop",
              "trees of ranges of 1 and 2^5 blocks, the library's defaults",
              device -> Recipes.of(device).build()));

  private Contenders() {}

  private static Contender overLine(
      String id, String scheme, boolean treetop, List<Integer> trees) {
    return LIBRARY_RORAM.variant(
        treetop ? id + "-treetop" : id,
        "scheme " + scheme + (treetop ? " with a treetop of 64 MB of 1 GB" : " without treetop"),
        device -> Recipes.overLine(device, scheme, treetop, trees));
  }

  /** Returns {@link #PATH_BATCHED} with batches of {@code chunkPaths} evictions. */
  public static Contender batched(int chunkPaths) {
    return PATH_BATCHED.variant(
        PATH_BATCHED.id(),
        "Path ORAM with batches of " + chunkPaths + " evictions",
        device -> Recipes.batched(device, chunkPaths));
  }

  /** Returns {@link #RORAM} without client memory, as Table I counts. */
  public static Contender withoutMemory() {
    return RORAM.variant(
        RORAM.id(), "a tree for each size class, no client memory", Recipes::withoutMemory);
  }

  /**
   * Returns rORAM of each preset, and with fewer evictions than preset compact has, without
   * treetop, window and limit, so that the client holds the stash alone.
   */
  public static List<Contender> stashes() {
    List<Contender> stashes = new ArrayList<>();
    for (Preset preset : Preset.values()) {
      stashes.add(stash(preset.id(), preset, preset.evictionRate()));
    }
    stashes.add(stash("compact-3.5", Preset.COMPACT, 3.5));
    return stashes;
  }

  private static Contender stash(String id, Preset preset, double evictionRate) {
    return RORAM.variant(
        id,
        "preset " + preset.id() + ", A = " + evictionRate + ", without treetop and window",
        device -> Recipes.stashAlone(device, preset, evictionRate));
  }

  /**
   * Returns the look in charts of the contender with this id, here or among those of the {@link
   * #LIBRARY}, if there is one.
   */
  public static Optional<Integer> look(String id) {
    return Stream.concat(ALL.stream(), LIBRARY.stream())
        .filter(contender -> contender.id().equals(id))
        .map(Contender::look)
        .findFirst();
  }

  /** The parameters of the contenders; the only place that knows how a configuration is built. */
  static final class Recipes {

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

    /**
     * Returns a configuration whose treetop takes the client memory that a tree for each class
     * would take.
     */
    static OramConfig pathWithTreetop(DeviceShape device) {
      return withMemoryOf(treeForEachClass(device), path(device));
    }

    /**
     * Returns a configuration that holds as much as another in client memory, by the size of its
     * treetops.
     */
    private static OramConfig withMemoryOf(OramConfig other, OramConfig config) {
      long budget = SteadyMemory.of(other).treetopBudget(config);
      return config.toBuilder().treetopBytes(budget).build();
    }

    static OramConfig batched(DeviceShape device, int chunkPaths) {
      return of(device).scheme(BatchedPathParameters.SCHEME).chunkPaths(chunkPaths).build();
    }

    /** Returns Path ORAM with batched evictions, with the library's defaults. */
    static OramConfig defaultBatched(DeviceShape device) {
      return of(device).scheme(BatchedPathParameters.SCHEME).build();
    }

    /** Returns rORAM with the library's defaults, or with the classes that the device names. */
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
          : builder.sizeClasses(
              device.sizeClasses().stream().mapToInt(Integer::intValue).toArray());
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

    /** Returns few trees with the client memory that Path ORAM really takes: deeper treetops. */
    static OramConfig fewTreesWithMemory(DeviceShape device, List<Integer> exponents) {
      return withMemoryOf(pathWithTreetop(device), fewTrees(device, exponents));
    }

    /**
     * Returns a tree for each class and no client memory; each chunk holds two of the longest
     * ranges.
     */
    static OramConfig withoutMemory(DeviceShape device) {
      return withTreeForEachClass(device)
          .treetopBytes(0)
          .windowBlocks(0)
          .chunkPaths(2 * device.maxRangeBlocks())
          .build();
    }

    /**
     * Returns a configuration whose treetop has the same share of a small store as of TaoStore's.
     */
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

    /**
     * Returns a configuration without treetop, window or limit: the client holds the stash alone.
     */
    static OramConfig stashAlone(DeviceShape device, Preset preset, double evictionRate) {
      return rangesOf(device)
          .preset(preset)
          .evictionRate(evictionRate)
          .treetopBytes(0)
          .windowBlocks(0)
          .stashLimitBlocks(MOST_STASH_LIMIT)
          .build();
    }

    /** Returns a configuration with all size classes by name, so that each has a tree. */
    static OramConfig.Builder withTreeForEachClass(DeviceShape device) {
      OramConfig.Builder builder = of(device);
      return builder.sizeClasses(TreeParameters.of(builder.build()).sizeClasses());
    }

    /** Treetops of 2^(h/2) leaves, K = 2^10 and W = 4K at 2^22 blocks, less on smaller devices. */
    private static OramConfig tuned(OramConfig.Builder builder) {
      OramConfig plain = builder.build();
      int chunk = Math.max(1, Math.min(MOST_CHUNK_PATHS, TreeParameters.of(plain).leaves() / 16));
      return builder
          .treetopBytes(treetopDownTo(plain, SteadyMemory.height(plain) / 2))
          .chunkPaths(chunk)
          .windowBlocks(BLOCKS_PER_WINDOW_PATH * chunk)
          .build();
    }

    /** Returns what the treetops take that reach down to the level of 2^{@code level} buckets. */
    static long treetopDownTo(OramConfig config, int level) {
      return SteadyMemory.treetopBytes(config, Math.min(level + 1, SteadyMemory.height(config)));
    }

    /** Returns those of the exponents that ranges up to the longest can use. */
    static int[] fitting(int maxRangeBlocks, List<Integer> exponents) {
      return exponents.stream().filter(t -> 1 << t <= maxRangeBlocks).mapToInt(t -> t).toArray();
    }

    /** Exponents from 0 up to that of the longest range, two apart as far as that goes. */
    private static int[] everySecond(int maxRangeBlocks) {
      int largest = Integer.SIZE - Integer.numberOfLeadingZeros(maxRangeBlocks - 1);
      return IntStream.rangeClosed(0, largest).filter(i -> i % 2 == 0 || i == largest).toArray();
    }
  }
}
