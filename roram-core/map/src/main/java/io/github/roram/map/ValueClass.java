package io.github.roram.map;

import io.github.roram.ConfigurationException;

/**
 * A class of values, up to a length, in an {@link ObliviousValues}.
 *
 * @param valueBytes bytes of the longest value, at least 0
 * @param places most values of the class, at least 1
 */
public record ValueClass(int valueBytes, int places) {

  /** Checks the numbers. */
  public ValueClass {
    if (valueBytes < 0 || places < 1) {
      throw new ConfigurationException(
          "a class of "
              + places
              + " values of up to "
              + valueBytes
              + " bytes, must be 1 value at least, of 0 bytes at least");
    }
  }
}
