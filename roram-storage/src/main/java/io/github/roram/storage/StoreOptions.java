package io.github.roram.storage;

import io.github.roram.ConfigurationException;

/**
 * How a store is created and accessed. Stores that have no such choice ignore the options.
 *
 * @param segmentBytes length of a segment file, a positive multiple of 4096; a store that exists
 *     keeps the length that it was created with
 * @param directIo whether to bypass the operating system's page cache
 */
public record StoreOptions(long segmentBytes, boolean directIo) {

  /** What {@link #segmentBytes} must be a multiple of, in bytes. */
  public static final int SEGMENT_GRANULE_BYTES = 4096;

  private static final StoreOptions DEFAULTS = new StoreOptions(1L << 30, false);

  /**
   * Checks the segment length.
   *
   * @throws ConfigurationException if it is not a positive multiple of 4096
   */
  public StoreOptions {
    if (segmentBytes <= 0 || segmentBytes % SEGMENT_GRANULE_BYTES != 0) {
      throw new ConfigurationException(
          "segmentBytes is "
              + segmentBytes
              + ", must be a positive multiple of "
              + SEGMENT_GRANULE_BYTES);
    }
  }

  /** Segments of 1 GiB, through the page cache. */
  public static StoreOptions defaults() {
    return DEFAULTS;
  }

  /** The same options but for the length of a segment in bytes. */
  public StoreOptions withSegmentBytes(long newSegmentBytes) {
    return new StoreOptions(newSegmentBytes, directIo);
  }

  /** The same options but for direct I/O. */
  public StoreOptions withDirectIo(boolean newDirectIo) {
    return new StoreOptions(segmentBytes, newDirectIo);
  }
}
