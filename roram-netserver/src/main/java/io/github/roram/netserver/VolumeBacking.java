package io.github.roram.netserver;

import io.github.roram.storage.OpenedStore;
import java.io.IOException;

/**
 * Where a server keeps its volumes. The vault of an opened store holds the server's record of the
 * volume. Calls are serialised by the server.
 */
public interface VolumeBacking {

  /** Creates a volume that reads as zeros, and opens it. */
  OpenedStore create(String name, long capacityBytes) throws IOException;

  /** Opens a volume: whatever was written to it before this process began is durable now. */
  OpenedStore open(String name) throws IOException;

  /** Whether there is a volume of this name. */
  boolean exists(String name) throws IOException;

  /** Deletes a volume that is not open. */
  void delete(String name) throws IOException;

  /** A number that changes when writes that were not synced may have been lost. */
  long verifier();
}
