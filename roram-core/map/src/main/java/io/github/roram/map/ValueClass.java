package io.github.roram.map;

import io.github.roram.ConfigurationException;

/**
 * Values of up to a length, in an {@link ObliviousValues}.
 *
 * @param valueBytes the longest, at least 0
 * @param places how many values of the class there may be, at least 1
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
