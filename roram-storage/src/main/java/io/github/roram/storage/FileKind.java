package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.file.SegmentFileStore;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Stores in segment files: {@code file:DIR}. */
final class FileKind implements StoreKind {

  @Override
  public String scheme() {
    return "file";
  }

  @Override
  public String form() {
    return "file:DIR (segment files in a directory)";
  }

  @Override
  public OpenedStore create(String location, long capacityBytes, StoreOptions options)
      throws IOException {
    return withVault(SegmentFileStore.create(directory(location), capacityBytes, options));
  }

  @Override
  public OpenedStore open(String location, StoreOptions options) throws IOException {
    return withVault(SegmentFileStore.open(directory(location), options));
  }

  @Override
  public boolean exists(String location, StoreOptions options) {
    return SegmentFileStore.exists(directory(location));
  }

  @Override
  public void delete(String location, StoreOptions options) throws IOException {
    SegmentFileStore.delete(directory(location));
  }

  private static OpenedStore withVault(SegmentFileStore store) throws IOException {
    try {
      return new OpenedStore(store, store.openVault());
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static Path directory(String location) {
    if (location.isEmpty()) {
      throw new ConfigurationException("store URI \"file:\" names no directory: write file:DIR");
    }
    try {
      return Path.of(location);
    } catch (InvalidPathException e) {
      throw new ConfigurationException(
          "store URI \"file:" + location + "\" names no valid path: " + e.getMessage(), e);
    }
  }
}
