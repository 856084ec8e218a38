package io.github.roram.tree;

import com.carrotsearch.hppc.LongHashSet;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.TombstoneDescriptor;
import io.github.roram.checkpoint.StateCopy;
import io.github.roram.posmap.RangeLabels;
import java.io.DataInput;
import java.io.IOException;

/**
 * By tombstones: a block that a read gives another label leaves a tombstone behind, its address and
 * the label that it had. For trees whose labels are on the store, where the client is to hold
 * nothing that grows with N (construction, section 2.4).
 *
 * <p>A tombstone is a newer copy without data. It enters the tree as blocks do, by evictions along
 * the path of its label, and never goes below the copies that it is for, since these are on the
 * same path: an eviction that gets that far meets them, and drops them. So whoever meets a stale
 * copy has met its tombstone before, nearer the root or with the client. Of all that has the same
 * address and label, blocks and tombstones, what is nearest the root is newest, and the client's
 * block newest of all. An eviction of the whole path of a label has met every copy that has it: the
 * tombstone is needed no more.
 *
 * <p>As many tombstones enter a tree as blocks that are read, for which evictions are owed; above
 * the leaves they lie as densely as blocks, and at the leaves there are none. So they have room for
 * Z a bucket, and those that wait with the client are as few as blocks, and bounded with them.
 *
 * <p>A read knows the labels that its blocks have, and needs no tombstones.
 */
public final class TombstoneLiveness implements Liveness {

  private final TreeGeometry geometry;
  private final BucketDescriptor descriptor;
  private final LabelLiveness known;
  private final Tombstones held = new Tombstones();

  /**
   * Of a tree that no read has met.
   *
   * @param positions knows the labels of ranges that are being read
   */
  public TombstoneLiveness(
      TreeGeometry geometry, BucketDescriptor descriptor, RangeLabels positions) {
    this.geometry = geometry;
    this.descriptor = descriptor;
    known = new LabelLiveness(geometry, positions);
  }

  /** The most bytes of client memory that so many tombstones take. */
  public static long mostBytes(long most) {
    return Tombstones.mostBytes(most);
  }

  @Override
  public Tombstones tombstones() {
    return held;
  }

  /** Of a block that is being read. */
  @Override
  public boolean isCurrent(int level, int bucket, int slot, int address, int label) {
    return known.isCurrent(level, bucket, slot, address, label);
  }

  /** The client has no map to compare with. */
  @Override
  public boolean isHeldUnder(int address, int label) {
    return true;
  }

  /** A label that comes again is no other: the copy nearer the root is newer all the same. */
  @Override
  public void moved(int address, int oldLabel, int newLabel) {
    if (oldLabel != newLabel) {
      held.add(address, oldLabel);
    }
  }

  /** Remembers the tombstones that it meets, 8 bytes each and the room of a table. */
  @Override
  public RootFirst rootFirst() {
    LongHashSet met = new LongHashSet();
    for (int index = 0; index < held.size(); index++) {
      met.add(Tombstones.key(held.address(index), held.label(index)));
    }
    return new RootFirst() {
      @Override
      public void enter(byte[] plain) {
        for (int place = 0; place < geometry.slots(); place++) {
          int address = TombstoneDescriptor.address(descriptor, plain, place);
          if (address >= 0) {
            met.add(Tombstones.key(address, TombstoneDescriptor.label(descriptor, plain, place)));
          }
        }
      }

      @Override
      public boolean isCurrent(int level, int bucket, int slot, int address, int label) {
        return !met.contains(Tombstones.key(address, label));
      }
    };
  }

  @Override
  public void clear() {
    held.clear();
  }

  @Override
  public void addTo(StateCopy state, long mostTaken, long mostHeld) throws IOException {
    held.addTo(state, Math.min(mostTaken, mostHeld));
  }

  @Override
  public void readFrom(DataInput in) throws IOException {
    held.readFrom(in, geometry);
  }

  @Override
  public long heldBytes() {
    return held.heldBytes();
  }
}
