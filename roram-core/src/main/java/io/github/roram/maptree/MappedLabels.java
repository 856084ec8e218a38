package io.github.roram.maptree;

import io.github.roram.bucket.PlainBucket;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.cipher.LabelPrf;
import io.github.roram.posmap.LocalPositionMap;
import io.github.roram.posmap.RangeLabels;
import io.github.roram.stash.Stash;
import io.github.roram.tree.RangeTree;
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
  private final int leaves;

  /** Labels in a map block, as an exponent. */
  private final int shift;

  /**
   * The labels of a tree.
   *
   * @param map where they are
   * @param level the level of the map that it is
   * @param mapped their place in it
   * @param leaves number of leaves of the tree whose labels these are
   */
  MappedLabels(
      RangeTree map, MapShape.Level level, MapShape.Level.Mapped mapped, LabelPrf prf, int leaves) {
    this.map = map;
    this.prf = prf;
    this.mapped = mapped;
    this.leaves = leaves;
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
    return entry == 0 ? prf.label(mapped.tree(), range, leaves) : entry - 1;
  }

  /** In a map that was never used, as when blocks are bulk loaded, no label was ever given. */
  private int unknown(int range) {
    boolean untouched =
        map.schedule().evictions() == map.geometry().leaves() && map.stash().size() == 0;
    if (!untouched) {
      throw new IllegalStateException(
          "the label of range "
              + range
              + " of tree "
              + mapped.tree()
              + " was not looked up; this is a bug of the ORAM, please report it");
    }
    return prf.label(mapped.tree(), range, leaves);
  }

  private int place(int range) {
    return (mapped.firstEntry() + (range & ((1 << shift) - 1))) * MapShape.Level.LABEL_BYTES;
  }

  @Override
  public int[] exchange(int first, int[] freshLabels) {
    int[] old = new int[freshLabels.length];
    Stash stash = map.stash();
    for (int i = 0; i < old.length; i++) {
      int range = first + i;
      old[i] = label(range);
      int slot = stash.find(range >>> shift);
      if (slot < 0) {
        throw new IllegalStateException("range " + range + " was not looked up");
      }
      // The stash is to know of the change: relabelled as it is.
      stash.relabel(slot, stash.label(slot));
      PlainBucket.setInt(stash.array(slot), stash.offset(slot) + place(range), freshLabels[i] + 1);
    }
    return old;
  }

  /** The map's own trees are emptied for that. */
  @Override
  public void clear() {}

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
  static final class WithoutBlocks implements RangeLabels {

    private final LocalPositionMap labels;

    WithoutBlocks(LocalPositionMap labels) {
      this.labels = labels;
    }

    @Override
    public int label(int range) {
      return labels.label(range);
    }

    @Override
    public int[] exchange(int first, int[] freshLabels) {
      return labels.exchange(first, freshLabels);
    }

    @Override
    public void clear() {
      labels.clear();
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
