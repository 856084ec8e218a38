package io.github.roram.bench.search;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Texts whose words follow Zipf's law: the word of rank r is drawn with a probability that is
 * proportional to 1/r, as in natural languages.
 */
final class ZipfTexts {

  private static final int DRAWS = 100;

  private final double[] upTo;
  private final SplittableRandom random;

  ZipfTexts(int words, long seed) {
    upTo = new double[words];
    double sum = 0;
    for (int rank = 0; rank < words; rank++) {
      sum += 1.0 / (rank + 1);
      upTo[rank] = sum;
    }
    random = new SplittableRandom(seed);
  }

  /** The unlike words of a text of {@value #DRAWS}. */
  Set<String> next() {
    Set<String> words = new HashSet<>();
    for (int i = 0; i < DRAWS; i++) {
      int found = Arrays.binarySearch(upTo, random.nextDouble(upTo[upTo.length - 1]));
      words.add(word(found >= 0 ? found : -found - 1));
    }
    return words;
  }

  static String word(int rank) {
    return "w" + rank;
  }
}
