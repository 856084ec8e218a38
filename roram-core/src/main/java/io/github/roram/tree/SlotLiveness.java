package io.github.roram.tree;

import io.github.roram.checkpoint.StateCopy;
import io.github.roram.posmap.TakenSlots;
import java.io.DataInput;
import java.io.IOException;

/**
 * By a bit for each slot: a copy is stale once a read met it on the paths of its range. For trees
 * whose labels are on the store (construction, section 2.4).
 *
 * <p>A read takes every copy of the ranges that it reads, and not the newest alone: all of them are
 * on the paths that it shows, since a copy that no read met has the label that its block has now.
 * An eviction that writes a bucket anew writes current copies alone. Blocks that enter a tree under
 * the label that they have there leave an older copy further down the same path: of the two the one
 * nearer the root is newer, as everywhere.
 */
public final class SlotLiveness implements Liveness {

  private final TreeGeometry geometry;
  private final TakenSlots taken;

  /** Of a tree that no read has met. */
  public SlotLiveness(TreeGeometry geometry) {
    this.geometry = geometry;
    long top = (1L << geometry.treetopLevels()) - 1;
    long all = 2L * geometry.leaves() - 1;
    taken = new TakenSlots((all - top) * geometry.slots());
  }

  private long index(int level, int bucket, int slot) {
    long before = (1L << level) - (1L << geometry.treetopLevels());
    return (before + bucket) * geometry.slots() + slot;
  }

  @Override
  public boolean isCurrent(int level, int bucket, int slot, int address, int label) {
    return !taken.get(index(level, bucket, slot));
  }

  /** The client has no map to compare with. */
  @Override
  public boolean isHeldUnder(int address, int label) {
    return true;
  }

  @Override
  public void taken(int level, int bucket, int slot) {
    taken.set(index(level, bucket, slot));
  }

  @Override
  public void rewritten(long first, int paths) {
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      int width = (int) Math.min(paths, 1L << level);
      for (int path = 0; path < width; path++) {
        int bucket = geometry.bucket(first + path, level);
        for (int slot = 0; slot < geometry.slots(); slot++) {
          taken.clear(index(level, bucket, slot));
        }
      }
    }
  }

  @Override
  public int takenBytes(int runs) {
    long bits = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      bits += (long) runs * labelsOf(level) * geometry.slots();
    }
    return Math.toIntExact((bits + Byte.SIZE - 1) / Byte.SIZE);
  }

  /** How many labels of a run meet different buckets of a level. */
  private int labelsOf(int level) {
    return (int) Math.min(geometry.rangeBlocks(), 1L << level);
  }

  /** Is shown the slots of paths, one after another. */
  @FunctionalInterface
  private interface SlotVisitor {
    void slot(long index, int bit);
  }

  private void visit(int[] labels, SlotVisitor visitor) {
    int bit = 0;
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      for (int label : labels) {
        for (int offset = 0; offset < labelsOf(level); offset++) {
          int bucket = geometry.bucket(geometry.label(label, offset), level);
          for (int slot = 0; slot < geometry.slots(); slot++) {
            visitor.slot(index(level, bucket, slot), bit++);
          }
        }
      }
    }
  }

  @Override
  public void copyTaken(int[] labels, byte[] target, int offset) {
    visit(
        labels,
        (index, bit) -> {
          if (taken.get(index)) {
            target[offset + bit / Byte.SIZE] |= (byte) (1 << bit % Byte.SIZE);
          }
        });
  }

  @Override
  public void takeAll(int[] labels, byte[] source, int offset) {
    visit(
        labels,
        (index, bit) -> {
          if ((source[offset + bit / Byte.SIZE] & 1 << bit % Byte.SIZE) != 0) {
            taken.set(index);
          }
        });
  }

  @Override
  public void clear() {
    taken.clear();
  }

  /** Levels that are added come behind all others. */
  @Override
  public void growFrom(Liveness smaller) {
    taken.growFrom(((SlotLiveness) smaller).taken);
  }

  @Override
  public void addTo(StateCopy state, long mostTaken, long mostHeld) {
    taken.addTo(state, mostTaken);
  }

  @Override
  public void readFrom(DataInput in) throws IOException {
    taken.readFrom(in);
  }

  @Override
  public long heldBytes() {
    return taken.heldBytes();
  }
}
