package io.github.roram.slot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * What evictions chose to read, in the order of the evictions and of their levels. Those of an
 * eviction that was applied stay while a read is pending that was begun before: the block that it
 * is to bring may be among them, and stands in a bucket that was replaced.
 *
 * <p>Not thread safe.
 */
final class SlotChoices {

  private final ArrayDeque<SlotChoice> choices = new ArrayDeque<>();

  void add(SlotChoice choice) {
    choices.add(choice);
  }

  /** How many slots an eviction has chosen of a level. */
  int slots(long eviction, int level) {
    int slots = 0;
    for (SlotChoice choice : choices) {
      if (choice.eviction() == eviction && choice.level() == level) {
        slots += choice.slots().length;
      }
    }
    return slots;
  }

  /** How many slots all have chosen. */
  int slots() {
    int slots = 0;
    for (SlotChoice choice : choices) {
      slots += choice.slots().length;
    }
    return slots;
  }

  /** Those whose blocks are not with the client. */
  List<SlotChoice> unread() {
    // Asked for by each access: most have none.
    List<SlotChoice> unread = List.of();
    for (SlotChoice choice : choices) {
      if (!choice.isHeld()) {
        unread = unread.isEmpty() ? new ArrayList<>() : unread;
        unread.add(choice);
      }
    }
    return unread;
  }

  /** No block of them is with the client. */
  void dropHeld() {
    choices.forEach(choice -> choice.setHeld(false));
  }

  /** Forgets those of evictions before one. */
  void forgetBefore(long eviction) {
    choices.removeIf(choice -> choice.eviction() < eviction);
  }

  void clear() {
    choices.clear();
  }

  /** Those of an eviction and a level in one piece. */
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
