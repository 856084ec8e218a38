package io.github.roram.slot;

import io.github.roram.cipher.LabelSource;

/** Uniform numbers below any bound, made of labels that the system draws. */
final class SlotDraws {

  /** Labels that a number takes. */
  static final int LABELS = 2;

  private static final int LABEL_BITS = 30;

  private final LabelSource labels;

  SlotDraws(LabelSource labels) {
    this.labels = labels;
  }

  /**
   * A number from 0 on, uniform but for less than {@code bound} · 2^−60.
   *
   * @param bound at least 1
   */
  int below(int bound) {
    long high = labels.next(1 << LABEL_BITS);
    long bits = high << LABEL_BITS | labels.next(1 << LABEL_BITS);
    return (int) Math.multiplyHigh(bits << 3, (long) bound << 1);
  }
}
