package io.github.roram.storage.file;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreUse;

/**
 * Options for creating and accessing a store in segment files. Immutable; start from {@link
 * #defaults} and change what differs.
 *
 * @param segmentBytes length of a segment file in bytes, a positive multiple of 4096; an existing
 *     store keeps the length that it was created with
 * @param directIo whether to bypass the operating system's page cache
 * @param readDepth most concurrent reads of a batch while they wait for the medium, 1 to 64; all
 *     but one run on separate threads
 */
public record FileOptions(long segmentBytes, boolean directIo, int readDepth) {

  /** Bytes of which {@link #segmentBytes} must be a multiple. */
  public static final int SEGMENT_GRANULE_BYTES = 4096;

  /** Upper bound of {@link #readDepth}. */
  public static final int MAX_READ_DEPTH = 64;

  private static final FileOptions DEFAULTS = new FileOptions(1L << 30, false, 8);

  /** Declares {@link #segmentBytes}. */
  static final StoreOption<Long> SEGMENT_SIZE =
      StoreOption.bytes("segment-size", "Longest segment file.")
          .byDefault("1G")
          .onlyTo(StoreUse.CREATE);

  /** Declares {@link #directIo}. */
  static final StoreOption<Boolean> DIRECT_IO =
      StoreOption.flag("direct-io", "Bypass the operating system's page cache.")
          .onlyTo(StoreUse.OPEN);

  /** Declares {@link #readDepth}. */
  static final StoreOption<Integer> READ_DEPTH =
      StoreOption.number(
              "read-depth",
              1,
              MAX_READ_DEPTH,
              "How many reads of a request are made at the same time when they wait for the disk, 1"
                  + " to 64.")
          .byDefault(Integer.toString(DEFAULTS.readDepth))
          .onlyTo(StoreUse.OPEN);

  /**
   * Checks the numbers.
   *
   * @throws ConfigurationException if the segment length is not a positive multiple of 4096, or the
   *     depth of reads not 1 to 64
   */
  public FileOptions {
    if (segmentBytes <= 0 || segmentBytes % SEGMENT_GRANULE_BYTES != 0) {
      throw new ConfigurationException(
          "segmentBytes is "
              + segmentBytes
              + ", must be a positive multiple of "
              + SEGMENT_GRANULE_BYTES);
    }
    if (readDepth < 1 || readDepth > MAX_READ_DEPTH) {
      throw new ConfigurationException(
          "readDepth is " + readDepth + ", must be 1 to " + MAX_READ_DEPTH);
    }
  }

  /** Returns segments of 1 GiB, through the page cache, with up to 8 concurrent reads. */
  public static FileOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns the options of stores in files that a set has.
   *
   * @throws ConfigurationException if a number is out of bounds, as in the constructor
   */
  public static FileOptions of(StoreOptions options) {
    return new FileOptions(
        options.get(SEGMENT_SIZE).orElse(DEFAULTS.segmentBytes),
        options.get(DIRECT_IO).orElse(DEFAULTS.directIo),
        options.get(READ_DEPTH).orElse(DEFAULTS.readDepth));
  }

  /** Returns these options with another length of a segment in bytes. */
  public FileOptions withSegmentBytes(long newSegmentBytes) {
    return new FileOptions(newSegmentBytes, directIo, readDepth);
  }

  /** Returns these options with or without direct I/O. */
  public FileOptions withDirectIo(boolean newDirectIo) {
    return new FileOptions(segmentBytes, newDirectIo, readDepth);
  }

  /** Returns these options with another number of concurrent reads. */
  public FileOptions withReadDepth(int newReadDepth) {
    return new FileOptions(segmentBytes, directIo, newReadDepth);
  }

  /** Returns these options in the form that {@link io.github.roram.storage.Stores} takes. */
  public StoreOptions storeOptions() {
    return StoreOptions.defaults()
        .with(SEGMENT_SIZE, segmentBytes)
        .with(DIRECT_IO, directIo)
        .with(READ_DEPTH, readDepth);
  }
}
