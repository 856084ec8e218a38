package io.github.roram.netserver;

import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;

/**
 * The place where a server keeps its volumes. The vault of an opened store holds the server's
 * record of the volume. Calls for the same volume are made one after another, those for different
 * volumes concurrently.
 */
public interface VolumeBacking {

  /**
   * Creates a volume of zeros and opens it. If that fails or is interrupted, the volume either does
   * not exist, or is complete with its record.
   */
  OpenedStore create(String name, long capacityBytes, FirstRecord record) throws IOException;

  /** Opens a volume. Its sync also covers writes from before it was opened. */
  OpenedStore open(String name) throws IOException;

  /**
   * Returns the vaults of all volumes that can be opened, by name. Called before any volume is
   * opened.
   */
  Map<String, ClientVault> vaults() throws IOException;

  /** Returns whether a volume of this name exists. */
  boolean exists(String name) throws IOException;

  /** Deletes a volume that is not open. */
  void delete(String name) throws IOException;

  /** The server's first record of a volume. */
  @FunctionalInterface
  interface FirstRecord {
    /** Saves the record in the vault of a volume that is not yet available to anyone. */
    void save(ClientVault vault) throws IOException;
  }

  /** Volumes in memory, which are gone when the server closes them: for tests and measurements. */
  final class MemoryBacking implements VolumeBacking {

    /** Creates a backing without volumes. */
    public MemoryBacking() {}

    @Override
    public OpenedStore create(String name, long capacityBytes, FirstRecord record)
        throws IOException {
      ClientVault vault = ClientVault.inMemory();
      record.save(vault);
      return new OpenedStore(new MemoryStore(capacityBytes), vault);
    }

    @Override
    public OpenedStore open(String name) throws NoSuchFileException {
      throw new NoSuchFileException(name);
    }

    @Override
    public Map<String, ClientVault> vaults() {
      return Map.of();
    }

    /** Volumes in memory are always open. */
    @Override
    public boolean exists(String name) {
      return false;
    }

    @Override
    public void delete(String name) {}

    @Override
    public String toString() {
      return "volumes in memory";
    }
  }
}
