package io.github.roram.storage.memory;

import io.github.roram.ConfigurationException;
import io.github.roram.object.MemoryObjects;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import io.github.roram.storage.ObjectsProvider;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import java.util.List;

/** Objects that exist until they are closed: {@code mem:}. */
public final class MemoryObjectsProvider implements ObjectsProvider {

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
    return "objects in memory";
  }

  @Override
  public List<StoreOption<?>> options() {
    return List.of();
  }

  @Override
  public ObjectTraits traits(String location, StoreOptions options) {
    return new MemoryObjects().traits();
  }

  @Override
  public ObjectSpace open(String location, StoreOptions options) {
    if (!location.isEmpty()) {
      throw new ConfigurationException(
          "engine URI is \"mem:" + location + "\", nothing may follow \"mem:\"");
    }
    return new MemoryObjects();
  }
}
