package io.github.roram.store;

import java.util.Arrays;

/**
 * A vectored request: extents of whole units, for one tree and one purpose. Reusable, grows as
 * needed; not safe for use by several threads.
 *
 * <p>A unit is what the client seals as one message (a bucket), so stores never pass on part of
 * one. Adjacent extents are merged, since for a medium they are one.
 */
public final class ExtentBatch {

  /** The tree number of batches that belong to no tree, such as the superblock's. */
  public static final int NO_TREE = -1;

  private long[] offsets = new long[64];
  private int[] firstUnits = new int[65];
  private int extents;
  private int unitBytes = 1;
  private IoPhase phase = IoPhase.META;
  private int tree = NO_TREE;

  /** Empties the batch and sets the purpose of the extents that are added from now on. */
  public ExtentBatch reset(IoPhase newPhase, int newTree, int newUnitBytes) {
    if (newUnitBytes <= 0) {
      throw new IllegalArgumentException("unitBytes is " + newUnitBytes + ", must be positive");
    }
    phase = newPhase;
    tree = newTree;
    unitBytes = newUnitBytes;
    extents = 0;
    firstUnits[0] = 0;
    return this;
  }

  /** Appends {@code units} units from byte {@code offset} on. Does nothing if there are none. */
  public void add(long offset, int units) {
    if (units < 0 || offset < 0) {
      throw new IllegalArgumentException("extent of " + units + " units at " + offset);
    }
    if (units == 0) {
      return;
    }
    int total = Math.addExact(firstUnits[extents], units);
    if (extents > 0 && offset == offsets[extents - 1] + bytes(extents - 1)) {
      firstUnits[extents] = total;
      return;
    }
    if (extents == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * extents);
      firstUnits = Arrays.copyOf(firstUnits, 2 * extents + 1);
    }
    offsets[extents] = offset;
    firstUnits[++extents] = total;
  }

  /**
   * Empties the batch and copies some units of another one.
   *
   * @param firstUnit the first unit to copy; it becomes unit 0
   */
  public ExtentBatch resetToPart(ExtentBatch whole, int firstUnit, int units) {
    reset(whole.phase, whole.tree, whole.unitBytes);
    int unit = firstUnit;
    int extent = Arrays.binarySearch(whole.firstUnits, 0, whole.extents, firstUnit);
    extent = extent < 0 ? -extent - 2 : extent;
    while (unit < firstUnit + units) {
      int end = Math.min(firstUnit + units, whole.firstUnits[extent + 1]);
      long skipped = (long) (unit - whole.firstUnits[extent]) * unitBytes;
      add(whole.offsets[extent] + skipped, end - unit);
      unit = end;
      extent++;
    }
    return this;
  }

  /** Returns the number of extents. */
  public int extents() {
    return extents;
  }

  /** Returns the byte offset of an extent in the store. */
  public long offset(int extent) {
    return offsets[extent];
  }

  /** Returns the number of units of an extent. */
  public int units(int extent) {
    return firstUnits[extent + 1] - firstUnits[extent];
  }

  /** Returns the number, over the whole batch, of an extent's first unit. */
  public int firstUnit(int extent) {
    return firstUnits[extent];
  }

  /** Returns the length of an extent in bytes. */
  public long bytes(int extent) {
    return (long) units(extent) * unitBytes;
  }

  /** Returns the number of units of all extents. */
  public int units() {
    return firstUnits[extents];
  }

  /** Returns the bytes of all extents. */
  public long bytes() {
    return (long) units() * unitBytes;
  }

  /** Returns the bytes of one unit. */
  public int unitBytes() {
    return unitBytes;
  }

  /** Returns what the batch is for. */
  public IoPhase phase() {
    return phase;
  }

  /** Returns the number of the tree whose buckets these are, or {@link #NO_TREE}. */
  public int tree() {
    return tree;
  }

  /** Throws {@link IndexOutOfBoundsException} unless all extents are in {@code [0, capacity)}. */
  public void checkWithin(long capacityBytes) {
    for (int i = 0; i < extents; i++) {
      if (offsets[i] > capacityBytes - bytes(i)) {
        throw new IndexOutOfBoundsException(
            "extent [" + offsets[i] + ", +" + bytes(i) + ") exceeds capacity " + capacityBytes);
      }
    }
  }

  @Override
  public String toString() {
    return phase + " of tree " + tree + ": " + extents + " extents, " + bytes() + " bytes";
  }
}
