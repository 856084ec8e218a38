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
 * The labels of a tree that are in a tree of the map: those can be told whose map block the client
 * holds, because the access at hand has looked it up. A label that was never given is the
 * pseudorandom one.
 */
final class MappedLabels implements RangeLabels {

  private final RangeTree map;
  private final LabelPrf prf;
  private final MapShape.Level.Mapped mapped;
  private final TreeGeometry geometry;

  /** Labels in a map block, as an exponent. */
  private final int shift;

  /**
   * Creates the labels of a tree.
   *
   * @param map the tree of the map that contains them
   * @param level the level of that tree in the map
   * @param mapped their place in it
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
   * Returns the label of a range while reads are in flight: if the client does not hold the map
   * block, taken from the copies that have arrived with the read that shows it.
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
   * Returns what a map block has for a label: 0 where none was given yet. It is the label plus one,
   * or plus 2^h if the tree had height h as it was given, which it did not have at first. Which of
   * them it is follows from the number, since 2^h is more than any label plus one from before.
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
   * Returns the label of a range in a map that was never used, as during a bulk load: none was ever
   * given.
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
    // The stash is to know of the change: relabelled as it is.
    stash.relabel(slot, stash.label(slot));
    PlainBucket.setInt(
        stash.array(slot), stash.offset(slot) + place(range), entry(geometry, freshLabel));
    return old;
  }

  /** Does nothing: the map's own trees are emptied. */
  @Override
  public void clear() {}

  /** Does nothing: the labels are in the map's own trees, which tell when each was given. */
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
   * Stands in for {@link MappedLabels} where blocks hold no data: the labels are with the client,
   * and the map's trees are read just as if they were in them. They do not count as what a client
   * holds.
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
