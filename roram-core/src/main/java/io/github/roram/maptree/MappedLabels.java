package io.github.roram.maptree;

import io.github.roram.bucket.PlainBucket;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.posmap.RangeLabels;
import io.github.roram.stash.Stash;
import io.github.roram.tree.RangeTree;
import io.github.roram.tree.TreeGeometry;
import java.io.DataInput;

/**
 * The labels of a tree that are in a tree of the map. A label is known if the client holds its map
 * block because the current access has looked it up. A range that was never given a label has the
 * pseudorandom one.
 */
final class MappedLabels implements RangeLabels {

  private final RangeTree map;
  private final LabelPrf prf;
  private final MapShape.Level.Mapped mapped;
  private final TreeGeometry geometry;

  /** Binary logarithm of the number of labels that a map block has of this tree. */
  private final int shift;

  /**
   * Creates the labels of a tree.
   *
   * @param map the tree of the map that contains them
   * @param level the level of {@code map}
   * @param mapped the place of the labels in a map block
   * @param geometry the shape of the tree whose labels these are
   */
  MappedLabels(
      RangeTree map,
      MapShape.Level level,
      MapShape.Level.Mapped mapped,
      LabelPrf prf,
      TreeGeometry geometry) {
    this.map = map;
    this.prf = prf;
    this.mapped = mapped;
    this.geometry = geometry;
    shift = level.exponent() - mapped.exponent();
  }

  @Override
  public int label(int range) {
    int slot = map.stash().find(range >>> shift);
    if (slot < 0) {
      return unknown(range);
    }
    Stash stash = map.stash();
    int entry = PlainBucket.getInt(stash.array(slot), stash.offset(slot) + place(range));
    return label(geometry, entry, prf, range);
  }

  /**
   * Returns the label of a range while reads are in flight. If the client does not hold the map
   * block, the label comes from the copies that arrived with the read that shows the block.
   */
  int label(int range, MapChain.UnderWay reads) {
    int block = range >>> shift;
    if (map.stash().find(block) >= 0) {
      return label(range);
    }
    int entry = reads.showing(map.geometry().tree(), block).arrivedInt(block, place(range));
    return label(geometry, entry, prf, range);
  }

  @Override
  public int firstLabel(int range) {
    return first(geometry, prf, range);
  }

  /**
   * Returns the entry of a map block for a label; an entry of 0 means that no label was given yet.
   * The entry is the label plus 1 if the tree has its first height, otherwise the label plus 2^h
   * with its height h. The entry tells which, since 2^h exceeds any label plus 1 of a smaller
   * height.
   */
  static int entry(TreeGeometry geometry, int label) {
    return label + (geometry.height() == geometry.firstHeight() ? 1 : geometry.leaves());
  }

  /**
   * Returns the label that an entry stands for.
   *
   * @param prf provides the pseudorandom label of the range
   * @return −1 if the entry is invalid
   */
  static int label(TreeGeometry geometry, int entry, LabelPrf prf, int range) {
    if (entry == 0) {
      return first(geometry, prf, range);
    }
    int firstHeight = geometry.firstHeight();
    int then = firstHeight;
    int label = entry - 1;
    if (label >>> firstHeight != 0) {
      then = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(entry);
      label = entry - (1 << then);
      if (then <= firstHeight || then > geometry.height()) {
        return -1;
      }
    }
    return then == geometry.height()
        ? label
        : TreeGeometry.grown(label, then, first(geometry, prf, range));
  }

  private static int first(TreeGeometry geometry, LabelPrf prf, int range) {
    return prf.label(geometry.tree(), range, geometry.leaves());
  }

  /**
   * Returns the label of a range in a map that was never used, as during a bulk load: no range has
   * been given a label.
   */
  private int unknown(int range) {
    boolean untouched =
        map.schedule().evictions() == map.geometry().firstEviction() && map.stash().size() == 0;
    if (!untouched) {
      throw new IllegalStateException(
          "the label of range "
              + range
              + " of tree "
              + mapped.tree()
              + " was not looked up; this is a bug of the ORAM, please report it");
    }
    return firstLabel(range);
  }

  private int place(int range) {
    return (mapped.firstEntry() + (range & ((1 << shift) - 1))) * MapShape.Level.LABEL_BYTES;
  }

  @Override
  public int exchange(int range, int freshLabel) {
    int old = label(range);
    Stash stash = map.stash();
    int slot = stash.find(range >>> shift);
    if (slot < 0) {
      throw new IllegalStateException("range " + range + " was not looked up");
    }
    // Relabelling with the same label tells the stash that the block changes.
    stash.relabel(slot, stash.label(slot));
    PlainBucket.setInt(
        stash.array(slot), stash.offset(slot) + place(range), entry(geometry, freshLabel));
    return old;
  }

  /** Does nothing: the labels go when the map's own trees are emptied. */
  @Override
  public void clear() {}

  /**
   * Does nothing: each entry in the map's own trees tells the height at which its label was given.
   */
  @Override
  public void growFrom(RangeLabels smaller) {}

  @Override
  public void addTo(StateCopy state, long mostLabels) {}

  @Override
  public void readFrom(DataInput in) {}

  @Override
  public long heldBytes() {
    return 0;
  }

  /**
   * Stands in for {@link MappedLabels} where blocks hold no data. The client holds the labels, and
   * the map's trees are read as if they contained them. The labels do not count as client memory.
   */
  static final class WithoutBlocks extends LocalPositionMap {

    WithoutBlocks(LabelPrf prf, TreeGeometry geometry) {
      super(prf, geometry.tree(), geometry.ranges(), geometry.leaves());
    }

    @Override
    public void addTo(StateCopy state, long mostLabels) {}

    @Override
    public void readFrom(DataInput in) {}

    @Override
    public long heldBytes() {
      return 0;
    }
  }
}
