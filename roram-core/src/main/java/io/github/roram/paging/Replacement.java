package io.github.roram.paging;

import java.util.function.IntPredicate;

/** Chooses which page leaves the working set when a fault needs its place. */
public enum Replacement {
  /** The page that came first, as in the paper's evaluation. */
  FIFO,
  /** The page that has not been accessed for the longest time. */
  LRU,
  /**
   * Second chance: a hand goes round the frames; a page that was accessed since the hand last
   * passed it stays for another round.
   */
  CLOCK;

  ReplacementPolicy policy(int frames) {
    return switch (this) {
      case FIFO -> new QueuePolicy(frames, false);
      case LRU -> new QueuePolicy(frames, true);
      case CLOCK -> new ClockPolicy(frames);
    };
  }

  /** Chooses frames; knows nothing of pages. Not thread safe. */
  interface ReplacementPolicy {

    /** No frame may be emptied. */
    int NONE = -1;

    /** Notes that a page came into an empty frame. */
    void loaded(int frame);

    /** Notes that the page of a frame was accessed, and another one before it. */
    void touched(int frame);

    /** Notes that a frame was emptied. */
    void emptied(int frame);

    /**
     * Returns the frame to empty next.
     *
     * @param mayGo tells which full frames may be emptied
     * @return the frame, or {@link #NONE} if none may be emptied
     */
    int victim(IntPredicate mayGo);
  }

  /** Frames on a dial with a hand; a bit for each: accessed since the hand passed. */
  private static final class ClockPolicy implements ReplacementPolicy {

    private final boolean[] full;
    private final boolean[] accessed;
    private int hand;

    ClockPolicy(int frames) {
      full = new boolean[frames];
      accessed = new boolean[frames];
    }

    @Override
    public void loaded(int frame) {
      full[frame] = true;
      accessed[frame] = true;
      if (frame == hand) {
        advance();
      }
    }

    @Override
    public void touched(int frame) {
      accessed[frame] = true;
    }

    @Override
    public void emptied(int frame) {
      full[frame] = false;
    }

    /** Goes round at most twice: the first round takes every second chance. */
    @Override
    public int victim(IntPredicate mayGo) {
      for (int i = 0; i <= 2 * full.length; i++) {
        if (full[hand] && mayGo.test(hand)) {
          if (!accessed[hand]) {
            return hand;
          }
          accessed[hand] = false;
        }
        advance();
      }
      return NONE;
    }

    private void advance() {
      hand = hand + 1 == full.length ? 0 : hand + 1;
    }
  }

  /**
   * Frames in a queue: first in, first out; for LRU an accessed frame returns to the end. A doubly
   * linked list in arrays; one extra entry is its head and tail.
   */
  private static final class QueuePolicy implements ReplacementPolicy {

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
}
