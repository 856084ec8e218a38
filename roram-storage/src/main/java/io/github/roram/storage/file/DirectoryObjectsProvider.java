package io.github.roram.storage.file;

import io.github.roram.ConfigurationException;
import io.github.roram.object.ObjectSpace;
import io.github.roram.object.ObjectTraits;
import io.github.roram.storage.ObjectsProvider;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** Objects in a directory: {@code objects:DIR}. */
public final class DirectoryObjectsProvider implements ObjectsProvider {

  @Override
  public String scheme() {
    return "objects";
  }

  @Override
  public String form() {
    return "objects:DIR";
  }

  @Override
  public String about() {
    return "objects in a directory";
  }

  @Override
  public List<StoreOption<?>> options() {
    return List.of();
  }

  @Override
  public ObjectTraits traits(String location, StoreOptions options) {
    return DirectoryObjects.TRAITS;
  }

  @Override
  public String place(String location) {
    return directory(location).toAbsolutePath().normalize().toString();
  }

  @Override
  public ObjectSpace open(String location, StoreOptions options) {
    return new DirectoryObjects(directory(location));
  }

  private Path directory(String location) {
    if (location.isEmpty()) {
      throw new ConfigurationException("URI is \"objects:\", without a directory: write " + form());
    }
    try {
      return Path.of(location);
    } catch (InvalidPathException e) {
      throw new ConfigurationException(
          "URI is \"objects:" + location + "\", which is no directory: write " + form(), e);
    }
  }
}
