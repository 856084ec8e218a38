package io.github.roram.tree;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.LongHashSet;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.TombstoneDescriptor;
import io.github.roram.eviction.Placement;
import io.github.roram.stash.Stash;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tombstones on the paths that are being evicted: takes in the client's and those that were
 * read, says which copies they are for, and has them placed as blocks are, but for those whose
 * whole path is evicted. See {@link TombstoneLiveness}.
 *
 * <p>Reusable. Not thread safe but where it says so.
 */
final class TombstoneEviction implements Liveness.RootFirst {

  private static final int NOT_HELD = -1;

  private final BucketDescriptor descriptor;
  private final Placement placement = new Placement();

  /** Blocks and tombstones by address and label: the first one that is met is the newest. */
  private final LongHashSet settled = new LongHashSet();

  private final IntArrayList addresses = new IntArrayList();
  private final IntArrayList labels = new IntArrayList();

  /** The number among the client's tombstones, of each that is to be placed. */
  private final IntArrayList numbers = new IntArrayList();

  private @Nullable RangeTree tree;
  private int height;

  /** The client's tombstones that are not needed any more. */
  private final BitSet gone = new BitSet();

  /** Tombstones of buckets of this layout. */
  TombstoneEviction(BucketDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  /** Starts with the paths {@code [firstPath, firstPath + paths)} of a tree. */
  void begin(RangeTree evicted, TombstoneLiveness held, long firstPath, int paths) {
    TreeGeometry geometry = evicted.geometry();
    tree = evicted;
    height = geometry.height();
    placement.begin(
        geometry.height(),
        geometry.treetopLevels(),
        geometry.treetopPart(),
        descriptor.slots(),
        firstPath,
        paths);
    settled.clear();
    addresses.clear();
    labels.clear();
    numbers.clear();
    gone.clear();
    for (int number = 0; number < held.size(); number++) {
      if (!offer(held.address(number), held.label(number), Placement.FROM_CLIENT, number)) {
        gone.set(number);
      }
    }
  }

  /** Enters a bucket of a level, to which the following calls refer. */
  void enter(int level, byte[] plain, long version) {
    for (int place = 0; place < descriptor.slots(); place++) {
      int address = TombstoneDescriptor.address(descriptor, plain, place);
      if (address >= 0) {
        meet(level, address, TombstoneDescriptor.label(descriptor, plain, place), version);
      }
    }
  }

  /** Processes a tombstone in a bucket of a level, before the bucket's blocks. */
  void meet(int level, int address, int written, long version) {
    offer(address, evicted().labelNow(address, written, version), level, NOT_HELD);
  }

  /** Takes in a tombstone; false if it is not needed any more. */
  private boolean offer(int address, int label, int origin, int number) {
    if (isHeld(address, label) || !settled.add(TombstoneLiveness.key(address, label))) {
      return false;
    }
    if (placement.position(label, height) < placement.width(height)) {
      // Every bucket that can have a copy of this label is met by this chunk.
      return false;
    }
    if (placement.add(label, origin) >= 0) {
      addresses.add(address);
      labels.add(label);
      numbers.add(number);
    }
    return true;
  }

  private RangeTree evicted() {
    return Objects.requireNonNull(tree);
  }

  /**
   * Returns whether the client holds the block, whose data are newer than all copies in the tree.
   */
  private boolean isHeld(int address, int label) {
    Stash held = evicted().stash();
    int slot = held.find(address);
    return slot >= 0 && held.label(slot) == label;
  }

  /** Also records a current copy: copies further down are older. */
  @Override
  public boolean isCurrent(int address, int label) {
    return settled.add(TombstoneLiveness.key(address, label));
  }

  /** Decides which tombstone goes into which bucket. */
  void place(TreeGeometry geometry) {
    placement.place();
    for (int at = geometry.treetopLevels(); at <= height; at++) {
      for (int position = 0; position < placement.width(at); position++) {
        for (int place = 0; place < descriptor.slots(); place++) {
          int candidate = placement.placed(at, position, place);
          if (candidate >= 0 && numbers.get(candidate) != NOT_HELD) {
            gone.set(numbers.get(candidate));
          }
        }
      }
    }
  }

  /**
   * Puts the tombstones into a bucket of a level that a path meets. For several threads at once.
   */
  void assemble(int ofLevel, long path, byte[] plain) {
    int position = placement.position(path, ofLevel);
    for (int place = 0; place < descriptor.slots(); place++) {
      int candidate = placement.placed(ofLevel, position, place);
      if (candidate < 0) {
        TombstoneDescriptor.setNone(descriptor, plain, place);
      } else {
        TombstoneDescriptor.set(
            descriptor, plain, place, addresses.get(candidate), labels.get(candidate));
      }
    }
  }

  /** Drops the tombstones that are in the written buckets; returns which ones, for a journal. */
  TombstoneLiveness.Gone removeGone(TombstoneLiveness held) {
    TombstoneLiveness.Gone left = new TombstoneLiveness.Gone(held.size(), (BitSet) gone.clone());
    held.removeAll(gone);
    return left;
  }

  /** Returns the bytes of memory that it takes now. */
  long heldBytes() {
    long entries = (long) addresses.buffer.length + labels.buffer.length + numbers.buffer.length;
    return entries * Integer.BYTES
        + (long) settled.keys.length * Long.BYTES
        + placement.heldBytes();
  }
}
