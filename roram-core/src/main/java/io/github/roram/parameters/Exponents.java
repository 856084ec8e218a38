package io.github.roram.parameters;

import io.github.roram.ConfigurationException;
import java.util.Arrays;

/** Checks the exponents i of the range sizes 2^i in a configuration, or chooses them. */
public final class Exponents {

  /**
   * The second tree besides that of single blocks: with ranges of 2^5 blocks it saves most of the
   * seeks that a tree for each class saves, at the cost of few bytes (docs/reproducing.md, levers).
   */
  private static final int LONGER_TREE = 5;

  private Exponents() {}

  /** Returns the least i with 2^i at least n; 0 for n below 1. */
  public static int ceilLog2(long n) {
    return n <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(n - 1);
  }

  /**
   * Returns the size classes: those given, or all up to that of the longest range.
   *
   * @throws ConfigurationException if they do not increase from 0 to that of the longest range
   */
  static int[] sizeClasses(int[] given, int maxRangeBlocks) {
    int largest = ceilLog2(maxRangeBlocks);
    if (given.length == 0) {
      int[] all = new int[largest + 1];
      Arrays.setAll(all, i -> i);
      return all;
    }
    if (!increaseFromZero(given)) {
      throw new ConfigurationException(
          "size classes " + Arrays.toString(given) + " must start with 0 and increase");
    }
    if (given[given.length - 1] != largest) {
      throw new ConfigurationException(
          "size classes "
              + Arrays.toString(given)
              + " must end with "
              + largest
              + ", the class of the longest range of "
              + maxRangeBlocks
              + " blocks");
    }
    return given.clone();
  }

  /**
   * Returns the trees: the given ones; otherwise two if {@code few} is set and ranges are long, or
   * else one for each size class.
   *
   * @throws ConfigurationException if they do not increase from 0, or exceed the largest class
   */
  static int[] trees(int[] given, int[] classes, boolean few) {
    int largest = classes[classes.length - 1];
    if (given.length == 0) {
      return few && largest >= LONGER_TREE ? new int[] {0, LONGER_TREE} : classes;
    }
    if (!increaseFromZero(given) || given[given.length - 1] > largest) {
      throw new ConfigurationException(
          "trees "
              + Arrays.toString(given)
              + " must start with 0, increase, and end with at most "
              + largest
              + ", the largest size class");
    }
    return given.clone();
  }

  private static boolean increaseFromZero(int[] exponents) {
    for (int i = 1; i < exponents.length; i++) {
      if (exponents[i] <= exponents[i - 1]) {
        return false;
      }
    }
    return exponents[0] == 0;
  }
}
