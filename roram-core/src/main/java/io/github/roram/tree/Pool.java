package io.github.roram.tree;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reusable things that are lent to one operation at a time. The one that was made first is lent
 * first: an operation that has no other beside it always gets the same one, and only that grows to
 * what it needs. Not thread safe.
 */
final class Pool<T> {

  private final Supplier<T> maker;
  private final List<T> made = new ArrayList<>();

  /** Which of them nobody has. */
  private final BitSet idle = new BitSet();

  Pool(Supplier<T> maker) {
    this.maker = maker;
  }

  /** One that nobody else has. */
  T lend() {
    int first = idle.nextSetBit(0);
    if (first >= 0) {
      idle.clear(first);
      return made.get(first);
    }
    T lent = maker.get();
    made.add(lent);
    return lent;
  }

  /** Takes back what was lent. */
  @SuppressWarnings("ReferenceEquality") // which of them it is, not which is like it
  void giveBack(T lent) {
    for (int i = 0; i < made.size(); i++) {
      if (made.get(i) == lent) {
        idle.set(i);
      }
    }
  }

  /** Does something to all of them, lent or not. */
  void forEach(Consumer<T> action) {
    made.forEach(action);
  }
}
