package io.github.roram.range;

/**
 * The range sizes that have a tree of their own. The class of a range, the smallest 2^i that holds
 * it, is the only thing that an access shows (rORAM, §III-A; construction, section 1).
 */
final class SizeClasses {

  private final int[] exponents;

  SizeClasses(int[] exponents) {
    this.exponents = exponents.clone();
  }

  /** Number of classes, and so of trees. */
  int count() {
    return exponents.length;
  }

  /** i of a class: its ranges have 2^i blocks. */
  int exponent(int sizeClass) {
    return exponents[sizeClass];
  }

  /** The smallest class whose ranges hold {@code blocks} blocks. */
  int of(int blocks) {
    int sizeClass = 0;
    while (1 << exponents[sizeClass] < blocks) {
      sizeClass++;
    }
    return sizeClass;
  }
}
