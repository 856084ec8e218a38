package io.github.roram.storage.memory;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreProvider;
import io.github.roram.storage.StoreTraits;
import io.github.roram.store.ClientVault;
import java.util.List;

/** Stores that exist until they are closed: {@code mem:}. */
public final class MemoryStoreProvider implements StoreProvider {

  @Override
  public String scheme() {
    return "mem";
  }

  @Override
  public String form() {
    return "mem:";
  }

  @Override
  public String about() {
    return "a new store in memory";
  }

  @Override
  public List<StoreOption<?>> options() {
    return List.of();
  }

  @Override
  public StoreTraits traits(String location, StoreOptions options) {
    return new StoreTraits(
        1, StoreTraits.Writes.IN_PLACE, 1, 1, StoreTraits.Cost.CALL, false, false);
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
