package io.github.roram.range;

import io.github.roram.AccessCost;
import io.github.roram.ObjectCost;
import io.github.roram.OramConfig;
import io.github.roram.maptree.MapShape;
import io.github.roram.parameters.TreeParameters;
import io.github.roram.tree.TreeGeometry;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What accesses of a scheme on the tree engine cost on average, from its parameters alone: how many
 * buckets and how many extents the layout makes of uniform labels (construction, sections 2.3 and
 * 7), or how many objects, each of which holds what K evictions, a chunk, wrote at a level. Chunks
 * of evictions are as long as accesses of the same size make them, one after another; on objects
 * they are whole.
 */
final class TreeCosts {

  /** Number of chunks that is enough to show their lengths. */
  private static final int ENOUGH_CHUNKS = 32;

  private static final int MOST_ACCESSES = 1 << 14;

  /** A plan asks for some hundreds of them, each a thousand times. */
  private static final int MOST_KNOWN = 1 << 12;

  private static final Map<Pace, Chunks> KNOWN = new ConcurrentHashMap<>();

  /**
   * What chunks follow from.
   *
   * @param owed blocks for which an access evicts
   * @param rate blocks that evict a path
   * @param waiting blocks that wait before a chunk is due
   * @param most paths of a chunk
   */
  private record Pace(double owed, double rate, int waiting, int most) {}

  /**
   * Chunks of accesses that follow one another.
   *
   * @param lengths how many chunks there are of how many paths
   * @param paths of all of them
   */
  private record Chunks(Map<Integer, Integer> lengths, int paths) {

    static Chunks of(Pace pace) {
      Map<Integer, Integer> lengths = new HashMap<>();
      double debt = 0;
      int paths = 0;
      for (int access = 0; access < MOST_ACCESSES && paths < ENOUGH_CHUNKS * pace.most; access++) {
        debt += pace.owed;
        int chunk = (int) Math.min(pace.most, debt / pace.rate);
        while (debt >= pace.waiting && chunk > 0) {
          lengths.merge(chunk, 1, Integer::sum);
          paths += chunk;
          debt -= chunk * pace.rate;
          chunk = (int) Math.min(pace.most, debt / pace.rate);
        }
      }
      return paths == 0 ? new Chunks(Map.of(pace.most, 1), pace.most) : new Chunks(lengths, paths);
    }
  }

  /**
   * A cost.
   *
   * @param access in a store that overwrites in place
   * @param objects in a store of objects
   */
  record Cost(AccessCost access, ObjectCost objects) {

    private Cost plus(Cost other) {
      return new Cost(access.plus(other.access), objects.plus(other.objects));
    }

    /** Returns this cost multiplied by a factor. */
    Cost times(double factor) {
      return new Cost(access.times(factor), objects.times(factor));
    }
  }

  /**
   * What several runs of consecutive labels, each of which begins anywhere, meet at a level.
   *
   * @param width buckets of the level
   * @param buckets how many they meet
   * @param pieces in how many pieces, next to one another by their labels
   */
  private record Met(double width, double buckets, double pieces) {

    static Met of(TreeGeometry geometry, int level, int runs, int count) {
      double width = 1L << level;
      boolean whole = count >= width;
      // Each bucket is missed by a run with the same probability.
      double met = whole ? width : width * (1 - miss(count, width, runs));
      // A piece begins where a bucket is met and the one before it is not.
      double begun = miss(count, width, runs) - miss(count + 1, width, runs);
      double pieces = whole ? 1 : Math.max(width * begun, Math.min(1, met / width));
      if (geometry.firstStored(level) > 0) {
        // A piece that begins with buckets which the client holds begins anew after them.
        double joints = Math.max(0, met - pieces);
        pieces = whole ? 1 : pieces * geometry.storedShare(level) + joints / width;
        met *= geometry.storedShare(level);
      }
      return new Met(width, met, pieces);
    }

    /** Returns the probability that runs of this many labels miss a bucket. */
    private static double miss(int count, double width, int runs) {
      return Math.pow(Math.max(0, 1 - count / width), runs);
    }

    /** Returns where a bucket follows another of its piece. */
    double joints() {
      return Math.max(0, buckets - pieces);
    }
  }

  private final TreeParameters parameters;
  private final StoreLayout layout;
  private final SizeClasses classes;
  private final OtherTreesDebt otherTrees;
  private final @Nullable MapShape maps;

  /** Creates the costs of a configuration. */
  TreeCosts(OramConfig config) {
    parameters = TreeParameters.of(config);
    layout = new StoreLayout(config);
    classes = new SizeClasses(parameters);
    otherTrees = new OtherTreesDebt(parameters);
    maps = layout.maps();
  }

