package io.github.roram.tree;

import com.carrotsearch.hppc.IntArrayList;
import com.carrotsearch.hppc.IntHashSet;
import io.github.roram.bucket.BucketDescriptor;
import io.github.roram.bucket.PlainBucket;
import io.github.roram.eviction.Placement;
import io.github.roram.stash.Stash;
import java.util.Arrays;

/**
 * The blocks of the paths being evicted: collects the blocks that were read and those that the
 * client holds, has them placed, and assembles the buckets to write. It refers to blocks until
 * their new bucket is assembled, or copies them if the bucket that they were read in does not last;
 * copies are close together, so that those of a whole chunk fit the processor's cache.
 *
 * <p>Used by the chunks of the tree engine and by the write-backs of linked trees.
 */
public final class EvictionBuffer {

  private static final int NOT_HELD = -1;
  static final int SLAB_BLOCKS = 64;

  private final BucketDescriptor descriptor;
  private final Placement placement = new Placement();
  private final IntHashSet seen = new IntHashSet();

  private int[] addresses = new int[256];
  private int[] labels = new int[256];
  private byte[][] arrays = new byte[256][];
  private int[] offsets = new int[256];
  private int[] stashSlots = new int[256];

  /** Stamps of the blocks of the stash, as they were when the blocks were offered. */
  private long[] stamps = new long[256];

  private byte[][] slabs = {};
  private int copies;

  /** The first of consecutive evictions, and their number. */
  private long firstPath;

  private int paths;

  /** Paths that meet the same bucket of the uppermost stored level have these bits in common. */
  private int topMask;

  /** Creates a buffer for buckets of this layout. */
  public EvictionBuffer(BucketDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  /** Starts with the paths {@code [firstPath, firstPath + paths)}. */
  public void begin(TreeGeometry geometry, long firstPath, int paths) {
    this.firstPath = firstPath;
    this.paths = paths;
    topMask = (1 << geometry.treetopLevels()) - 1;
    placement.begin(
        geometry.height(),
        geometry.treetopLevels(),
        geometry.treetopPart(),
        descriptor.slots(),
        firstPath,
        paths);
    clear();
  }

  /** Starts with some buckets of any paths. */
  public void begin(TreeGeometry geometry, Placement.Buckets buckets) {
    placement.begin(geometry.height(), geometry.treetopLevels(), descriptor.slots(), buckets);
    clear();
  }

  private void clear() {
    seen.clear();
    copies = 0;
  }

  /** Returns the number of distinct buckets that the paths meet at a level. */
  public int width(int level) {
    return placement.width(level);
  }

  /** Notes an address; false if it was noted before, that is nearer the root. */
  public boolean firstSeen(int address) {
    return seen.add(address);
  }

  /** Takes in the block in a slot of a bucket that was read from {@code level}. */
  public void offer(byte[] plain, int slot, int level) {
    int address = PlainBucket.address(plain, slot);
    int label = PlainBucket.label(plain, slot);
    add(address, label, level, plain, descriptor.dataOffset(slot), NOT_HELD);
  }

  /** Takes in a block that was read from {@code level}, whose data lasts until it is written. */
  void offer(int address, int label, int level, byte[] array, int offset) {
    add(address, label, level, array, offset, NOT_HELD);
  }

  /**
   * Offers a copy of a block under a label, as {@link #offer(byte[], int, int)} does for a block;
   * the bucket is not needed afterwards.
   */
  void offerCopy(byte[] plain, int slot, int label, int level) {
    int copy = copy(plain, descriptor.dataOffset(slot));
    int slab = copy / SLAB_BLOCKS;
    int offset = copy % SLAB_BLOCKS * descriptor.blockBytes();
    int address = PlainBucket.address(plain, slot);
    add(address, label, level, slabs[slab], offset, NOT_HELD);
  }

  /** Copies a block; returns the number of the copy. */
  private int copy(byte[] array, int offset) {
    int slab = copies / SLAB_BLOCKS;
    int blockBytes = descriptor.blockBytes();
    if (slab == slabs.length) {
      slabs = Arrays.copyOf(slabs, slab + 1);
      slabs[slab] = new byte[SLAB_BLOCKS * blockBytes];
    }
    int within = copies % SLAB_BLOCKS * blockBytes;
    System.arraycopy(array, offset, slabs[slab], within, blockBytes);
    return copies++;
  }

  /** Copies the blocks that were placed out of the stash, which may change from then on. */
  void holdPlaced(TreeGeometry geometry) {
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      for (int position = 0; position < width(level); position++) {
        for (int slot = 0; slot < descriptor.slots(); slot++) {
          int candidate = placement.placed(level, position, slot);
          if (candidate >= 0 && stashSlots[candidate] != NOT_HELD) {
            int copy = copy(arrays[candidate], offsets[candidate]);
            arrays[candidate] = slabs[copy / SLAB_BLOCKS];
            offsets[candidate] = copy % SLAB_BLOCKS * descriptor.blockBytes();
          }
        }
      }
    }
  }

