package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.remote.RemoteAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a store is created and accessed. Stores that have no such choice ignore the options.
 *
 * @param segmentBytes length of a segment file, a positive multiple of 4096; a store that exists
 *     keeps the length that it was created with
 * @param directIo whether to bypass the operating system's page cache
 * @param readDepth how many reads of a batch a store in files makes at the same time when they wait
 *     for the medium, 1 to 64; all but one on threads of its own
 * @param stateDirectory where the client keeps its records of the store; null for {@code DIR/vault}
 *     of a store in files, and {@code roram/HOST_PORT_VOLUME} below {@code $XDG_STATE_HOME} or
 *     {@code ~/.local/state} of one on a block server
 * @param remote how a block server is reached
 */
public record StoreOptions(
    long segmentBytes,
    boolean directIo,
    int readDepth,
    @Nullable Path stateDirectory,
    RemoteOptions remote) {

  /** What {@link #segmentBytes} must be a multiple of, in bytes. */
  public static final int SEGMENT_GRANULE_BYTES = 4096;

  /** Upper bound of {@link #readDepth}. */
  public static final int MAX_READ_DEPTH = 64;

  private static final int DEFAULT_READ_DEPTH = 8;

  private static final StoreOptions DEFAULTS = new StoreOptions(1L << 30, false);

  /**
   * Checks the numbers.
   *
   * @throws ConfigurationException if the segment length is not a positive multiple of 4096, or the
   *     depth of reads not 1 to 64
   */
  public StoreOptions {
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

  /** Options of a store on this machine. */
  public StoreOptions(long segmentBytes, boolean directIo) {
    this(segmentBytes, directIo, DEFAULT_READ_DEPTH, null, RemoteOptions.defaults());
  }

  /** Segments of 1 GiB, through the page cache, up to 8 reads at the same time. */
  public static StoreOptions defaults() {
    return DEFAULTS;
  }

  /** The same options but for the length of a segment in bytes. */
  public StoreOptions withSegmentBytes(long newSegmentBytes) {
    return new StoreOptions(newSegmentBytes, directIo, readDepth, stateDirectory, remote);
  }

  /** The same options but for direct I/O. */
  public StoreOptions withDirectIo(boolean newDirectIo) {
    return new StoreOptions(segmentBytes, newDirectIo, readDepth, stateDirectory, remote);
  }

  /** The same options but for how many reads of a batch are made at the same time. */
  public StoreOptions withReadDepth(int newReadDepth) {
    return new StoreOptions(segmentBytes, directIo, newReadDepth, stateDirectory, remote);
  }

  /** The same options but for where the client's records are. */
  public StoreOptions withStateDirectory(@Nullable Path newStateDirectory) {
    return new StoreOptions(segmentBytes, directIo, readDepth, newStateDirectory, remote);
  }

  /** The same options but for how a block server is reached. */
  public StoreOptions withRemote(RemoteOptions newRemote) {
    return new StoreOptions(segmentBytes, directIo, readDepth, stateDirectory, newRemote);
  }

  /** Where the client's records of a volume are. */
  Path stateDirectoryOf(RemoteAddress address) {
    if (stateDirectory != null) {
      return stateDirectory;
    }
    String home = System.getenv("XDG_STATE_HOME");
    Path base =
        home != null && !home.isEmpty()
            ? Path.of(home)
            : Path.of(System.getProperty("user.home"), ".local", "state");
    String host = address.host().replaceAll("[^A-Za-z0-9.-]", "-");
    return base.resolve("roram").resolve(host + "_" + address.port() + "_" + address.volume());
  }
}
