package io.github.roram.storage;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.file.SegmentFileStore;
import io.github.roram.storage.file.SeparateState;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Stores in segment files: {@code file:DIR}. The client's records are in {@code DIR/vault}, or in
 * {@link StoreOptions#stateDirectory}.
 */
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
    Path directory = directory(location);
    Optional<SeparateState> separate = SeparateState.of(directory, options.stateDirectory());
    return separate.isPresent()
        ? separate.get().create(capacityBytes, options, StoreWithState::opened)
        : withVault(SegmentFileStore.create(directory, capacityBytes, options));
  }

  @Override
  public OpenedStore open(String location, StoreOptions options) throws IOException {
    Path directory = directory(location);
    Optional<SeparateState> separate = SeparateState.of(directory, options.stateDirectory());
    if (separate.isPresent()) {
      return separate.get().open(options, StoreWithState::opened);
    }
    SeparateState.requireBeside(directory);
    return withVault(SegmentFileStore.open(directory, options));
  }

  @Override
  public boolean exists(String location, StoreOptions options) {
    return SegmentFileStore.exists(directory(location));
  }

  @Override
  public void delete(String location, StoreOptions options) throws IOException {
    Path directory = directory(location);
    Optional<SeparateState> separate = SeparateState.of(directory, options.stateDirectory());
    if (separate.isPresent()) {
      separate.get().delete();
    } else {
      SeparateState.requireBeside(directory);
      SegmentFileStore.delete(directory);
    }
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
