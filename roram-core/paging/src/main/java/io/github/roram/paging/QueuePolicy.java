package io.github.roram.paging;

import java.util.function.IntPredicate;

/**
 * Frames in a queue: first in, first out; for LRU a frame that is accessed goes to the end again. A
 * doubly linked list in arrays, whose head and tail are one further entry.
 */
final class QueuePolicy implements ReplacementPolicy {

  private final boolean moveWhenTouched;
  private final int ends;
  private final int[] next;
  private final int[] previous;

  QueuePolicy(int frames, boolean moveWhenTouched) {
    this.moveWhenTouched = moveWhenTouched;
    ends = frames;
    next = new int[frames + 1];
    previous = new int[frames + 1];
    next[ends] = ends;
    previous[ends] = ends;
  }

  @Override
  public void loaded(int frame) {
    append(frame);
  }

  @Override
  public void touched(int frame) {
    if (moveWhenTouched && previous[ends] != frame) {
      unlink(frame);
      append(frame);
    }
  }

  @Override
  public void emptied(int frame) {
    unlink(frame);
  }

  @Override
  public int victim(IntPredicate mayGo) {
    for (int frame = next[ends]; frame != ends; frame = next[frame]) {
      if (mayGo.test(frame)) {
        return frame;
      }
    }
    return NONE;
  }

  private void append(int frame) {
    int last = previous[ends];
    next[last] = frame;
    previous[frame] = last;
    next[frame] = ends;
    previous[ends] = frame;
  }

  private void unlink(int frame) {
    next[previous[frame]] = next[frame];
    previous[next[frame]] = previous[frame];
  }
}
