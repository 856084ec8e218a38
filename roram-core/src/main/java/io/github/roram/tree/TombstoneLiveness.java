package io.github.roram.tree;

import com.carrotsearch.hppc.LongHashSet;
import io.github.roram.IntegrityException;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.TombstoneDescriptor;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.posmap.RangeLabels;
import io.github.roram.stash.Treetop;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Liveness by tombstones: when a read gives a block another label, it leaves a tombstone, which
 * consists of the block's address and previous label. Used for trees whose labels are on the store,
 * where the client must not hold anything that grows with N (construction, section 2.4).
 *
 * <p>A tombstone is a newer copy without data. It enters the tree as blocks do, by evictions along
 * the path of its label, and never moves below the copies that it invalidates, because these are on
 * the same path: an eviction that reaches them drops them. So stale copies are always encountered
 * after their tombstone, which is nearer the root or with the client. Of all blocks and tombstones
 * with the same address and label, the one nearest the root is newest, and the client's block is
 * newest of all. An eviction of a label's whole path has encountered every copy with that label:
 * the tombstone is no longer needed.
 *
 * <p>As many tombstones enter a tree as blocks are read, and evictions are owed for these. Above
 * the leaves tombstones are as dense as blocks, and at the leaves there are none. So buckets have
 * room for Z of them each, and the client holds as few waiting tombstones as blocks, with the same
 * bound.
 *
 * <p>A read knows its blocks' labels, and needs no tombstones. Not thread safe.
 */
public final class TombstoneLiveness implements Liveness {

  /** Bytes of one in the client's saved state. */
  static final int SAVED_BYTES = 2 * Integer.BYTES;

  private static final int LEAST_CAPACITY = 64;

  private final TreeGeometry geometry;
  private final BucketDescriptor descriptor;
  private final RangeLabels positions;
  private final LabelLiveness known;

  /** Counts those that would have no room in it. */
  private final Treetop treetop;

  // The tombstones that the client holds, oldest first.
  private int[] addresses = new int[LEAST_CAPACITY];
  private int[] labels = new int[LEAST_CAPACITY];
  private int size;

  /**
   * Creates the liveness of a tree that no read has accessed.
   *
   * @param positions knows the labels of ranges that are being read
   */
  public TombstoneLiveness(
      TreeGeometry geometry, BucketDescriptor descriptor, RangeLabels positions) {
    this.geometry = geometry;
    this.descriptor = descriptor;
    this.positions = positions;
    known = new LabelLiveness(geometry, positions);
    treetop = geometry.newTreetop();
  }

  /** Returns the most bytes of client memory that this many tombstones take. */
  public static long mostBytes(long most) {
    return (most + most / 4 + LEAST_CAPACITY) * SAVED_BYTES;
  }

  @Override
  public TombstoneLiveness tombstones() {
    return this;
  }

  /** Returns how many there are. */
  int size() {
    return size;
  }

  /** Returns the number of those that no bucket of the treetop would have room for. */
  int overflow() {
    return treetop.overflow();
  }

  int address(int index) {
    return addresses[index];
  }

  int label(int index) {
    return labels[index];
  }

  /** Returns a block, and the label that it had, as one number. */
  static long key(int address, int label) {
    return (long) address << Integer.SIZE | label;
  }

  /** For a block that is being read. */
  @Override
  public boolean isCurrent(int address, int label) {
    return known.isCurrent(address, label);
  }

  /** Ignores the label, because the client has no map to compare it with. */
  @Override
  public boolean isHeldUnder(int address, int label) {
    return true;
  }

  /** Ignores a label that stays the same: the copy nearer the root is newer in any case. */
  @Override
  public void moved(int address, int oldLabel, int newLabel) {
    if (oldLabel != newLabel) {
      add(address, oldLabel);
    }
  }

  /** Adds a tombstone behind all others. */
  private void add(int address, int label) {
    if (size == addresses.length) {
      int capacity = size + size / 4;
      addresses = Arrays.copyOf(addresses, capacity);
      labels = Arrays.copyOf(labels, capacity);
    }
    treetop.add(label);
    addresses[size] = address;
    labels[size++] = label;
  }

  /** Removes those of these numbers; the others keep their order. */
  void removeAll(BitSet gone) {
    int kept = 0;
    for (int index = 0; index < size; index++) {
      if (gone.get(index)) {
        treetop.remove(labels[index]);
      } else {
        addresses[kept] = addresses[index];
        labels[kept++] = labels[index];
      }
    }
    size = kept;
  }

  /** Remembers the tombstones that it meets, 8 bytes each and the room of a table. */
  @Override
  public RootFirst rootFirst() {
    LongHashSet met = new LongHashSet();
    for (int index = 0; index < size; index++) {
      met.add(key(addresses[index], labels[index]));
    }
    return new RootFirst() {
      @Override
      public void enter(byte[] plain, long version) {
        int then = geometry.heightAt(version);
        for (int place = 0; place < geometry.slots(); place++) {
          int address = TombstoneDescriptor.address(descriptor, plain, place);
          if (address >= 0) {
            int written = TombstoneDescriptor.label(descriptor, plain, place);
            met.add(key(address, geometry.grown(positions, address, written, then)));
          }
        }
      }

      @Override
      public boolean isCurrent(int address, int label) {
        return !met.contains(key(address, label));
      }
    };
  }

  @Override
  public void clear() {
    for (int index = 0; index < size; index++) {
      treetop.remove(labels[index]);
    }
    size = 0;
  }

  /** Extends each tombstone's label by the bits that the copies it invalidates get. */
  @Override
  public void growFrom(Liveness smaller) {
    TombstoneLiveness from = (TombstoneLiveness) smaller;
    int then = from.geometry.height();
    for (int index = 0; index < from.size; index++) {
      int address = from.addresses[index];
      add(address, geometry.grown(positions, address, from.labels[index], then));
    }
  }

  @Override
  public void addTo(StateCopy state, long mostTaken, long mostHeld) throws IOException {
    long most = Math.min(mostTaken, mostHeld);
    state.addNow(this::write, Integer.BYTES + most * SAVED_BYTES);
  }

  private void write(DataOutput out) throws IOException {
    out.writeInt(size);
    for (int index = 0; index < size; index++) {
      out.writeInt(addresses[index]);
      out.writeInt(labels[index]);
    }
  }

  @Override
  public void readFrom(DataInput in) throws IOException {
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

  @Override
  public long heldBytes() {
    return (long) addresses.length * SAVED_BYTES;
  }

  /**
   * Which of the tombstones that the client held of a tree left by a chunk of evictions, by their
   * numbers in their order.
   *
   * @param held how many it held before
   * @param gone the numbers of those that left
   */
  public record Gone(int held, BitSet gone) {

    /** The result for a tree without tombstones. */
    public static final Gone NONE = new Gone(0, new BitSet());
  }
}
