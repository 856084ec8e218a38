package io.github.roram.paging;

import io.github.roram.ConfigurationException;
import io.github.roram.OramConfig;

/** Bounds of the size of a page. */
final class PageSize {

  private static final int MOST_BYTES = 1 << 26;

  private PageSize() {}

  /** Returns the size if it is within bounds. */
  static int checked(long pageBytes) {
    if (pageBytes < OramConfig.MIN_BLOCK_BYTES
        || pageBytes > MOST_BYTES
        || Long.bitCount(pageBytes) != 1) {
      throw new ConfigurationException(
          "a page is "
              + pageBytes
              + " bytes, must be a power of two from "
              + OramConfig.MIN_BLOCK_BYTES
              + " to "
              + MOST_BYTES);
    }
    return (int) pageBytes;
  }
}