  /**
   * Returns an access of rORAM, of this many blocks.
   *
   * @param writes whether it writes; of no matter where that is hidden
   */
  Cost ofRange(int blocks, boolean writes) {
    int sizeClass = classes.of(blocks);
    int tree = classes.tree(sizeClass);
    int exponent = classes.exponent(tree);
    int ranges = classes.ranges(sizeClass);
    int read = ranges << exponent;
    Cost cost = read(tree, ranges, 1 << exponent).plus(evictions(tree, read));
    for (int other = 0; other < layout.dataTrees(); other++) {
      if (other != tree) {
        cost = withOtherTree(cost, other, classes.blocks(sizeClass), read, writes);
      }
    }
    return withLookUps(cost, exponent, ranges);
  }

  /** Adds the evictions of a tree that is not read. */
  private Cost withOtherTree(Cost cost, int tree, int classBlocks, int read, boolean writes) {
    double owed = otherTrees.average(classBlocks, read, writes);
    if (owed == 0) {
      return cost;
    }
    int turns = otherTrees.paysInTurn(classBlocks, writes) ? layout.dataTrees() - 1 : 1;
    return cost.plus(evictions(tree, turns * owed).times(1.0 / turns));
  }

  /** Returns an access of batched Path ORAM to one block. */
  Cost ofBlock() {
    return withLookUps(read(0, 1, 1).plus(evictions(0, 1)), 0, 1);
  }

  private Cost withLookUps(Cost access, int rangeExponent, int ranges) {
    Cost cost = access;
    for (int level = 0; maps != null && level < maps.levels(); level++) {
      int runs = maps.runs(level, rangeExponent, ranges);
      int tree = layout.dataTrees() + level;
      cost = cost.plus(read(tree, runs, 1).plus(evictions(tree, runs)));
    }
    return cost;
  }

  /** Returns a read of several runs of this many consecutive labels; each run begins anywhere. */
  private Cost read(int tree, int runs, int count) {
    TreeGeometry geometry = layout.geometry(tree);
    int together = layout.chunkPaths(parameters, tree);
    double buckets = 0;
    double extents = 0;
    double gets = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      Met met = Met.of(geometry, level, runs, count);
      // One joint of a level is where the counter stands, one of its ring where that ends.
      double broken = met.joints() / met.width();
      broken += (met.joints() - broken) / (met.width() + slack(tree));
      buckets += met.buckets();
      extents += met.pieces() + broken;
      // Others of objects are where one ends.
      double ends = together < met.width() ? 1.0 / together : 0;
      gets += met.pieces() + met.joints() * (1 / met.width() + ends);
    }
    return new Cost(
        new AccessCost(1, extents, buckets * bucketBytes(tree), 0), new ObjectCost(gets, 0));
  }

  /**
   * Returns the evictions for this many blocks at a time, again and again: chunks as they fall due.
   */
  private Cost evictions(int tree, double owed) {
    int most = layout.chunkPaths(parameters, tree);
    int waiting = layout.windowBlocks(parameters, tree);
    Pace pace = new Pace(owed, parameters.evictionRate(), waiting, most);
    if (KNOWN.size() > MOST_KNOWN) {
      KNOWN.clear();
    }
    Chunks chunks = KNOWN.computeIfAbsent(pace, Chunks::of);
    AccessCost cost = AccessCost.NONE;
    for (Map.Entry<Integer, Integer> chunk : chunks.lengths.entrySet()) {
      cost = cost.plus(chunk(tree, chunk.getKey()).times(chunk.getValue()));
    }
    return new Cost(cost.times(owed / pace.rate / chunks.paths), wholeChunks(tree, owed));
  }

  /** Returns the objects of whole chunks: each reads and writes one object of each stored level. */
  private ObjectCost wholeChunks(int tree, double owed) {
    TreeGeometry geometry = layout.geometry(tree);
    int levels = geometry.height() + 1 - geometry.treetopLevels();
    double chunks = owed / parameters.evictionRate() / layout.chunkPaths(parameters, tree);
    return new ObjectCost(chunks * levels, chunks * levels);
  }

  /** Returns a chunk of this many paths, read and written. */
  private AccessCost chunk(int tree, int paths) {
    TreeGeometry geometry = layout.geometry(tree);
    double buckets = 0;
    double extents = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      double width = Math.min(paths, 1L << level);
      buckets += width * geometry.storedShare(level);
      if (geometry.firstStored(level) > 0) {
        extents += geometry.storedShare(level) + (width - 1) / (1L << level);
      } else {
        extents += 1 + (width - 1) / ((1L << level) + slack(tree));
      }
    }
    double bytes = buckets * bucketBytes(tree);
    return new AccessCost(2, 2 * extents, bytes, bytes);
  }

  private double slack(int tree) {
    return 2.0 * layout.chunkPaths(parameters, tree);
  }

  private int bucketBytes(int tree) {
    return layout.descriptor(tree).sealedBytes();
  }
}
