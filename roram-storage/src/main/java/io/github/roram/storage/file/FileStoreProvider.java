package io.github.roram.storage.file;

import io.github.roram.ConfigurationException;
import io.github.roram.storage.ClientCopy;
import io.github.roram.storage.LostClient;
import io.github.roram.storage.OpenedStore;
import io.github.roram.storage.StoreOption;
import io.github.roram.storage.StoreOptions;
import io.github.roram.storage.StoreProvider;
import io.github.roram.storage.StoreTraits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Stores in segment files: {@code file:DIR}. The client's records are in {@code DIR/vault}, or in
 * {@link StoreOptions#stateDirectory}.
 */
public final class FileStoreProvider implements StoreProvider {

  @Override
  public String scheme() {
    return "file";
  }

  @Override
  public String form() {
    return "file:DIR";
  }

  @Override
  public String about() {
    return "segment files in a directory";
  }

  @Override
  public List<StoreOption<?>> options() {
    return List.of(
        FileOptions.DIRECT_IO,
        FileOptions.READ_DEPTH,
        FileOptions.SEGMENT_SIZE,
        ClientCopy.OPTION,
        StoreOptions.VAULT,
        StoreOptions.TAKE_OVER,
        StoreOptions.STAND_BY,
        StoreOptions.VAULT_SECONDS,
        StoreOptions.STATE_DIRECTORY.byDefault("vault/ in the store's directory"));
  }

  /** Reports a disk block as granule: the page cache, or this store, merges smaller writes. */
  @Override
  public StoreTraits traits(String location, StoreOptions options) {
    return new StoreTraits(
        FileOptions.SEGMENT_GRANULE_BYTES,
        StoreTraits.Writes.IN_PLACE,
        1,
        FileOptions.of(options).readDepth(),
        hasHeads(directory(location)) ? StoreTraits.Cost.SEEK : StoreTraits.Cost.DISK_ACCESS,
        false,
        true);
  }

  /** Returns whether the disk below has heads, as Linux reports; false if it reports nothing. */
  private static boolean hasHeads(Path directory) {
    Path there = directory.toAbsolutePath();
    Path parent = there.getParent();
    while (parent != null && Files.notExists(there)) {
      there = parent;
      parent = there.getParent();
    }
    try {
      long device = (Long) Files.getAttribute(there, "unix:dev");
      long major = (device >> 8) & 0xfff;
      long minor = (device & 0xff) | ((device >> 12) & 0xfff00);
      Path disk = Path.of("/sys/dev/block", major + ":" + minor).toRealPath();
      // A partition has no queue of its own.
      Path queue = disk.resolve("queue");
      queue = Files.exists(queue) ? queue : disk.resolveSibling("queue");
      return Files.readString(queue.resolve("rotational")).strip().equals("1");
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public OpenedStore create(String location, long capacityBytes, StoreOptions options)
      throws IOException {
    Path directory = directory(location);
    Optional<SeparateState> separate = SeparateState.of(directory, options.stateDirectory());
    if (separate.isPresent()) {
      return separate.get().create(capacityBytes, options);
    }
    requireNoCopy(location, options);
    return SegmentFileStore.create(directory, capacityBytes, FileOptions.of(options)).withVault();
  }

  @Override
  public OpenedStore open(String location, StoreOptions options) throws IOException {
    Path directory = directory(location);
    Optional<SeparateState> separate = SeparateState.of(directory, options.stateDirectory());
    if (separate.isPresent()) {
      return separate.get().open(options);
    }
    SeparateState.requireBeside(directory);
    requireNoCopy(location, options);
    return SegmentFileStore.open(directory, FileOptions.of(options)).withVault();
  }

  private static void requireNoCopy(String location, StoreOptions options) {
    if (options.get(ClientCopy.OPTION).map(ClientCopy::of).orElse(ClientCopy.NONE)
        != ClientCopy.NONE) {
      throw new ConfigurationException(
          ClientCopy.OPTION
              + " is for stores with a state directory (--state-dir): the records of file:"
              + location
              + " are in its own directory, and a copy next to them would be lost with them");
    }
  }

  @Override
  public LostClient openLost(String location, StoreOptions options) throws IOException {
    Path directory = directory(location);
    Optional<SeparateState> separate = SeparateState.of(directory, options.stateDirectory());
    if (separate.isPresent()) {
      return separate.get().openLost(FileOptions.of(options));
    }
    SegmentFileStore store = SegmentFileStore.open(directory, FileOptions.of(options));
    return LostClient.without(
        store, "name the state directory where the client's records are to be (--state-dir)");
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
