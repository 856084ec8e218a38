package io.github.roram.tree;

import io.github.roram.IntegrityException;
import io.github.roram.checkpoint.StateCopy;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The tombstones of a tree that the client holds, oldest first: for blocks that a read gave another
 * label, the address and the label that they had. See {@link TombstoneLiveness}.
 *
 * <p>Not thread safe.
 */
public final class Tombstones {

  /** Bytes of one in the client's saved state. */
  static final int SAVED_BYTES = 2 * Integer.BYTES;

  private static final int LEAST_CAPACITY = 64;

  private int[] addresses = new int[LEAST_CAPACITY];
  private int[] labels = new int[LEAST_CAPACITY];
  private int size;

  /** How many there are. */
  int size() {
    return size;
  }

  int address(int index) {
    return addresses[index];
  }

  int label(int index) {
    return labels[index];
  }

  /** A block, and the label that it had, as one number. */
  static long key(int address, int label) {
    return (long) address << Integer.SIZE | label;
  }

  /** Adds one behind all others. */
  void add(int address, int label) {
    if (size == addresses.length) {
      int capacity = size + size / 4;
      addresses = Arrays.copyOf(addresses, capacity);
      labels = Arrays.copyOf(labels, capacity);
    }
    addresses[size] = address;
    labels[size++] = label;
  }

  /** Removes those of these numbers; the others keep their order. */
  void removeAll(BitSet gone) {
    int kept = 0;
    for (int index = 0; index < size; index++) {
      if (!gone.get(index)) {
        addresses[kept] = addresses[index];
        labels[kept++] = labels[index];
      }
    }
    size = kept;
  }

  /** Removes all. */
  void clear() {
    size = 0;
  }

  /**
   * Adds them to the state.
   *
   * @param most the most that there can be, as far as everyone knows
   */
  void addTo(StateCopy state, long most) throws IOException {
    state.addNow(this::write, Integer.BYTES + most * SAVED_BYTES);
  }

  private void write(DataOutput out) throws IOException {
    out.writeInt(size);
    for (int index = 0; index < size; index++) {
      out.writeInt(addresses[index]);
      out.writeInt(labels[index]);
    }
  }

  /**
   * Loads what {@link #addTo} added.
   *
   * @param geometry the tree
   */
  void readFrom(DataInput in, TreeGeometry geometry) throws IOException {
    clear();
    for (int left = in.readInt(); left > 0; left--) {
      int address = in.readInt();
      int label = in.readInt();
      if (address < 0 || address >= geometry.blocks() || label < 0 || label >= geometry.leaves()) {
        throw new IntegrityException(
            "the saved state has a tombstone of block "
                + address
                + " at label "
                + label
                + " of tree "
                + geometry.tree()
                + ", which has "
                + geometry.blocks()
                + " blocks and "
                + geometry.leaves()
                + " labels; restore the client's state from a copy");
      }
      add(address, label);
    }
  }

  /** The most bytes of client memory that so many take. */
  static long mostBytes(long most) {
    return (most + most / 4 + LEAST_CAPACITY) * SAVED_BYTES;
  }

  /** Bytes of client memory. */
  long heldBytes() {
    return (long) addresses.length * SAVED_BYTES;
  }
}
