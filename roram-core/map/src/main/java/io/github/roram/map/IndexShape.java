package io.github.roram.map;

import io.github.roram.ConfigurationException;

/**
 * The capacity of an {@link ObliviousIndex}. The store learns these numbers.
 *
 * @param words distinct words of all documents
 * @param documentWords distinct words of one call of {@link ObliviousIndex#add}; each call takes
 *     room for this many, 16 bytes a word
 * @param bufferedDocuments calls between two merges; more calls mean a lower cost of merges per
 *     call and more client memory, some 100 bytes for each word of each call
 */
public record IndexShape(int words, int documentWords, int bufferedDocuments) {

  /**
   * Checks the numbers.
   *
   * @throws ConfigurationException if a number is below 1
   */
  public IndexShape {
    check("words", words);
    check("documentWords", documentWords);
    check("bufferedDocuments", bufferedDocuments);
  }

  private static void check(String name, int value) {
    if (value < 1) {
      throw new ConfigurationException(name + " is " + value + ", must be at least 1");
    }
  }
}
