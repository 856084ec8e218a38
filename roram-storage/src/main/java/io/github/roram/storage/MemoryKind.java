package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.memory.MemoryStore;
import io.github.roram.store.ClientVault;

/** Stores that last as long as the object that holds them: {@code mem:}. */
final class MemoryKind implements StoreKind {

  @Override
  public String scheme() {
    return "mem";
  }

  @Override
  public String form() {
    return "mem: (a new store in memory)";
  }

  @Override
  public OpenedStore create(String location, long capacityBytes, StoreOptions options) {
    requireNoLocation(location);
    return new OpenedStore(new MemoryStore(capacityBytes), ClientVault.inMemory());
  }

  @Override
  public OpenedStore open(String location, StoreOptions options) {
    requireNoLocation(location);
    throw new ConfigurationException(
        "a store in memory ends with the process that made it, so there is none to open:"
            + " create one, or use a file: store");
  }

  @Override
  public boolean exists(String location, StoreOptions options) {
    requireNoLocation(location);
    return false;
  }

  @Override
  public void delete(String location, StoreOptions options) {
    requireNoLocation(location);
    throw new ConfigurationException("there is no store in memory to delete: close it instead");
  }

  private static void requireNoLocation(String location) {
    if (!location.isEmpty()) {
      throw new ConfigurationException(
          "store URI is \"mem:" + location + "\", nothing may follow \"mem:\"");
    }
  }
}
