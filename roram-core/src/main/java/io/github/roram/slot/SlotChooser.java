package io.github.roram.slot;

import static io.github.roram.journal.ReplayCheck.refused;

import io.github.roram.cipher.LabelSource;
import java.util.List;

/**
 * Chooses the slots to read: for a path, one of each bucket (GetBlockOffset of Ring ORAM); for an
 * eviction, Z of a bucket (its ReadBucket). After a crash, the choices are those in the journal.
 * Chosen slots count as used in {@link SlotState} at once.
 *
 * <h2>Security</h2>
 *
 * If no block of a bucket is wanted, the slot is drawn uniformly among those that are neither used
 * nor real. The number of random numbers drawn depends only on the number of blocks or slots.
 *
 * <p>Not thread safe.
 */
final class SlotChooser {

  private final SlotGeometry geometry;
  private final SlotState state;
  private final LabelSource labels;
  private long fakes;

  SlotChooser(SlotGeometry geometry, SlotState state, LabelSource labels) {
    this.geometry = geometry;
    this.state = state;
    this.labels = labels;
  }

  /**
   * Returns how many random paths were read so far in place of blocks for which a read was pending.
   */
  long fakes() {
    return fakes;
  }

  /**
   * Begins a read of some blocks: chooses its labels and slots, and marks the slots as used. For a
   * block that a pending read brings, a random path is read.
   *
   * @param addresses the blocks; −1 for a path that brings no block
   */
  SlotIntent begin(int... addresses) {
    int levels = geometry.levels();
    int blocks = addresses.length;
    int[] shown = new int[blocks];
    int[] fresh = new int[blocks];
    int[] slots = new int[blocks * levels];
    LabelSource drawn = labels.drawn(2 * blocks + SlotDraws.labels(blocks * levels));
    SlotDraws draws = new SlotDraws(drawn, blocks * levels);
    for (int block = 0; block < blocks; block++) {
      int address = addresses[block];
      fresh[block] = drawn.next(geometry.leaves());
      int random = drawn.next(geometry.leaves());
      boolean before = address >= 0 && state.isPinned(address);
      if (before) {
        fresh[block] = SlotIntent.READ_BEFORE;
        fakes++;
      }
      shown[block] = address < 0 || before ? random : state.label(address);
      for (int level = 0; level < levels; level++) {
        int bucket = geometry.bucket(shown[block], level);
        boolean open = state.isOpen(level, bucket);
        int slot = open ? choose(before ? -1 : address, level, bucket, draws) : SlotIntent.NONE;
        slots[block * levels + level] = slot;
        if (open) {
          state.useForPath(level, bucket, slot);
        }
      }
    }
    SlotIntent intent =
        new SlotIntent(state.nextNumber(), state.evictions(), addresses, shown, fresh, slots);
    state.begun(intent);
    return intent;
  }

  /**
   * Returns the slot of a block if it is in this bucket, otherwise any slot that is neither used
   * nor real.
   */
  private int choose(int address, int level, int bucket, SlotDraws draws) {
    int place = address < 0 ? 0 : state.place(address);
    if (place > 0 && geometry.levelOf(place) == level) {
      int slot = geometry.slotOf(place);
      if (!state.isUsed(level, bucket, slot)) {
        return slot;
      }
    }
    return draw(level, bucket, false, draws);
  }

  /** Repeats the beginning of a read that the journal recorded. */
  void replay(SlotIntent intent) {
    if (intent.number() != state.nextNumber() || intent.evictions() != state.evictions()) {
      throw refused("has intent " + intent.number() + " in place of " + state.nextNumber());
    }
    intent.checkLabels(state);
    for (int block = 0; block < intent.blocks(); block++) {
      for (int level = 0; level < geometry.levels(); level++) {
        int bucket = geometry.bucket(intent.labels()[block], level);
        int slot = intent.slot(block, level);
        boolean open = state.isOpen(level, bucket);
        if (open != (slot != SlotIntent.NONE) || (open && state.isUsed(level, bucket, slot))) {
          throw refused("reads slot " + slot + " of a bucket that it cannot read");
        }
        if (open) {
          state.useForPath(level, bucket, slot);
        }
      }
    }
    state.begun(intent);
  }

  /**
   * Chooses slots that an eviction reads of a bucket on its path, and marks them as used. After all
   * choices, Z slots are chosen in random order, including all unused ones with a block.
   *
   * @param most most slots to choose
   * @param chosen receives the choice; nothing if all Z slots are chosen already, or if the bucket
   *     is closed or was never written
   */
  void choose(long eviction, int level, int most, List<SlotChoice> chosen) {
    int bucket = geometry.bucket(eviction, level);
    int left = geometry.room(level) - state.choices().slots(eviction, level);
    int count = Math.min(most, left);
    if (count == 0 || !state.isOpen(level, bucket)) {
      return;
    }
    int[] slots = new int[count];
    SlotDraws draws = new SlotDraws(labels, 2 * count);
    for (int i = 0; i < count; i++) {
      boolean isReal = draws.below(left - i) < unused(level, bucket, true);
      slots[i] = draw(level, bucket, isReal, draws);
      state.setUsed(level, bucket, slots[i]);
    }
    SlotChoice choice = new SlotChoice(eviction, level, slots);
    state.choices().add(choice);
    chosen.add(choice);
  }

  /** Repeats the choice of an eviction that the journal recorded. */
  void replay(SlotChoice choice) {
    int level = choice.level();
    int bucket = geometry.bucket(choice.eviction(), level);
    long ahead = choice.eviction() - state.evictions();
    int chosen = state.choices().slots(choice.eviction(), level);
    if (ahead < 0
        || ahead > (geometry.areApart() ? 1 : 0)
        || !state.isOpen(level, bucket)
        || chosen + choice.slots().length > geometry.room(level)) {
      throw refused("reads a bucket that it cannot read");
    }
    for (int slot : choice.slots()) {
      if (state.isUsed(level, bucket, slot)) {
        throw refused("reads slot " + slot + " of a bucket once more");
      }
      state.setUsed(level, bucket, slot);
    }
    state.choices().add(choice);
  }

  /** Returns the number of unused slots of a bucket: either the real ones or the others. */
  private int unused(int level, int bucket, boolean isReal) {
    int unused = 0;
    for (int word = 0; word < geometry.words(level); word++) {
      unused += Integer.bitCount(state.unused(level, bucket, word, isReal));
    }
    return unused;
  }

  /** Draws an unused slot uniformly: either a real one or another. */
  private int draw(int level, int bucket, boolean isReal, SlotDraws draws) {
    int unused = unused(level, bucket, isReal);
    if (unused == 0) {
      throw new IllegalStateException("bucket " + bucket + " of level " + level + " has no slot");
    }
    int left = draws.below(unused);
    int word = 0;
    int bits = state.unused(level, bucket, 0, isReal);
    while (left >= Integer.bitCount(bits)) {
      left -= Integer.bitCount(bits);
      word++;
      bits = state.unused(level, bucket, word, isReal);
    }
    for (; left > 0; left--) {
      bits &= bits - 1;
    }
    return word * Integer.SIZE + Integer.numberOfTrailingZeros(bits);
  }
}
