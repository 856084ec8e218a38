package io.github.roram.maptree;

import io.github.roram.bucket.PlainBucket;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All labels of a recursive position map, gathered from all its blocks: 4 bytes a range. */
public final class MapReading {

  private final MapShape shape;
  private final LabelPrf prf;
  private final Map<Integer, RangeTree> trees = new HashMap<>();

  /** Labels plus one of each tree; 0 where none was given. */
  private final Map<Integer, int[]> labels = new HashMap<>();

  MapReading(MapShape shape, LabelPrf prf, List<RangeTree> all) {
    this.shape = shape;
    this.prf = prf;
    for (RangeTree tree : all) {
      trees.put(tree.geometry().tree(), tree);
    }
    for (MapLevel.Mapped mapped : allMapped()) {
      int number = mapped.tree();
      RangeTree tree = trees.get(number);
      if (tree != null) {
        labels.put(number, new int[tree.geometry().ranges()]);
      }
    }
  }

  private List<MapLevel.Mapped> allMapped() {
    List<MapLevel.Mapped> all = new ArrayList<>();
    for (int level = 0; level < shape.levels(); level++) {
      all.addAll(shape.level(level).mapped());
    }
    return all;
  }

  /** Takes the labels out of a map block. */
  public void take(int mapTree, int block, byte[] array, int offset) {
    for (int i = 0; i < shape.levels(); i++) {
      MapLevel level = shape.level(i);
      if (level.tree() == mapTree) {
        level.mapped().forEach(mapped -> take(level, mapped, block, array, offset));
      }
    }
  }

  private void take(MapLevel level, MapLevel.Mapped mapped, int block, byte[] array, int offset) {
    int[] of = labels.get(mapped.tree());
    int count = level.labels(mapped);
    long first = (long) block * count;
    for (int i = 0; of != null && i < count && first + i < of.length; i++) {
      int entry = offset + (mapped.firstEntry() + i) * MapLevel.LABEL_BYTES;
      of[(int) first + i] = PlainBucket.getInt(array, entry);
    }
  }

  /** The label of a block of a tree, once the blocks of the map were taken that hold it. */
  public int label(TreeGeometry geometry, int address) {
    int range = address >>> geometry.rangeExponent();
    int[] known = labels.get(geometry.tree());
    int first;
    if (known == null) {
      // The client has them.
      RangeTree tree = trees.get(geometry.tree());
      if (tree == null) {
        throw new IllegalArgumentException("no tree " + geometry.tree());
      }
      first = tree.positions().label(range);
    } else if (known[range] != 0) {
      first = known[range] - 1;
    } else {
      first = prf.label(geometry.tree(), range, geometry.leaves());
    }
    return geometry.label(first, address & (geometry.rangeBlocks() - 1));
  }
}
