package io.github.roram.netserver;

import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;

/**
 * Where a server keeps its volumes. The vault of an opened store holds the server's record of the
 * volume. Calls for one volume are made one after another, those for others at the same time.
 */
public interface VolumeBacking {

  /**
   * Creates a volume that reads as zeros, and opens it. If that fails or is broken off, there is no
   * such volume, or the whole one with its record.
   */
  OpenedStore create(String name, long capacityBytes, FirstRecord record) throws IOException;

  /** Opens a volume, whose sync covers what was written to it before, too. */
  OpenedStore open(String name) throws IOException;

  /**
   * The vaults of all volumes, by name, with the server's records of them, but for those that
   * cannot be opened. Is called before any volume is opened.
   */
  Map<String, ClientVault> vaults() throws IOException;

  /** Whether there is a volume of this name. */
  boolean exists(String name) throws IOException;

  /** Deletes a volume that is not open. */
  void delete(String name) throws IOException;

  /** What a server remembers of a volume from its creation on. */
  @FunctionalInterface
  interface FirstRecord {
    /** Saves it in the vault of the volume, which is not open to anyone yet. */
    void save(ClientVault vault) throws IOException;
  }

  /** Volumes in memory, gone when the server closes them: for tests and measurements. */
  final class MemoryBacking implements VolumeBacking {

    /** Keeps no volumes yet. */
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

    /** Those that exist are open. */
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
