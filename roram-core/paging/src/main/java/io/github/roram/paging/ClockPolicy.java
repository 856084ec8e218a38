package io.github.roram.paging;

import java.util.function.IntPredicate;

/** Frames on a dial with a hand, and a bit for each: accessed since the hand was there. */
final class ClockPolicy implements ReplacementPolicy {

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

  /** Two rounds at most: the first one takes every second chance. */
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
