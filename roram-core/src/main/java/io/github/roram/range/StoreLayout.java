package io.github.roram.range;

import io.github.roram.ConfigurationException;
import io.github.roram.IntegrityException;
import io.github.roram.OramConfig;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.TombstoneDescriptor;
import io.github.roram.maptree.MapShape;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.ring.LevelRun;
import io.github.roram.ring.LevelTable;
import io.github.roram.ring.RingBucketStore;
import io.github.roram.state.SuperblockDescriptor;
import io.github.roram.store.BlockStore;
import io.github.roram.store.BucketStore;
import io.github.roram.store.BucketTrees;
import io.github.roram.tree.TreeGeometry;
import io.github.roram.tree.TreeGeometry.AddedLevels;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The trees of an ORAM on the tree engine, and where they lie on a store of bytes: one after
 * another, unless the store has a table that says otherwise.
 */
public final class StoreLayout {

  /** The shapes of all trees, those of the position map last. */
  private final TreeGeometry[] geometries;

  private final BucketDescriptor[] descriptors;
  private final LevelTable table;
  private final @Nullable MapShape maps;

  /** Creates the layout of a new store. */
  public StoreLayout(OramConfig config) {
    TreeParameters parameters = TreeParameters.of(config);
    maps = parameters.mapForm().isRecursive() ? MapShape.of(config) : null;
    geometries = geometries(config, maps, null);
    descriptors = descriptors(config, maps);
    List<LevelRun> runs = new ArrayList<>();
    long base = SuperblockDescriptor.BYTES;
    for (int tree = 0; tree < geometries.length; tree++) {
      // One chunk is committed while the next is written.
      int slack = 2 * chunkPaths(parameters, tree);
      int top = geometries[tree].treetopLevels();
      int levels = geometries[tree].height() + 1 - top;
      LevelRun run = new LevelRun(tree, top, levels, descriptors[tree].sealedBytes(), slack, base);
      runs.add(run);
      base = run.end();
    }
    table = new LevelTable(runs);
  }

