package io.github.roram.slot;

import io.github.roram.bucket.PlainBucket;
import io.github.roram.cipher.LabelSource;
import io.github.roram.stash.Stash;
import io.github.roram.store.IoPhase;
import java.io.IOException;
import java.util.Arrays;

/**
 * An eviction of one path, by a sweep: it reads whole buckets, used slots included, so that what is
 * read follows from the counter and from which buckets are closed. Of blocks only those are kept
 * whose place is the very slot that was read. They are placed bottom-up with what the client holds;
 * a block never moves up (construction, section 2.2 step 3). Each gets a random slot, all other
 * slots are dummies, and whole buckets are written.
 *
 * <p>Reusable. Not thread safe.
 */
final class SlotEviction {

  private static final int NONE = -1;

  private final SlotGeometry geometry;
  private final SlotState state;
  private final SlotRequest request;

  /** The blocks that may be placed: address, stored level that they came from, lowest they fit. */
  private int[] addresses = new int[256];

  private int[] origins = new int[256];
  private int[] deepest = new int[256];
  private int candidates;

  /** For each stored level the candidate in each slot, or −1. */
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

  /** Reads the buckets of the path of the next eviction; those that are closed are held. */
  void read() throws IOException {
    long eviction = state.evictions();
    request.reset();
    for (int level = 0; level < geometry.levels(); level++) {
      int bucket = geometry.bucket(eviction, level);
      if (state.isOpen(level, bucket)) {
        request.addBucket(state, level, bucket);
      }
    }
    request.read(IoPhase.EVICT_READ, state, (unit, plain) -> request.hold(state, unit, plain));
  }

  /** Decides where each block goes. */
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

  /** The blocks of the path, and those that the client holds whose label meets it. */
  private void gather() {
    candidates = 0;
    long eviction = state.evictions();
    Stash held = state.held();
    for (int slot = 0; slot < held.slots(); slot++) {
      int address = held.address(slot);
      if (address >= 0) {
        int origin = geometry.levelOf(state.place(address));
        if (geometry.shared(held.label(slot), eviction) >= origin) {
          add(address, origin, held.label(slot));
        }
      }
    }
    Stash stash = state.stash();
    for (int slot = 0; slot < stash.slots(); slot++) {
      int address = stash.address(slot);
      if (address >= 0 && geometry.shared(stash.label(slot), eviction) >= 0) {
        add(address, NONE, stash.label(slot));
      }
    }
  }

  private void add(int address, int origin, int label) {
    if (candidates == addresses.length) {
      addresses = Arrays.copyOf(addresses, 2 * candidates);
      origins = Arrays.copyOf(origins, 2 * candidates);
      deepest = Arrays.copyOf(deepest, 2 * candidates);
    }
    addresses[candidates] = address;
    origins[candidates] = origin;
    deepest[candidates++] = geometry.shared(label, state.evictions());
  }

  /**
   * Puts blocks into a bucket while there is room: those that stood in it, or others.
   *
   * @param used how many it has
   * @return how many it has then
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

  /** The next slot of a random order of all slots. */
  private int next(int level, int count, SlotDraws draws) {
    int at = count + draws.below(placed[level].length - count);
    int slot = shuffled[at];
    shuffled[at] = shuffled[count];
    shuffled[count] = slot;
    return slot;
  }

  /** Writes the buckets, in a key epoch. */
  void write(int epoch) throws IOException {
    request.write(IoPhase.EVICT_WRITE, state.evictions(), 0, geometry.levels(), epoch, this::copy);
  }

  private void copy(int level, int slot, byte[] plain) {
    int candidate = placed[level][slot];
    if (candidate == NONE) {
      return;
    }
    Stash from = origins[candidate] == NONE ? state.stash() : state.held();
    int address = addresses[candidate];
    int held = from.find(address);
    PlainBucket.setSlot(plain, 0, address, from.label(held));
    System.arraycopy(
        from.array(held),
        from.offset(held),
        plain,
        request.descriptor().dataOffset(0),
        from.blockBytes());
  }

  /** What was done. */
  SlotCommit commit(int epoch) {
    int[] counts = new int[placed.length];
    int[] written = new int[geometry.pathRoom()];
    int[] slots = new int[written.length];
    int block = 0;
    for (int level = 0; level < placed.length; level++) {
      for (int slot = 0; slot < placed[level].length; slot++) {
        if (placed[level][slot] != NONE) {
          counts[level]++;
          written[block] = addresses[placed[level][slot]];
          slots[block++] = slot;
        }
      }
    }
    return new SlotCommit(state.evictions(), epoch, counts, written, slots);
  }

  /** Bytes of memory that it takes now. */
  long heldBytes() {
    return (3L * addresses.length + geometry.pathSlots() + shuffled.length) * Integer.BYTES;
  }
}
