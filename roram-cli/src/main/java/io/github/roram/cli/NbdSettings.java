package io.github.roram.cli;

import io.github.roram.Durability;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.tls.TlsFiles;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code roram nbd} serves, and where.
 *
 * @param listen Unix socket, or host and port
 * @param tls certificate files; null for none
 * @param anyoneOnThisMachine whether all local users may connect
 * @param exports the stores, the default one first
 */
record NbdSettings(
    SocketAddress listen,
    @Nullable TlsFiles tls,
    boolean anyoneOnThisMachine,
    List<Served> exports) {

  /**
   * A store that is served.
   *
   * @param name of the export
   * @param description of the export, for people
   * @param uri the store
   * @param options how to access it
   * @param keys what unlocks it
   * @param opening what is chosen of its scheme
   * @param durability null for {@code flush}, where the scheme has it
   * @param rollbackGuard its file; null for none
   * @param sizeClass i, for accesses of 2^i blocks; −1 for as long as requests need
   * @param inFlight accesses that overlap, where its scheme can
   * @param readOnly whether writes are refused
   */
  record Served(
      String name,
      String description,
      String uri,
      StoreOptions options,
      KeyOptions keys,
      OpeningOptions opening,
      @Nullable Durability durability,
      @Nullable Path rollbackGuard,
      int sizeClass,
      int inFlight,
      boolean readOnly) {}

  /** The files that {@code roram server init-certs} makes. */
  static TlsFiles tls(Path directory) {
    return TlsFiles.inDirectory(directory, "server");
  }
}
