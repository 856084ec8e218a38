package io.github.roram.bench.experiment.maps;

import io.github.roram.OramConfig;
import io.github.roram.OramStats.TreeStats;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.pattern.PatternOram;
import io.github.roram.storage.device.CountingStore;
import io.github.roram.storage.device.IoCounts;
import io.github.roram.store.IoPhase;
import java.io.Closeable;
import java.io.IOException;
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
}
