package io.github.roram.bench.experiment;

import io.github.roram.OramConfig;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.pattern.PatternOram;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * An ORAM without data whose position map is on the store, and what its map costs apart from the
 * rest. Not thread safe.
 */
final class MapLookUps implements Closeable {

  private final PatternOram oram;
  private final CountingStore store;
  private final int dataTrees;

  private MapLookUps(PatternOram oram, CountingStore store) {
    this.oram = oram;
    this.store = store;
    dataTrees = TreeParameters.of(oram.config()).trees().length;
  }

  /**
   * One that is written all over, its map as well.
   *
   * @param config with a recursive position map
   */
  static MapLookUps open(OramConfig config, Runnable alive) throws IOException {
    CountingStore[] counting = new CountingStore[1];
    PatternOram oram = PatternOram.create(config, store -> counting[0] = new CountingStore(store));
    oram.fill(bytes -> alive.run());
    MapLookUps made = new MapLookUps(oram, counting[0]);
    made.writeMapAllOver(alive);
    return made;
  }

  /** A bulk load writes no map, and buckets that were never written are not asked for. */
  private void writeMapAllOver(Runnable alive) throws IOException {
    Random random = new Random(1);
    int count = oram.config().maxRangeBlocks();
    int places = (int) (oram.config().blocks() - count + 1);
    while (oram.stats().trees().stream().anyMatch(MapLookUps::isNew)) {
      oram.access(random.nextInt(places), count, false);
      alive.run();
    }
  }

  private static boolean isNew(TreeStats tree) {
    return tree.isMap() && tree.evictions() < 1L << tree.height();
  }

  void access(long block, int count, boolean write) throws IOException {
    oram.access(Math.min(block, oram.config().blocks() - count), count, write);
  }

  void reset() {
    store.reset();
  }

  /** What the trees of the map were asked for. */
  IoCounts map() {
    return sum(true);
  }

  /** What the trees of data were asked for. */
  IoCounts data() {
    return sum(false);
  }

  private IoCounts sum(boolean ofMap) {
    IoCounts sum = IoCounts.ZERO;
    for (Map.Entry<Integer, Map<IoPhase, IoCounts>> tree : store.byTree().entrySet()) {
      if (tree.getKey() >= 0 && tree.getKey() >= dataTrees == ofMap) {
        for (IoCounts counts : tree.getValue().values()) {
          sum = sum.plus(counts);
        }
      }
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    oram.close();
  }

  /**
   * The naive position map of rORAM (§IV-D): each tree has a recursive map of its own, and every
   * access looks up and updates all of them, since the blocks that it read enter all trees. It
   * exists to be compared with, counts alone, and no store can be made with it.
   *
   * <p>The map of the tree of ranges of 2^t is that of an ORAM of N / 2^t blocks with one tree; of
   * these ORAMs only the maps are counted. Trees whose labels the client could hold have none.
   *
   * <p>Not thread safe.
   */
  static final class NaiveMaps implements Closeable {

    /** The map of a tree. */
    private record OfTree(int exponent, MapLookUps lookUps) {}

    private final List<OfTree> maps = new ArrayList<>();

    private NaiveMaps() {}

    /**
     * The maps of the trees of a configuration, written all over.
     *
     * @param config with a recursive position map
     */
    static NaiveMaps open(OramConfig config, Runnable alive) throws IOException {
      NaiveMaps made = new NaiveMaps();
      boolean done = false;
      try {
        TreeParameters parameters = TreeParameters.of(config);
        for (int exponent : parameters.trees()) {
          long ranges = ((config.blocks() - 1) >> exponent) + 1;
          if (ranges > parameters.mapForm().clientLabels()) {
            OramConfig ofTree = ofTree(config, parameters, exponent, ranges);
            made.maps.add(new OfTree(exponent, MapLookUps.open(ofTree, alive)));
          }
        }
        done = true;
        return made;
      } finally {
        if (!done) {
          made.close();
        }
      }
    }

    private static OramConfig ofTree(
        OramConfig config, TreeParameters parameters, int exponent, long ranges) {
      int most = Math.max(2, config.maxRangeBlocks() >> exponent);
      return OramConfig.builder(ranges)
          .blockBytes(config.blockBytes())
          .maxRangeBlocks((int) Math.min(most, ranges))
          .trees(0)
          .treetopBytes(0)
          .windowBlocks(0)
          .chunkPaths(parameters.chunkPaths())
          .positionMap("recursive")
          .set("blocksPerMapBlock", parameters.mapForm().blocksPerMapBlock())
          .set("clientLabels", parameters.mapForm().clientLabels())
          .build();
    }

    /** Looks up and updates the labels that the blocks have in every tree. */
    void access(long block, int count) throws IOException {
      for (OfTree map : maps) {
        map.lookUps().access(block >> map.exponent(), labels(map.exponent(), count), false);
      }
    }

    /**
     * How many labels to ask for: as many look-ups as those of all ranges that {@code count} blocks
     * can lie in, 2^(i−t) + 1, since 2^j and 2^j + 1 labels touch as many map blocks from j = 1 on.
     */
    private static int labels(int exponent, int count) {
      return exponent == 0 || count == 1 ? count : Math.max(2, count >> exponent);
    }

    void reset() {
      maps.forEach(map -> map.lookUps().reset());
    }

    /** What the maps were asked for. */
    IoCounts map() {
      return maps.stream().map(map -> map.lookUps().map()).reduce(IoCounts.ZERO, IoCounts::plus);
    }

    @Override
    public void close() throws IOException {
      for (OfTree map : maps) {
        map.lookUps().close();
      }
    }
  }
}