  /**
   * Creates the layout of a store that has a table of its levels.
   *
   * @throws IntegrityException if the table lacks a level, has buckets of another size, or has less
   *     slack than a chunk needs
   */
  public StoreLayout(OramConfig config, LevelTable table) {
    maps = TreeParameters.of(config).mapForm().isRecursive() ? maps(config, table) : null;
    geometries = geometries(config, maps, table);
    descriptors = descriptors(config, maps);
    this.table = table;
    for (TreeGeometry geometry : geometries) {
      for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
        check(config, geometry.tree(), run(table, geometry.tree(), level));
      }
    }
  }

  /** Returns the shape of the map, which has as many trees as the store was created with. */
  private static MapShape maps(OramConfig config, LevelTable table) {
    int trees = table.trees() - TreeParameters.of(config).trees().length;
    return MapShape.of(config, Math.max(1, trees), (tree, height) -> added(table, tree, height));
  }

  private static LevelRun run(LevelTable table, int tree, int level) {
    try {
      return table.run(tree, level);
    } catch (IllegalArgumentException e) {
      throw new IntegrityException(
          "the store's table of levels does not fit its parameters: "
              + e.getMessage()
              + "; restore the superblock from a copy",
          e);
    }
  }

  private void check(OramConfig config, int tree, LevelRun run) {
    int bucketBytes = descriptors[tree].sealedBytes();
    int chunkPaths = chunkPaths(TreeParameters.of(config), tree);
    if (run.bucketBytes() != bucketBytes || run.slack() < chunkPaths) {
      throw new IntegrityException(
          "levels of tree "
              + tree
              + " are laid out as "
              + run
              + ", must have buckets of "
              + bucketBytes
              + " bytes and a slack of at least "
              + chunkPaths
              + ": another version made the store, or restore the superblock from a copy");
    }
  }

  private static TreeGeometry[] geometries(
      OramConfig config, @Nullable MapShape maps, @Nullable LevelTable table) {
    TreeParameters parameters = TreeParameters.of(config);
    int[] exponents = parameters.trees();
    int all = exponents.length + (maps == null ? 0 : maps.levels());
    TreeGeometry[] geometries = new TreeGeometry[all];
    int height = Integer.numberOfTrailingZeros(parameters.leaves());
    for (int tree = 0; tree < exponents.length; tree++) {
      geometries[tree] =
          table == null
              ? TreeGeometry.within(
                  config, tree, exponents[tree], config.blocks(), height, exponents.length)
              : TreeGeometry.holding(
                  config,
                  tree,
                  exponents[tree],
                  config.blocks(),
                  height,
                  table.topLevel(tree),
                  added(table, tree, height));
    }
    for (int level = 0; maps != null && level < maps.levels(); level++) {
      geometries[exponents.length + level] = maps.geometry(level);
    }
    return geometries;
  }

  /** Returns the levels of a tree that were added according to the table. */
  private static AddedLevels added(LevelTable table, int tree, int height) {
    int first = height;
    while (first > 0 && run(table, tree, first).since() > 0) {
      first--;
    }
    long[] since = new long[height - first];
    for (int i = 0; i < since.length; i++) {
      since[i] = run(table, tree, first + 1 + i).since();
    }
    return new AddedLevels(since);
  }

  /**
   * Returns the table of this store after it grows: trees become as high as those of a new store of
   * that configuration, by levels placed after everything that exists; a map keeps its number of
   * trees.
   *
   * @param grown the configuration, of more blocks
   * @param since returns cnt of a tree, where its new levels begin
   */
  LevelTable grownTo(OramConfig grown, IntToLongFunction since) {
    List<LevelRun> runs = new ArrayList<>(table.runs());
    long base = table.end();
    for (int tree = 0; tree < trees(); tree++) {
      int height = height(grown, tree);
      int lowest = geometries[tree].height();
      if (height > lowest) {
        LevelRun last = table.run(tree, lowest);
        LevelRun run =
            new LevelRun(
                tree,
                lowest + 1,
                height - lowest,
                last.bucketBytes(),
                last.slack(),
                base,
                since.applyAsLong(tree));
        runs.add(run);
        base = run.end();
      }
    }
    return new LevelTable(runs);
  }

  /**
   * Returns the table of this store before it grew.
   *
   * @param smaller the configuration at that time, of fewer blocks
   */
  LevelTable before(OramConfig smaller) {
    List<LevelRun> runs = new ArrayList<>(table.runs());
    runs.removeIf(run -> run.since() > 0 && run.firstLevel() > height(smaller, run.tree()));
    return new LevelTable(runs);
  }

  /** Returns the height of a tree in a store of this configuration. */
  private int height(OramConfig config, int tree) {
    return tree < dataTrees()
        ? Integer.numberOfTrailingZeros(TreeParameters.of(config).leaves())
        : MapShape.height(config, tree - dataTrees());
  }

  private static BucketDescriptor[] descriptors(OramConfig config, @Nullable MapShape maps) {
    TreeParameters parameters = TreeParameters.of(config);
    int dataTrees = parameters.trees().length;
    int slots = parameters.bucketSlots();
    BucketDescriptor[] descriptors =
        new BucketDescriptor[dataTrees + (maps == null ? 0 : maps.levels())];
    for (int tree = 0; tree < descriptors.length; tree++) {
      int blockBytes =
          maps != null && tree >= dataTrees
              ? maps.blockBytes(tree - dataTrees)
              : config.blockBytes();
      boolean tombstones = maps != null && !maps.isOnClient(tree);
      descriptors[tree] =
          new BucketDescriptor(
              slots, blockBytes, tombstones ? TombstoneDescriptor.bytes(slots) : 0);
    }
    return descriptors;
  }

  /** Returns K of a tree: the most paths that it evicts at once. */
  int chunkPaths(TreeParameters parameters, int tree) {
    return maps != null && tree >= dataTrees()
        ? maps.chunkPaths(tree - dataTrees())
        : parameters.chunkPaths();
  }

  /**
   * Returns W of a tree: evictions are due once this many blocks are owed; in a map, at most a
   * chunk's.
   */
  int windowBlocks(TreeParameters parameters, int tree) {
    int window = parameters.windowBlocks();
    return tree < dataTrees()
        ? window
        : Math.min(window, parameters.blocksEvictedBy(chunkPaths(parameters, tree)));
  }

  /**
   * Checks that trees evict by whole units of a store that keeps several evictions together.
   *
   * @throws ConfigurationException if one does not
   */
  void checkUnits(TreeParameters parameters, BucketStore buckets) {
    for (int tree = 0; tree < geometries.length; tree++) {
      int unit = buckets.unit(tree);
      int paths = chunkPaths(parameters, tree);
      if (unit == 1) {
        continue;
      }
      if (unit != paths || unit > geometries[tree].leaves()) {
        throw new ConfigurationException(
            "the store keeps "
                + unit
                + " evictions of tree "
                + tree
                + " together, which has "
                + geometries[tree].leaves()
                + " leaves and chunkPaths (K) of "
                + paths
                + "; create it with chunkPaths equal to the store's unit, a power of two that is at"
                + " most the number of leaves");
      }
      if (geometries[tree].treetopPart() % unit != 0) {
        throw new ConfigurationException(
            "treetopPart is "
                + parameters.treetopPart()
                + ", with it the client holds "
                + geometries[tree].treetopPart()
                + " buckets of a level, no multiple of the "
                + unit
                + " that the store keeps together; leave it out");
      }
      int least = parameters.blocksEvictedBy(unit);
      if (parameters.windowBlocks() < least) {
        throw new ConfigurationException(
            "windowBlocks (W) is "
                + parameters.windowBlocks()
                + ", a store that keeps "
                + unit
                + " evictions together needs at least "
                + least
                + ", the blocks that they pay for; make W larger, or K smaller");
      }
    }
  }

  /** Returns the number of trees, those of the position map included. */
  int trees() {
    return geometries.length;
  }

  /** Returns the number of trees of data. */
  int dataTrees() {
    return geometries.length - (maps == null ? 0 : maps.levels());
  }

  /** The position map, where it is on the store. */
  @Nullable MapShape maps() {
    return maps;
  }

  /** Returns the shape of a tree. */
  TreeGeometry geometry(int tree) {
    return geometries[tree];
  }

  /** Returns the layout of the buckets of a tree. */
  BucketDescriptor descriptor(int tree) {
    return descriptors[tree];
  }

  /** Returns where the levels lie. */
  public LevelTable table() {
    return table;
  }

  /** Returns the buckets on a store. */
  BucketStore on(BlockStore store, TreeParameters parameters) {
    return store.buckets(trees(parameters)).orElseGet(() -> new RingBucketStore(store, table));
  }

  /** Returns what a store that keeps buckets by their names is told. */
  private BucketTrees trees(TreeParameters parameters) {
    List<BucketTrees.Tree> trees = new ArrayList<>();
    for (TreeGeometry geometry : geometries) {
      trees.add(
          new BucketTrees.Tree(
              geometry.treetopLevels(),
              geometry.height(),
              chunkPaths(parameters, geometry.tree()),
              descriptor(geometry.tree()).sealedBytes()));
    }
    return new BucketTrees(trees);
  }

  /** Returns the bytes of store that all trees and the superblock take. */
  public long bytes() {
    return table.end();
  }
}
