package io.github.roram.slot;

/**
 * What a tree is made of.
 *
 * @param rate A: so many blocks enter for an eviction
 * @param step s: every s-th level is stored; the fan-out is 2^s
 * @param height h
 * @param topLevel m: the levels above are with the client; s divides h − m
 */
record SlotShape(int rate, int step, int height, int topLevel) {

  /** 2^s. */
  int fanOut() {
    return 1 << step;
  }
}
