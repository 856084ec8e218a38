package io.github.roram.stash;

import com.carrotsearch.hppc.IntIntHashMap;
import io.github.roram.checkpoint.ChunkedBytes;
import io.github.roram.checkpoint.GradualCopy;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one tree that the client holds: those of the treetop, those waiting for their
 * eviction, and those that did not fit into a bucket (Path ORAM, section 3; rORAM, §V). A block in
 * the stash is always the newest copy of its address.
 *
 * <p>Blocks occupy slots of pooled memory, so that steady traffic allocates nothing. Not thread
 * safe.
 *
 * <p>An eviction offers blocks, writes buckets, and then has the stash remove the placed blocks.
 * Blocks that must not be offered in the meantime are pinned, by ranges. Each slot has a stamp,
 * which changes with its block, so that only blocks that have not changed since they were offered
 * are removed.
 */
public final class Stash {

  private static final int SLAB_BLOCKS = 64;

  /** The arrays about slots grow by one part in this many, ahead of the slabs. */
  private static final int GROWTH_PARTS = 16;

  /** Bytes of a slot besides its block's. */
  private static final int SLOT_BYTES = 3 * Integer.BYTES + Long.BYTES;

  /** Bytes of an entry of a hash map that has just grown. */
  private static final int MAP_ENTRY_BYTES = 22;

  private final int blockBytes;
  private final int rangeExponent;

  /** Number of pins of each range; ranges that are not pinned are absent. */
  private final IntIntHashMap pins = new IntIntHashMap();

  private final IntIntHashMap slotOf = new IntIntHashMap();

  /** Slots that there are, in as many slabs as they fill. */
  private int slots;

  private byte[][] slabs = {};
  private int[] addresses = {};
  private int[] labels = {};
  private long[] stamps = {};
  private long lastStamp;
  private int[] free = {};
  private int freeCount;
  private @Nullable Copy copy;
  private @Nullable LabelIndex index;

  /** The part of the stash that is the treetop; empty unless {@link #hasTreetop} was called. */
  private Treetop treetop = new Treetop(0, 0, 0);

  /** Creates an empty stash of blocks of {@code blockBytes} bytes. */
  public Stash(int blockBytes) {
    this(blockBytes, 0);
  }

  /** Creates an empty stash of blocks that are pinned in ranges of 2^{@code rangeExponent}. */
  public Stash(int blockBytes, int rangeExponent) {
    this.blockBytes = blockBytes;
    this.rangeExponent = rangeExponent;
  }

  /**
   * Keeps the blocks of a range from being offered to evictions, those that are not held yet
   * included, until it is unpinned as often.
   */
  public void pinRange(int range) {
    pins.addTo(range, 1);
  }

  /** Takes back one {@link #pinRange}. */
  public void unpinRange(int range) {
    if (pins.addTo(range, -1) <= 0) {
      pins.remove(range);
    }
  }

  /** Returns whether the range of a block is pinned. */
  public boolean isPinned(int address) {
    return !pins.isEmpty() && pins.containsKey(address >>> rangeExponent);
  }

  /** Returns the stamp of a slot, which is new after each change of its block, label or data. */
  public long stamp(int slot) {
    return stamps[slot];
  }

  /** Starts to count the blocks that do not fit a treetop. */
  public void hasTreetop(Treetop empty) {
    treetop = empty;
    for (int slot = 0; slot < slots; slot++) {
      if (addresses[slot] >= 0) {
        empty.add(labels[slot]);
      }
    }
  }

  /**
   * Starts to index blocks by the bucket that they meet. The stash must be empty.
   *
   * @param treetopLevels m: labels that meet the same bucket of this level are found together
   */
  public void index(int treetopLevels) {
    if (size() > 0) {
      throw new IllegalStateException("the stash holds " + size() + " blocks, must be empty");
    }
    index = new LabelIndex(treetopLevels);
  }

  private LabelIndex indexed() {
    return Objects.requireNonNull(index, "the stash has no index");
  }

  /** Returns a slot whose block meets the same bucket as a label, or −1. Requires an index. */
  public int firstMeeting(int label) {
    return indexed().first(label);
  }

  /** Returns another slot that meets the same bucket as a slot, or −1. Requires an index. */
  public int nextMeeting(int slot) {
    return indexed().next(slot);
  }

  /**
   * Returns the first slot, starting at a slot, whose block's label modulo a power of two is one of
   * consecutive labels; {@link #slots} if there is none.
   *
   * @param mask the power of two, less one
   * @param count number of consecutive labels
   */
  public int nextWithin(int slot, int firstLabel, int mask, int count) {
    int at = slot;
    // Empty slots have old labels: what they are like is seldom asked.
    while (at < slots && (((labels[at] - firstLabel) & mask) >= count || addresses[at] < 0)) {
      at++;
    }
    return at;
  }

