package io.github.roram.slot;

import io.github.roram.cipher.LabelSource;

/**
 * Uniform random numbers below any bound, made from labels. All labels are drawn at once, whether
 * the numbers are used or not: how many are used depends on where blocks are, and the labels drawn
 * afterwards must not.
 */
final class SlotDraws {

  private static final int LABEL_BITS = 30;

  private final long[] bits;
  private int used;

  /** Returns how many labels are drawn for {@code numbers} numbers. */
  static int labels(int numbers) {
    return 2 * numbers;
  }

  /** Draws {@code numbers} numbers in advance. */
  SlotDraws(LabelSource labels, int numbers) {
    bits = new long[numbers];
    LabelSource drawn = labels.drawn(labels(numbers));
    for (int i = 0; i < numbers; i++) {
      long high = drawn.next(1 << LABEL_BITS);
      bits[i] = high << LABEL_BITS | drawn.next(1 << LABEL_BITS);
    }
  }

  /**
   * Returns the next number, 0 to {@code bound} − 1; it is uniform except for a bias below {@code
   * bound} · 2^−60.
   *
   * @param bound at least 1
   */
  int below(int bound) {
    return (int) Math.multiplyHigh(bits[used++] << 3, (long) bound << 1);
  }
}
