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
 * @param stateDirectory where the client keeps its records of a store on a block server; null for
 *     {@code roram/HOST_PORT_VOLUME} below {@code $XDG_STATE_HOME} or {@code ~/.local/state}
 * @param remote how a block server is reached
 */
public record StoreOptions(
    long segmentBytes, boolean directIo, @Nullable Path stateDirectory, RemoteOptions remote) {

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

  /** Options of a store on this machine. */
  public StoreOptions(long segmentBytes, boolean directIo) {
    this(segmentBytes, directIo, null, RemoteOptions.defaults());
  }

  /** Segments of 1 GiB, through the page cache. */
  public static StoreOptions defaults() {
    return DEFAULTS;
  }

  /** The same options but for the length of a segment in bytes. */
  public StoreOptions withSegmentBytes(long newSegmentBytes) {
    return new StoreOptions(newSegmentBytes, directIo, stateDirectory, remote);
  }

  /** The same options but for direct I/O. */
  public StoreOptions withDirectIo(boolean newDirectIo) {
    return new StoreOptions(segmentBytes, newDirectIo, stateDirectory, remote);
  }

  /** The same options but for where the client's records of a remote store are. */
  public StoreOptions withStateDirectory(@Nullable Path newStateDirectory) {
    return new StoreOptions(segmentBytes, directIo, newStateDirectory, remote);
  }

  /** The same options but for how a block server is reached. */
  public StoreOptions withRemote(RemoteOptions newRemote) {
    return new StoreOptions(segmentBytes, directIo, stateDirectory, newRemote);
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
