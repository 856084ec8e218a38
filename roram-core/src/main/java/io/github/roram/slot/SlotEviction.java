package io.github.roram.slot;

import io.github.roram.bucket.PlainBucket;
import io.github.roram.cipher.LabelSource;
import io.github.roram.stash.Stash;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * The eviction of one path. It reads Z slots of each bucket that is not closed: the unused ones
 * that have a block, and dummies ({@link SlotChooser#choose}). If seeks cost more than bytes, it
 * sweeps the path instead: it reads whole buckets, including used slots, so the requests follow
 * from the counter and from which buckets are closed. It keeps only blocks whose place is the slot
 * that was read. These are placed bottom-up together with those that the client holds; a block
 * never moves up (construction, section 2.2 step 3). Each block gets a random slot, all other slots
 * are dummies, and whole buckets are written. The client then drops the placed blocks that no
 * access has requested in the meantime; the written copies of the others are dead.
 *
 * <p>Reusable. Not thread safe.
 */
final class SlotEviction {

  private static final int NONE = -1;

  /** Memory of a block that may be placed. */
  static final long CANDIDATE_BYTES = 5L * Integer.BYTES + 2L * Long.BYTES;

  private final SlotGeometry geometry;
  private final SlotState state;
  private final SlotRequest request;

  /** Of each block to be placed: address, stored level it came from, lowest level it fits. */
  private int[] addresses = new int[256];

  private int[] origins = new int[256];
  private int[] deepest = new int[256];

  /** Of each block, as offered: its place, or its stamp in the stash; and its data. */
  private long[] offered = new long[256];

  private int[] labels = new int[256];
  private byte[][] arrays = new byte[256][];
  private int[] offsets = new int[256];
  private int candidates;

  /** For each stored level, the candidate in each slot; −1 for dummies. */
  private final int[][] placed;

  /** The slots of the largest bucket, to be shuffled. */
  private final int[] shuffled;

  SlotEviction(SlotGeometry geometry, SlotState state, SlotRequest request) {
    this.geometry = geometry;
    this.state = state;
    this.request = request;
    placed = new int[geometry.levels()][];
    int largest = 0;
    for (int level = 0; level < placed.length; level++) {
      placed[level] = new int[geometry.slots(level)];
      largest = Math.max(largest, placed[level].length);
    }
    shuffled = new int[largest];
  }

  /** Reads the buckets of the next eviction's path, except closed ones, whose blocks are held. */
  void sweep() throws IOException {
    request.reset();
    addPath(request, state.evictions());
    request.read(IoPhase.EVICT_READ, (unit, plain) -> request.hold(state, unit, plain));
  }

  /** Reads the chosen slots whose blocks are not held. */
  void readChosen() throws IOException {
    List<SlotChoice> chosen = state.choices().unread();
    request.reset();
    chosen.forEach(choice -> request.addSlots(state, choice));
    request.read(IoPhase.EVICT_READ, (unit, plain) -> request.hold(state, unit, plain));
    chosen.forEach(choice -> choice.setHeld(true));
  }

  /** Adds the buckets of an eviction's path that are written and not closed to a request. */
  void addPath(SlotRequest sweep, long eviction) {
    for (int level = 0; level < geometry.levels(); level++) {
      int bucket = geometry.bucket(eviction, level);
      if (state.isOpen(level, bucket)) {
        sweep.addBucket(state, level, bucket);
      }
    }
  }

  /** Chooses the bucket and the slot of each block. */
  void place(LabelSource source) {
    gather();
    SlotDraws draws = new SlotDraws(source, geometry.pathRoom());
    boolean[] done = new boolean[candidates];
    for (int level = geometry.levels() - 1; level >= 0; level--) {
      Arrays.fill(placed[level], NONE);
      for (int slot = 0; slot < placed[level].length; slot++) {
        shuffled[slot] = slot;
      }
      int used = fill(level, 0, true, done, draws);
      fill(level, used, false, done, draws);
    }
    for (int i = 0; i < candidates; i++) {
      if (!done[i] && origins[i] != NONE) {
        throw new IllegalStateException("block " + addresses[i] + " found no place; this is a bug");
      }
    }
  }

  /** Gathers the blocks of the path, and the blocks of the stash whose label meets it. */
  private void gather() {
    candidates = 0;
    Stash held = state.held();
    for (int slot = 0; slot < held.slots(); slot++) {
      int address = held.address(slot);
      if (address >= 0) {
        offer(held, slot, geometry.levelOf(state.place(address)), state.place(address));
      }
    }
    // Few blocks of a treetop meet the path: looking at labels alone keeps the data of the others
    // out of the processor's cache.
    Stash stash = state.stash();
    int mask = (1 << geometry.shape().topLevel()) - 1;
    int met = (int) state.evictions() & mask;
    int slot = stash.nextWithin(0, met, mask, 1);
    while (slot < stash.slots()) {
      offer(stash, slot, NONE, stash.stamp(slot));
      slot = stash.nextWithin(slot + 1, met, mask, 1);
    }
  }

  /** Offers a block if it meets the path and no read of it is pending. */
  private void offer(Stash from, int slot, int origin, long as) {
    int lowest = geometry.shared(from.label(slot), state.evictions());
    if (lowest < Math.max(0, origin) || state.isPinned(from.address(slot))) {
      return;
    }
    if (candidates == addresses.length) {
      grow();
    }
    addresses[candidates] = from.address(slot);
    origins[candidates] = origin;
    deepest[candidates] = lowest;
    offered[candidates] = as;
    labels[candidates] = from.label(slot);
    arrays[candidates] = from.array(slot);
    offsets[candidates++] = from.offset(slot);
  }

  private void grow() {
    int length = 2 * candidates;
    addresses = Arrays.copyOf(addresses, length);
    origins = Arrays.copyOf(origins, length);
    deepest = Arrays.copyOf(deepest, length);
    offered = Arrays.copyOf(offered, length);
    labels = Arrays.copyOf(labels, length);
    arrays = Arrays.copyOf(arrays, length);
    offsets = Arrays.copyOf(offsets, length);
  }

  /** Returns whether a block is as it was when offered, and no read of it is pending. */
  private boolean isUnchanged(int candidate) {
    int address = addresses[candidate];
    if (state.isPinned(address)) {
      return false;
    }
    if (origins[candidate] != NONE) {
      return state.place(address) == offered[candidate];
    }
    int slot = state.stash().find(address);
    return slot >= 0 && state.stash().stamp(slot) == offered[candidate];
  }

  /**
   * Puts blocks into a bucket while there is room: either those that were in it, or others.
   *
   * @param used number of blocks in it
   * @return number of blocks in it afterwards
   */
  private int fill(int level, int used, boolean own, boolean[] done, SlotDraws draws) {
    int count = used;
    int room = geometry.room(level);
    for (int i = 0; i < candidates && count < room; i++) {
      if (!done[i] && deepest[i] >= level && (origins[i] == level) == own) {
        done[i] = true;
        placed[level][next(level, count, draws)] = i;
        count++;
      }
    }
    return count;
  }

  /** Returns the next slot of a random order of a bucket's slots. */
  private int next(int level, int count, SlotDraws draws) {
    int at = count + draws.below(placed[level].length - count);
    int slot = shuffled[at];
    shuffled[at] = shuffled[count];
    shuffled[count] = slot;
    return slot;
  }

  /** Writes the buckets, in a key epoch. */
  void write(int epoch) throws IOException {
    request.write(state.evictions(), epoch, this::copy);
  }

  /**
   * Fills a slot, on any thread. The copy of a block that changes in the meantime is dead, so its
   * bytes do not matter.
   *
   * @param plain receives the plaintext
   * @return false if the slot is a dummy
   */
  boolean copy(int level, int slot, byte[] plain) {
    int candidate = placed[level][slot];
    if (candidate != NONE) {
      PlainBucket.setSlot(plain, 0, addresses[candidate], labels[candidate]);
      int to = request.descriptor().dataOffset(0);
      int bytes = state.stash().blockBytes();
      System.arraycopy(arrays[candidate], offsets[candidate], plain, to, bytes);
    }
    return candidate != NONE;
  }

  /** Returns the result of the eviction. */
  SlotCommit commit(int epoch) {
    int[] counts = new int[placed.length];
    int[] written = new int[geometry.pathRoom()];
    int[] slots = new int[written.length];
    int block = 0;
    for (int level = 0; level < placed.length; level++) {
      for (int slot = 0; slot < placed[level].length; slot++) {
        if (placed[level][slot] != NONE) {
          counts[level]++;
          int candidate = placed[level][slot];
          written[block] = isUnchanged(candidate) ? addresses[candidate] : ~addresses[candidate];
          slots[block++] = slot;
        }
      }
    }
    return new SlotCommit(state.evictions(), epoch, counts, written, slots);
  }

  /** Returns the bytes of memory that the eviction takes now. */
  long heldBytes() {
    return addresses.length * CANDIDATE_BYTES
        + (geometry.pathSlots() + (long) shuffled.length) * Integer.BYTES;
  }
}
