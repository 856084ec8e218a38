package io.github.roram.map;

import io.github.roram.ConfigurationException;

/**
 * How much an {@link ObliviousIndex} has room for. Its storage may know these numbers.
 *
 * @param words unlike ones, of all documents
 * @param documentWords of one call of {@link ObliviousIndex#add}; each call takes the room of so
 *     many, 16 bytes a word
 * @param bufferedDocuments calls between two merges: the more, the less a merge costs a call, and
 *     the more memory the client needs, some 100 bytes a word of each
 */
public record IndexShape(int words, int documentWords, int bufferedDocuments) {

  /**
   * Checks.
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
