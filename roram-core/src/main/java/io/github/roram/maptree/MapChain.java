package io.github.roram.maptree;

import io.github.roram.IntegrityException;
import io.github.roram.audit.TreeAudit;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.journal.Intent;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.posmap.RangeLabels;
import io.github.roram.tree.PathRead;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A recursive position map in use. One chain of reads looks up the labels of an access's ranges in
 * all trees.
 *
 * <p>The client knows the labels of the uppermost map blocks. Each read of a chain brings the map
 * blocks with the labels for the next read; the last one brings those of the data. Nothing changes
 * until the whole chain has been read: a failed chain is repeated from where it failed or, in
 * another process, from its beginning, and shows the same paths. Then all its map blocks get fresh
 * labels, which were chosen before the first read.
 *
 * <p>A map block that was never written has no copy in its tree. The client creates it without
 * labels, which stands for the pseudorandom ones, so creation and bulk loading write no map.
 *
 * <h2>Security</h2>
 *
 * For each tree of the map the store sees as many labels as a class can touch map blocks. The
 * labels are fresh, uniform and shown once, whether the blocks exist or not. Not thread safe.
 */
public final class MapChain {

  private final MapShape shape;
  private final LabelPrf prf;

  /** The trees of the map, the lowest first. */
  private final List<RangeTree> trees = new ArrayList<>();

  /**
   * Creates a chain without trees; trees are {@linkplain #add added} beginning with the uppermost.
   */
  public MapChain(MapShape shape, LabelPrf firstLabels) {
    this.shape = shape;
    this.prf = firstLabels;
  }

  /** Adds the tree of the next level down. */
  public void add(RangeTree tree) {
    trees.add(0, tree);
  }

  /** Returns the trees of the map, the lowest first. */
  public List<RangeTree> trees() {
    return trees;
  }

  /**
   * Returns the labels of a tree of data or of the map: in the tree of the map that contains them,
   * or with the client if none does.
   *
   * @param held whether blocks hold data; if not, the client holds all labels, and the map's trees
   *     are read as if they contained them
   */
  public RangeLabels labelsOf(TreeGeometry geometry, boolean held) {
    for (int level = 0; level < shape.levels(); level++) {
      for (MapShape.Level.Mapped mapped : shape.level(level).mapped()) {
        if (mapped.tree() == geometry.tree()) {
          RangeTree map = trees.get(trees.size() - shape.levels() + level);
          return held
              ? new MappedLabels(map, shape.level(level), mapped, prf, geometry)
              : new MappedLabels.WithoutBlocks(prf, geometry);
        }
      }
    }
    return local(geometry);
  }

  private LocalPositionMap local(TreeGeometry geometry) {
    return new LocalPositionMap(prf, geometry.tree(), geometry.ranges(), geometry.leaves());
  }

  /**
   * Returns the reads of a chain, the uppermost first. Their labels are not yet known, except those
   * of dummy runs.
   *
   * @param data the shape of the tree of data
   * @param ranges the ranges to read: consecutive, or at most as many as {@link #scattered} allows;
   *     padded with −1
   * @param choice chooses what a tree shows for its blocks
   */
  public List<Intent> plan(TreeGeometry data, int[] ranges, Choice choice) {
    List<Intent> chain = new ArrayList<>();
    for (int level = shape.levels() - 1; level >= 0; level--) {
      int[] blocks = shape.level(level).blocks(data.rangeExponent(), ranges);
      chain.add(choice.of(shape.level(level).tree(), blocks));
    }
    return chain;
  }

  /** Chooses what a read of ranges of a tree shows. */
  @FunctionalInterface
  public interface Choice {
    Intent of(int tree, int... ranges);
  }

  /** Returns whether the chain of an intent is one that {@link #plan} could have made. */
  public boolean isPlanned(Intent read, TreeGeometry data) {
    List<Intent> chain = read.maps();
    if (chain.size() != shape.levels() || read.ranges()[0] < 0) {
      return false;
    }
    for (int i = 0; i < chain.size(); i++) {
      MapShape.Level level = shape.level(shape.levels() - 1 - i);
      int[] blocks = level.blocks(data.rangeExponent(), read.ranges());
      if (chain.get(i).tree() != level.tree() || !Arrays.equals(chain.get(i).ranges(), blocks)) {
        return false;
      }
    }
    return true;
  }

  /** The reads that are in flight at the same time. */
  @FunctionalInterface
  public interface UnderWay {

    /** Stands for one read at a time, where the client holds the blocks of all earlier parts. */
    UnderWay NONE =
        (tree, block) -> {
          throw new IllegalStateException("block " + block + " of tree " + tree + " was not read");
        };

    /**
     * Returns the read that shows a block of a tree of the map, all copies of which have arrived.
     */
    PathRead showing(int tree, int block);
  }

  /**
   * Fills in the labels that are not yet known of a part of a chain or of its read of data. All
   * earlier parts of this chain and of older chains have arrived; the client need not hold their
   * blocks yet.
   */
  public void fillIn(Intent part, RangeTree tree, UnderWay reads) {
    for (int run = 0; run < part.ranges().length; run++) {
      if (part.labels()[run] == Intent.NOT_LOOKED_UP) {
        part.labels()[run] = label(part.ranges()[run], tree, reads);
      }
    }
  }