  /**
   * Takes in the blocks that the client holds and that evictions in a row meet; the others stay
   * there, and so do the pinned ones.
   */
  public void offer(Stash stash) {
    int slot = nextMet(stash, 0);
    while (slot < stash.slots()) {
      offer(stash, slot);
      slot = nextMet(stash, slot + 1);
    }
  }

  private int nextMet(Stash stash, int slot) {
    return stash.nextWithin(slot, (int) firstPath, topMask, paths);
  }

  /**
   * Offers the blocks of an indexed stash that meet the path of a label, as {@link #offer(Stash)}
   * does for all blocks.
   */
  public void offerMeeting(Stash stash, int label) {
    for (int slot = stash.firstMeeting(label); slot >= 0; slot = stash.nextMeeting(slot)) {
      if (seen.add(stash.address(slot))) {
        offer(stash, slot);
      }
    }
  }

  private void offer(Stash stash, int slot) {
    int address = stash.address(slot);
    if (stash.isPinned(address)) {
      return;
    }
    int label = stash.label(slot);
    int candidate =
        add(address, label, Placement.FROM_CLIENT, stash.array(slot), stash.offset(slot), slot);
    if (candidate >= 0) {
      stamps[candidate] = stash.stamp(slot);
    }
  }

  /** Returns the candidate's number, or −1 if the paths do not meet it. */
  private int add(int address, int label, int origin, byte[] array, int offset, int stashSlot) {
    int candidate = placement.add(label, origin);
    if (candidate < 0) {
      return candidate;
    }
    if (candidate == addresses.length) {
      int capacity = 2 * candidate;
      addresses = Arrays.copyOf(addresses, capacity);
      labels = Arrays.copyOf(labels, capacity);
      arrays = Arrays.copyOf(arrays, capacity);
      offsets = Arrays.copyOf(offsets, capacity);
      stashSlots = Arrays.copyOf(stashSlots, capacity);
      stamps = Arrays.copyOf(stamps, capacity);
    }
    addresses[candidate] = address;
    labels[candidate] = label;
    arrays[candidate] = array;
    offsets[candidate] = offset;
    stashSlots[candidate] = stashSlot;
    return candidate;
  }

  /** Decides which block goes into which bucket. */
  public void place() {
    placement.place();
  }

  /**
   * Puts together the bucket of a level that a path meets; its links are left as they are. For
   * several threads at once.
   */
  public void assemble(int level, long path, byte[] plain) {
    int position = placement.position(path, level);
    for (int slot = 0; slot < descriptor.slots(); slot++) {
      int candidate = placement.placed(level, position, slot);
      if (candidate < 0) {
        // The old data of an empty slot stays: what is sealed need not be cleared.
        PlainBucket.setEmpty(plain, slot);
      } else {
        PlainBucket.setSlot(plain, slot, addresses[candidate], labels[candidate]);
        System.arraycopy(
            arrays[candidate],
            offsets[candidate],
            plain,
            descriptor.dataOffset(slot),
            descriptor.blockBytes());
      }
    }
  }

  /**
   * Lets the stash go of the blocks that were placed, once their buckets are written, but for those
   * that changed since they were offered, or were pinned: what the stash holds is newer, or needed.
   *
   * @param left gets their addresses
   */
  public void removePlaced(TreeGeometry geometry, Stash stash, IntArrayList left) {
    for (int level = geometry.treetopLevels(); level <= geometry.height(); level++) {
      for (int position = 0; position < width(level); position++) {
        for (int slot = 0; slot < descriptor.slots(); slot++) {
          int candidate = placement.placed(level, position, slot);
          if (candidate >= 0 && mayLeave(candidate, stash)) {
            left.add(addresses[candidate]);
            stash.remove(stashSlots[candidate]);
          }
        }
      }
    }
  }

  private boolean mayLeave(int candidate, Stash stash) {
    int slot = stashSlots[candidate];
    return slot != NOT_HELD
        && stash.stamp(slot) == stamps[candidate]
        && !stash.isPinned(addresses[candidate]);
  }

  /** Returns the bytes of memory that it takes now. */
  long heldBytes() {
    long copied = (long) slabs.length * SLAB_BLOCKS * descriptor.blockBytes();
    int perCandidate = 4 * Integer.BYTES + 2 * Long.BYTES;
    return copied + (long) addresses.length * perCandidate + placement.heldBytes();
  }

  /** Overwrites all data that was copied. */
  void wipe() {
    for (byte[] slab : slabs) {
      Arrays.fill(slab, (byte) 0);
    }
  }
}