  /** Returns the number of blocks that no bucket of the treetop has room for. */
  public int overflow() {
    return treetop.overflow();
  }

  /** Returns the bytes of a block. */
  public int blockBytes() {
    return blockBytes;
  }

  /** Returns the number of blocks held. */
  public int size() {
    return slotOf.size();
  }

  /** Slots are numbered 0 … slots() − 1; some are empty. */
  public int slots() {
    return slots;
  }

  /** Returns the bytes of memory that it takes now. */
  public long heldBytes() {
    return (long) slots * blockBytes
        + (long) addresses.length * SLOT_BYTES
        + (long) size() * MAP_ENTRY_BYTES;
  }

  /** Returns the part of {@link #heldBytes} that contains blocks. */
  public long usedBytes() {
    return (long) size() * (blockBytes + SLOT_BYTES + MAP_ENTRY_BYTES);
  }

  /** Returns the bytes of memory that this many blocks of a tree take at most. */
  public static long mostBytes(long blocks, int blockBytes) {
    long noted = blocks / GROWTH_PARTS * SLOT_BYTES;
    return noted + (blocks + SLAB_BLOCKS) * (blockBytes + SLOT_BYTES + MAP_ENTRY_BYTES);
  }

  /** Returns the slot that holds a block, or −1. */
  public int find(int address) {
    return slotOf.getOrDefault(address, -1);
  }

  /** Address of the block in a slot, or −1 if it is empty. */
  public int address(int slot) {
    return addresses[slot];
  }

  /** Returns the label of the block in a slot. */
  public int label(int slot) {
    return labels[slot];
  }

  /** Gives the block in a slot another label. */
  public void relabel(int slot, int label) {
    beforeChange(slot);
    setLabel(slot, label);
  }

  private void setLabel(int slot, int label) {
    if (index != null) {
      index.removed(slot, labels[slot]);
      index.added(slot, label);
    }
    treetop.remove(labels[slot]);
    treetop.add(label);
    labels[slot] = label;
  }

  /** Returns the array that holds the data of a slot, starting at {@link #offset}. */
  public byte[] array(int slot) {
    return slabs[slot / SLAB_BLOCKS];
  }

  /** Returns where the data of a slot begins in {@link #array}. */
  public int offset(int slot) {
    return slot % SLAB_BLOCKS * blockBytes;
  }

  /** Holds a block under this label; its data is undefined unless the block was held before. */
  public int put(int address, int label) {
    int slot = find(address);
    if (slot < 0) {
      if (freeCount == 0) {
        grow();
      }
      slot = free[--freeCount];
      addresses[slot] = address;
      slotOf.put(address, slot);
      labels[slot] = label;
      stamps[slot] = ++lastStamp;
      if (index != null) {
        index.added(slot, label);
      }
      treetop.add(label);
    } else {
      relabel(slot, label);
    }
    return slot;
  }

  /** Holds a block with this data. */
  public int put(int address, int label, byte[] source, int sourceOffset) {
    int slot = put(address, label);
    System.arraycopy(source, sourceOffset, array(slot), offset(slot), blockBytes);
    return slot;
  }

  /** Holds a block under this label, with the data that it has; zeros unless it was held before. */
  public int putKept(int address, int label) {
    boolean held = find(address) >= 0;
    int slot = put(address, label);
    if (!held) {
      Arrays.fill(array(slot), offset(slot), offset(slot) + blockBytes, (byte) 0);
    }
    return slot;
  }

  /** Lets go of all blocks. */
  public void clear() {
    for (int slot = 0; slot < slots(); slot++) {
      if (addresses[slot] >= 0) {
        remove(slot);
      }
    }
  }

  private void beforeChange(int slot) {
    stamps[slot] = ++lastStamp;
    if (copy != null) {
      copy.beforeChange(slot);
    }
  }

  /**
   * Begins a copy of the blocks as they are now. There is one at a time.
   *
   * @param mostBlocks the most blocks that there can be, as far as everyone knows
   */
  public GradualCopy startCopy(long mostBlocks) {
    if (copy != null) {
      throw new IllegalStateException("the stash is being copied");
    }
    copy = new Copy(mostBlocks);
    return copy;
  }

  /** Loads what {@link #startCopy} copied into an empty stash. */
  public void readFrom(DataInput in) throws IOException {
    int blocks = in.readInt();
    for (int i = 0; i < blocks; i++) {
      int address = in.readInt();
      int slot = put(address, in.readInt());
      in.readFully(array(slot), offset(slot), blockBytes);
    }
  }

  /** Overwrites all data with zeros and lets go of it. */
  public void wipe() {
    clear();
    for (int slab = 0; slab < slots / SLAB_BLOCKS; slab++) {
      Arrays.fill(slabs[slab], (byte) 0);
    }
  }