  private static int label(int range, RangeTree tree, UnderWay reads) {
    RangeLabels labels = tree.positions();
    int label =
        labels instanceof MappedLabels mapped ? mapped.label(range, reads) : labels.label(range);
    if (label < 0 || label >= tree.geometry().leaves()) {
      throw new IntegrityException(
          "the position map says that range "
              + range
              + " of tree "
              + tree.geometry().tree()
              + " has label "
              + label
              + ", must be 0 to "
              + (tree.geometry().leaves() - 1)
              + "; restore the client's records from copies made together");
    }
    return label;
  }

  /** Creates the blocks that a part of a chain did not bring, because they were never written. */
  public void createAbsent(Intent part) {
    RangeTree tree = tree(part);
    for (int run = 0; run < part.ranges().length; run++) {
      int block = part.ranges()[run];
      if (block >= 0 && tree.stash().find(block) < 0) {
        tree.stash().putKept(block, part.labels()[run]);
      }
    }
  }

  private RangeTree tree(Intent part) {
    return trees.get(part.tree() - shape.level(0).tree());
  }

  /** Returns a reading without labels, which gathers those of all map blocks that it is given. */
  public TreeAudit.LabelReading reading(RangeTree[] data) {
    List<RangeTree> all = new ArrayList<>(trees);
    all.addAll(List.of(data));
    return new Reading(shape, prf, all);
  }

  /**
   * Returns how many map blocks of a level an access to {@code ranges} ranges of a tree of data
   * looks up.
   */
  public int runs(int level, RangeTree data, int ranges) {
    return shape.runs(level, data.geometry().rangeExponent(), ranges);
  }

  /**
   * Returns the most scattered ranges of a tree of data whose map blocks a read of {@code ranges}
   * ranges looks up.
   */
  public int scattered(int level, RangeTree data, int ranges) {
    return shape.level(level).scattered(data.geometry().rangeExponent(), ranges);
  }

  /**
   * Returns the map blocks that were looked up, before they change, for the journal: see {@link
   * LookUpDescriptor}. The length depends only on the tree and the number of ranges.
   */
  public byte[] record(Intent read) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (Intent part : read.maps()) {
      LookUpDescriptor.write(part, tree(part).stash(), out);
    }
    return bytes.toByteArray();
  }

  /** Repeats a look-up from its {@link #record}. */
  public void replay(Intent read, RangeTree data, DataInput in) throws IOException {
    for (Intent part : read.maps()) {
      fillIn(part, tree(part), UnderWay.NONE);
      LookUpDescriptor.read(part, tree(part).stash(), in);
    }
    fillIn(read, data, UnderWay.NONE);
  }

  /**
   * All labels of a recursive position map, gathered from all its blocks: 4 bytes for each range.
   */
  private static final class Reading implements TreeAudit.LabelReading {

    private final MapShape shape;
    private final LabelPrf prf;
    private final Map<Integer, RangeTree> trees = new HashMap<>();

    /** For each tree, the labels {@linkplain MappedLabels#entry as map blocks contain them}. */
    private final Map<Integer, int[]> labels = new HashMap<>();

    Reading(MapShape shape, LabelPrf prf, List<RangeTree> all) {
      this.shape = shape;
      this.prf = prf;
      for (RangeTree tree : all) {
        trees.put(tree.geometry().tree(), tree);
      }
      for (MapShape.Level.Mapped mapped : allMapped()) {
        int number = mapped.tree();
        RangeTree tree = trees.get(number);
        if (tree != null) {
          labels.put(number, new int[tree.geometry().ranges()]);
        }
      }
    }

    private List<MapShape.Level.Mapped> allMapped() {
      List<MapShape.Level.Mapped> all = new ArrayList<>();
      for (int level = 0; level < shape.levels(); level++) {
        all.addAll(shape.level(level).mapped());
      }
      return all;
    }

    @Override
    public void take(int mapTree, int block, byte[] array, int offset) {
      for (int i = 0; i < shape.levels(); i++) {
        MapShape.Level level = shape.level(i);
        if (level.tree() == mapTree) {
          level.mapped().forEach(mapped -> take(level, mapped, block, array, offset));
        }
      }
    }

    private void take(
        MapShape.Level level, MapShape.Level.Mapped mapped, int block, byte[] array, int offset) {
      int[] of = labels.get(mapped.tree());
      int count = level.labels(mapped);
      long first = (long) block * count;
      for (int i = 0; of != null && i < count && first + i < of.length; i++) {
        int entry = offset + (mapped.firstEntry() + i) * MapShape.Level.LABEL_BYTES;
        of[(int) first + i] = PlainBucket.getInt(array, entry);
      }
    }

    @Override
    public int label(TreeGeometry geometry, int address) {
      int range = address >>> geometry.rangeExponent();
      int[] known = labels.get(geometry.tree());
      int first;
      if (known == null) {
        // The client holds this tree's labels.
        RangeTree tree = trees.get(geometry.tree());
        if (tree == null) {
          throw new IllegalArgumentException("no tree " + geometry.tree());
        }
        first = tree.positions().label(range);
      } else {
        first = MappedLabels.label(geometry, known[range], prf, range);
      }
      return geometry.label(first, address & (geometry.rangeBlocks() - 1));
    }
  }
}
