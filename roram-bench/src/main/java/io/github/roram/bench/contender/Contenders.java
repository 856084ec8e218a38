package io.github.roram.bench.contender;

import io.github.roram.ConfigurationException;
import io.github.roram.Preset;
import io.github.roram.bench.contender.Contender.Traits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of contenders. Colours are told apart by the colour-blind too. */
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
          0x888888,
          Traits.PROTOTYPE,
          Recipes::pathLikePrototype);

  /** Ours, as good as we can. */
  public static final Contender PATH_STRONG =
      new Contender(
          "path-strong",
          "our Path ORAM: 2N slots, map in client memory, one vectored read and one vectored write"
              + " a block, no treetop",
          0xd55e00,
          Traits.BLOCKS,
          Recipes::path);

  /** The same with its map on the store. */
  public static final Contender PATH_RECURSIVE =
      new Contender(
          "path-strong-recursive",
          "path-strong with its map in smaller trees on the store, 1,024 labels a block",
          0x7f1d1d,
          Traits.BLOCKS,
          Recipes::recursivePath);

  /** The same with the client memory of {@link #RORAM}, as far as whole levels allow. */
  public static final Contender PATH_TREETOP =
      new Contender(
          "path-strong-treetop",
          "path-strong with the client memory that roram has as a treetop",
          0xe69f00,
          Traits.BLOCKS,
          Recipes::pathWithTreetop);

  /** Batches of 32 evictions. */
  public static final Contender PATH_BATCHED =
      new Contender(
          "path-batched",
          "Path ORAM with the locality-aware layout and batches of 32 evictions, map in client"
              + " memory",
          0xcc79a7,
          Traits.BLOCKS_IN_CHUNKS,
          device -> Recipes.batched(device, BATCH));

  /** The algorithm of the paper. */
  public static final Contender RORAM_PAPER =
      new Contender(
          "roram-paper-preset",
          "the paper's algorithm: preset paper, map in client memory",
          0x56b4e9,
          Traits.PAPERS_RANGES,
          device -> Recipes.ofPreset(device, Preset.PAPER));

  /** Ours with a tree for every size class. */
  public static final Contender RORAM =
      new Contender(
          "roram",
          "preset compact, a tree for each size class as in the paper, treetops of 2^(h/2) leaves,"
              + " chunks of up to 1,024 paths, windows of up to 4,096 blocks",
          0x009e73,
          Traits.RANGES,
          Recipes::treeForEachClass);

  /** Half the trees, and at most twice as much read. */
  public static final Contender RORAM_HALF =
      new Contender(
          "roram-half-classes",
          "roram with every second size class",
          0x00553d,
          Traits.RANGES,
          Recipes::everySecondClass);

  /** All classes by three trees. */
  public static final Contender RORAM_FEW =
      new Contender(
          "roram-few-trees",
          "all size classes of roram, served by trees of ranges of 1, 2^3 and 2^6 blocks",
          0x0072b2,
          Traits.RANGES,
          device -> Recipes.fewTrees(device, FEW_TREES));

  /** All classes by two trees, as the library has them by default. */
  public static final Contender RORAM_TWO =
      new Contender(
          "roram-two-trees",
          "all size classes, served by trees of ranges of 1 and 2^5 blocks, with the client memory"
              + " of path-strong-treetop: deeper treetops",
          0x332288,
          Traits.RANGES,
          device -> Recipes.fewTreesWithMemory(device, TWO_TREES));

  /** All classes by one tree. */
  public static final Contender RORAM_ONE =
      new Contender(
          "roram-one-tree",
          "all size classes, served by one tree of single blocks, with the client memory of"
              + " path-strong-treetop:"
              + " every block has a path of its own, and all paths of an access share its requests",
          0xaa44cc,
          Traits.RANGES,
          device -> Recipes.fewTreesWithMemory(device, ONE_TREE));

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
          RORAM_ONE);

  /** Those that run on a real disk, too. */
  public static final List<Contender> MEASURED =
      List.of(PATH_STRONG, PATH_TREETOP, PATH_BATCHED, RORAM, RORAM_TWO, RORAM_ONE);

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
      Stream.of(false, true)
          .flatMap(
              treetop ->
                  Stream.of(
                      overLine("path", "path", treetop, List.of()),
                      overLine("tao", "tao", treetop, List.of()),
                      overLine("roram-1", "roram", treetop, ONE_TREE),
                      overLine("roram-2", "roram", treetop, List.of())))
          .toList();

  /** What is put on several stores. */
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

  /** {@link #PATH_BATCHED} with batches of {@code chunkPaths} evictions. */
  public static Contender batched(int chunkPaths) {
    return PATH_BATCHED.variant(
        PATH_BATCHED.id(),
        "Path ORAM with batches of " + chunkPaths + " evictions",
        device -> Recipes.batched(device, chunkPaths));
  }

  /** {@link #RORAM} without client memory, as Table I counts. */
  public static Contender withoutMemory() {
    return RORAM.variant(
        RORAM.id(), "a tree for each size class, no client memory", Recipes::withoutMemory);
  }

  /**
   * rORAM of each preset, and with fewer evictions than preset compact has, without treetop, window
   * and limit, so that its stash is all it holds.
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

  /** The colour of the contender of that id, here or among the {@link #LIBRARY}'s; if any. */
  public static Optional<Integer> rgb(String id) {
    return Stream.concat(ALL.stream(), LIBRARY.stream())
        .filter(contender -> contender.id().equals(id))
        .map(Contender::rgb)
        .findFirst();
  }

  /**
   * The contender of that id, among {@link #ALL}.
   *
   * @throws ConfigurationException if there is none
   */
  public static Contender of(String id) {
    return ALL.stream()
        .filter(contender -> contender.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigurationException(
                    "scheme '"
                        + id
                        + "' is unknown; use some of "
                        + ALL.stream().map(Contender::id).collect(Collectors.joining(", "))));
  }
}
