package io.github.roram.tree;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Reusable things that are lent to one operation at a time. Not thread safe. */
final class Pool<T> {

  private final Supplier<T> maker;
  private final List<T> made = new ArrayList<>();
  private final ArrayDeque<T> idle = new ArrayDeque<>();

  Pool(Supplier<T> maker) {
    this.maker = maker;
  }

  /** One that nobody else has. */
  T lend() {
    T lent = idle.poll();
    if (lent == null) {
      lent = maker.get();
      made.add(lent);
    }
    return lent;
  }

  /** Takes back what was lent. */
  void giveBack(T lent) {
    idle.push(lent);
  }

  /** Does something to all of them, lent or not. */
  void forEach(Consumer<T> action) {
    made.forEach(action);
  }
}