  /** Lets go of the block in a slot. */
  public void remove(int slot) {
    beforeChange(slot);
    if (index != null) {
      index.removed(slot, labels[slot]);
    }
    treetop.remove(labels[slot]);
    slotOf.remove(addresses[slot]);
    addresses[slot] = -1;
    free[freeCount++] = slot;
  }

  private void grow() {
    if (slots == addresses.length) {
      int capacity = slots + Math.max(1, slots / SLAB_BLOCKS / GROWTH_PARTS) * SLAB_BLOCKS;
      slabs = Arrays.copyOf(slabs, capacity / SLAB_BLOCKS);
      addresses = Arrays.copyOf(addresses, capacity);
      labels = Arrays.copyOf(labels, capacity);
      stamps = Arrays.copyOf(stamps, capacity);
      free = Arrays.copyOf(free, capacity);
    }
    slabs[slots / SLAB_BLOCKS] = new byte[SLAB_BLOCKS * blockBytes];
    slots += SLAB_BLOCKS;
    for (int slot = slots - 1; slot >= slots - SLAB_BLOCKS; slot--) {
      addresses[slot] = -1;
      free[freeCount++] = slot;
    }
  }

  /**
   * The copy of the blocks: their number, then each with address, label and data, in no particular
   * order.
   */
  private final class Copy implements GradualCopy {

    private static final int ASIDE_CHUNK_BYTES = 1 << 14;

    /** Slots whose block is neither written nor set aside. */
    private final BitSet missing = new BitSet();

    /** Blocks that changed before they were written, as they were. */
    private final ChunkedBytes aside = new ChunkedBytes(ASIDE_CHUNK_BYTES);

    private final DataOutputStream asideOut = new DataOutputStream(aside);
    private final int blocks;
    private final long mostBlocks;

    /** Slots before it are not missing. */
    private int next;

    private boolean begun;

    Copy(long mostBlocks) {
      this.mostBlocks = mostBlocks;
      for (int slot = 0; slot < slots; slot++) {
        missing.set(slot, addresses[slot] >= 0);
      }
      blocks = missing.cardinality();
    }

    @Override
    public long mostBytes() {
      return Integer.BYTES + mostBlocks * (2 * Integer.BYTES + blockBytes);
    }

    /** Called before the block in a slot changes or leaves. */
    void beforeChange(int slot) {
      if (missing.get(slot)) {
        try {
          write(slot, asideOut);
        } catch (IOException e) {
          throw new IllegalStateException("writing to memory failed", e);
        }
      }
    }

    private void write(int slot, DataOutput out) throws IOException {
      out.writeInt(addresses[slot]);
      out.writeInt(labels[slot]);
      out.write(array(slot), offset(slot), blockBytes);
      missing.clear(slot);
    }

    @Override
    public boolean step(DataOutput out) throws IOException {
      int slot = missing.nextSetBit(next);
      next = Math.max(next, slot);
      if (!begun) {
        out.writeInt(blocks);
        begun = true;
      } else if (slot >= 0) {
        write(slot, out);
      }
      // At once, so that no block is in memory a third time.
      aside.writeTo(out);
      aside.wipe();
      return !missing.isEmpty();
    }

    /** Ends the copy: the stash reports no more changes to it. */
    @Override
    public void end() {
      aside.wipe();
      copy = copy == this ? null : copy;
    }
  }

  /**
   * Finds the blocks of a {@link Stash} that a path can take without walking the whole stash: for
   * trees that evict a path at a time beneath a large treetop.
   *
   * <p>Blocks are grouped by the bucket that their label meets at level m, the uppermost stored
   * one. Not thread safe.
   */
  private static final class LabelIndex {

    private static final int NONE = -1;

    /** First slot of each group, and the slots in each. */
    private final int[] heads;

    private int[] next = {};
    private int[] previous = {};

    /**
     * Creates an empty index.
     *
     * @param levels m
     */
    LabelIndex(int levels) {
      heads = new int[1 << levels];
      Arrays.fill(heads, NONE);
    }

    /** Returns a slot whose block meets the same bucket of level m as a label, or −1. */
    int first(int label) {
      return heads[group(label)];
    }

    /** Returns another such slot, or −1. */
    int next(int slot) {
      return next[slot];
    }

    private int group(int label) {
      return label & (heads.length - 1);
    }

    void added(int slot, int label) {
      if (slot >= next.length) {
        int capacity = Math.max(slot + 1, 2 * next.length);
        next = Arrays.copyOf(next, capacity);
        previous = Arrays.copyOf(previous, capacity);
      }
      int head = heads[group(label)];
      next[slot] = head;
      previous[slot] = NONE;
      if (head != NONE) {
        previous[head] = slot;
      }
      heads[group(label)] = slot;
    }

    void removed(int slot, int label) {
      if (previous[slot] == NONE) {
        heads[group(label)] = next[slot];
      } else {
        next[previous[slot]] = next[slot];
      }
      if (next[slot] != NONE) {
        previous[next[slot]] = previous[slot];
      }
    }
  }
}
