package io.github.roram.slot;

import static io.github.roram.journal.ReplayCheck.within;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Slots of a bucket that an eviction is about to read. In a note in the journal, and in the saved
 * state (big endian):
 *
 * <pre>
 *    0  eviction t                                  u64
 *    8  number of the stored level                  u8
 *    9  slots r                                     u16
 *   11  r times slot                                u16
 * </pre>
 *
 * <p>A note has kind = 3 (u8), the number of such choices (u8), the choices, and zeros up to the
 * length that it has if no bucket is closed.
 */
final class SlotChoice {

  /** Kind of the note. */
  static final byte KIND = 3;

  private static final int FIELD_BYTES = Long.BYTES + 1 + Short.BYTES;

  private final long eviction;
  private final int level;
  private final int[] slots;
  private boolean isHeld;

  SlotChoice(long eviction, int level, int... slots) {
    this.eviction = eviction;
    this.level = level;
    this.slots = slots;
  }

  /** Returns t: the bucket is on the path of eviction t. */
  long eviction() {
    return eviction;
  }

  /** Returns the stored level. */
  int level() {
    return level;
  }

  int[] slots() {
    return slots;
  }

  /** Returns whether the client holds the blocks of the slots. */
  boolean isHeld() {
    return isHeld;
  }

  void setHeld(boolean held) {
    isHeld = held;
  }

  /** Returns the bytes of a note of {@code slots} slots of {@code levels} levels. */
  static int noteBytes(int levels, int slots) {
    return 2 + levels * FIELD_BYTES + slots * Short.BYTES;
  }

  /** Returns the bytes of all choices for a path, with one choice for each level. */
  static int pathBytes(SlotGeometry geometry) {
    return noteBytes(geometry.levels(), geometry.pathRoom());
  }

  /** Writes a note without the zeros at its end. */
  static void writeNote(DataOutput out, List<SlotChoice> choices) throws IOException {
    out.writeByte(KIND);
    out.writeByte(choices.size());
    for (SlotChoice choice : choices) {
      choice.writeTo(out);
    }
  }

  /** Returns whether another choice is of the same bucket. */
  boolean isContinuedBy(SlotChoice next) {
    return eviction == next.eviction && level == next.level;
  }

  /** Returns one choice with the slots of both. */
  SlotChoice with(SlotChoice next) {
    return new SlotChoice(
        eviction, level, IntStream.concat(IntStream.of(slots), IntStream.of(next.slots)).toArray());
  }

  void writeTo(DataOutput out) throws IOException {
    out.writeLong(eviction);
    out.writeByte(level);
    out.writeShort(slots.length);
    for (int slot : slots) {
      out.writeShort(slot);
    }
  }

  /** Reads what {@link #writeTo} wrote, and refuses values that no client writes. */
  static SlotChoice read(DataInput in, SlotGeometry geometry) throws IOException {
    long eviction = in.readLong();
    int level = in.readUnsignedByte();
    within("stored level", level, 0, geometry.levels());
    int[] slots = new int[in.readUnsignedShort()];
    within("slots of a bucket", slots.length, 1, geometry.room(level) + 1L);
    for (int i = 0; i < slots.length; i++) {
      slots[i] = in.readUnsignedShort();
      within("slot", slots[i], 0, geometry.slots(level));
    }
    return new SlotChoice(eviction, level, slots);
  }

  /**
   * The slots that evictions chose to read, in the order of evictions and levels. The choices of an
   * applied eviction are kept while a read that began before it is pending: the block of that read
   * may be in one of these slots, in a bucket that has been replaced.
   *
   * <p>Not thread safe.
   */
  static final class Chosen {

    private final ArrayDeque<SlotChoice> choices = new ArrayDeque<>();

    void add(SlotChoice choice) {
      choices.add(choice);
    }

    /** Returns how many slots of a level an eviction has chosen. */
    int slots(long eviction, int level) {
      int slots = 0;
      for (SlotChoice choice : choices) {
        if (choice.eviction() == eviction && choice.level() == level) {
          slots += choice.slots().length;
        }
      }
      return slots;
    }

    /** Returns how many slots all evictions have chosen. */
    int slots() {
      int slots = 0;
      for (SlotChoice choice : choices) {
        slots += choice.slots().length;
      }
      return slots;
    }

    /** Returns the choices whose blocks the client does not have. */
    List<SlotChoice> unread() {
      // Every access calls this, and there is usually no such choice.
      List<SlotChoice> unread = List.of();
      for (SlotChoice choice : choices) {
        if (!choice.isHeld()) {
          unread = unread.isEmpty() ? new ArrayList<>() : unread;
          unread.add(choice);
        }
      }
      return unread;
    }

    /** Notes that the client holds no blocks of these slots. */
    void dropHeld() {
      choices.forEach(choice -> choice.setHeld(false));
    }

    /** Forgets the choices of evictions before one. */
    void forgetBefore(long eviction) {
      choices.removeIf(choice -> choice.eviction() < eviction);
    }

    void clear() {
      choices.clear();
    }

    /** Returns the choices, with those of the same eviction and level combined. */
    List<SlotChoice> joined() {
      List<SlotChoice> joined = new ArrayList<>();
      for (SlotChoice next : choices) {
        int last = joined.size() - 1;
        if (last >= 0 && joined.get(last).isContinuedBy(next)) {
          joined.set(last, joined.get(last).with(next));
        } else {
          joined.add(next);
        }
      }
      return joined;
    }
  }
}
