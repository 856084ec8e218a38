package io.github.roram.auditor.workload;

import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.view.ViewRecorder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Where the stores of runs are: each run has a new one there, one after another. Safe for use by
 * one thread.
 */
public interface Place extends Closeable {

  /**
   * A new store, and the vault of its client.
   *
   * @param recorder gets what is seen on the line to the store, where it can be watched
   */
  NewStore newStore(long capacityBytes, ViewRecorder recorder) throws IOException;

  /** For reports. */
  @Override
  String toString();

  /** Ends what the place itself needs. */
  @Override
  void close() throws IOException;

  /** Stores in memory. */
  static Place memory() {
    return new UriPlace("mem:", StoreOptions.defaults(), Path.of(""));
  }

  /**
   * Stores in files, with the vault beside them, in a directory of their own that is deleted when
   * the place is closed.
   *
   * @param parent where it is made
   */
  static Place temporaryFiles(Path parent) throws IOException {
    return TemporaryPlace.files(parent);
  }

  /**
   * Volumes of a block server that runs in this process, over TLS on loopback, whose line is
   * watched; everything is in a directory of its own that is deleted when the place is closed.
   *
   * @param parent where it is made
   */
  static Place temporaryTlsServer(Path parent) throws IOException {
    return TemporaryPlace.tlsServer(parent);
  }

  /**
   * Stores at a URI: each run creates one there, and deletes it. The line to a block server is
   * watched where that is on loopback.
   *
   * @param uri mem:, or where there must be no store yet
   * @param stateParent where the vaults of volumes are, each in a directory of its own, unless the
   *     options name one
   */
  static Place at(String uri, StoreOptions options, Path stateParent) {
    return new UriPlace(uri, options, stateParent);
  }
}
